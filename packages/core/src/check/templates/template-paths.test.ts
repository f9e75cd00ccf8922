import { describe, expect, test } from "vitest";
import { planOf } from "../../../test/plan-of.ts";
import { saidOf, statedBy } from "../../../test/said.ts";
import { wharf } from "../../../test/wharf-catalog.ts";

/** A template that shows something of each row `r`. */
const each = (before: string, ...shown: readonly string[]): string =>
  `${before} <<T\n{% for r in rows %}${shown.map((name) => `{{ ${name} }}`).join(" ")}{% endfor %}\nT`;

/** What a plan renders: the expressions of its template. */
function shownBy(program: string): readonly string[] {
  for (const node of planOf(program, wharf).nodes) {
    if (node.kind !== "compute" || !("render" in node.op)) continue;
    return [...node.op.render.text.matchAll(/\{\{ (.*?) \}\}/g)].map(([, name = ""]) => name);
  }
  throw new Error("Nothing is rendered.");
}

const ALL = [
  "p2 (cask), p6 (code), p8 (dock), p11 (id), p12 (idle), p13 (kg), p14 (kind), p15 (label)",
  "p18 (lost), p24 (raw), p25 (rope), p28 (since), p30 (tags), p31 (turns)",
].join(", ");
const PLAIN_ALL =
  "cask, code, dock, id, idle, kg, kind, label, lost, raw, rope, since, tags, turns";

describe("LANG-081: a path of a template is written as the column it reads", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["Crane", ["r.label", 'r["label"]'], ["r.label", 'r["label"]']],
    ["Crane", ["r.p15"], ["r.label"]],
    ["Crane", ["r.dock.city"], ['r["dock.city"]']],
    ["Crane", ["r.dock.crane.kg"], ['r["dock.crane.kg"]']],
    [
      "Crane",
      ["r.raw.a.b", 'r.raw["a"].b', 'r["raw"].a'],
      ["r.raw.a.b", 'r.raw["a"].b', 'r["raw"].a'],
    ],
    ["Crane", ["r.dock.crane.raw.a"], ['r["dock.crane.raw"].a']],
    ["Crane", ["r.tags[0]", "r.label"], ["r.tags[0]", "r.label"]],
    [
      "Crane[id, dock.city]",
      ['r["dock.city"]', "r.dock.city", "r.id"],
      ['r["dock.city"]', 'r["dock.city"]', "r.id"],
    ],
    ["Crane[id, raw.a]", ["r.raw.a", "r.raw.a.b"], ['r["raw.a"]', 'r["raw.a"].b']],
    ["Crane[twin.kg]", ["r.twin.kg"], ['r["twin.kg"]']],
  ])("%s: %j", (before, written, shown) => {
    expect(shownBy(each(before, ...written))).toEqual(shown);
  });
});

describe("LANG-081, ERR-010: what a path of a template does not read", () => {
  type Row = [
    program: string,
    marks: string,
    message: string,
    correction: string,
    suggests?: string,
  ];
  test.each<Row>([
    [
      each("Crane", "r.cask.litres"),
      "cask.litres",
      "cask.litres, a field of another entity, cannot be read: nothing reads one Cask by its key.",
      `line 1, column 25 of the template: read the reference alone, cask. Columns: ${ALL}`,
    ],
    [
      each("Crane", 'r["nope"]'),
      '"nope"',
      "nope is no column of Crane.",
      `line 1, column 25 of the template: use rope. Columns: ${PLAIN_ALL}`,
    ],
    [
      each("Crane.group_by(kind, n=count)", 'r["knd"]'),
      '"knd"',
      "knd is no column of these rows.",
      "line 1, column 25 of the template: use kind. Columns: kind, n",
    ],
    [
      each("Crane.group_by(kind, n=count)", "r.knd"),
      "knd",
      "knd is no column of these rows.",
      "line 1, column 25 of the template: use kind. Columns: kind, n",
      each("Crane.group_by(kind, n=count)", "r.kind"),
    ],
    [
      each("Crane[id, dock.city]", 'r["dock.town"]'),
      '"dock.town"',
      "dock.town is no column of Crane.",
      "line 1, column 25 of the template: Columns: dock.city, id",
    ],
    [
      each("Crane", 'r["label"].x'),
      "x",
      "label is str and has no part x.",
      "line 1, column 34 of the template: read label itself; only json and references have parts. " +
        `Columns: ${ALL}`,
    ],
    [
      each("Crane", "r.label.x"),
      "x",
      "label is str and has no part x.",
      "line 1, column 31 of the template: read label itself; only json and references have parts. " +
        `Columns: ${ALL}`,
    ],
    [
      each("Crane", "r.tags[0].x"),
      "x",
      "tags is str and has no part x.",
      "line 1, column 33 of the template: read tags itself; only json and references have parts. " +
        `Columns: ${ALL}`,
    ],
    [
      each("Crane", 'r.dock["city"]'),
      '"city"',
      "dock is a reference; what it refers to is read with its path in one piece.",
      `line 1, column 30 of the template: write the whole path where it is read, like r.dock.city. Columns: ${ALL}`,
    ],
    [
      each("Crane", "r.dock.crane.nope"),
      "nope",
      "nope is no column of Crane.",
      `line 1, column 36 of the template: use rope. Columns: ${PLAIN_ALL}`,
      each("Crane", "r.dock.crane.rope"),
    ],
    [
      each("Crane", "r.dock.town"),
      "town",
      "town is no column of Dock.",
      "line 1, column 30 of the template: Columns: city, crane, id",
    ],
    [
      each("Crane", "r.hooks"),
      "hooks",
      "hooks is a relation of Crane, not a value of its row.",
      `line 1, column 25 of the template: follow it as a step: .hooks. Columns: ${ALL}`,
    ],
    [
      each("Crane", "rows.label"),
      "label",
      "rows is a list of rows and has no label.",
      "line 1, column 28 of the template: loop over it, or read one row, like rows[0].label. " +
        `Columns: ${ALL}`,
    ],
    [
      each("Crane[id, raw.a]", "r.raw.b"),
      "raw",
      "raw is no column any more: [id, raw.a] left it out.",
      "line 1, column 25 of the template: put this before [id, raw.a], or name raw there. " +
        "Columns now: id, raw.a",
    ],
    [
      "Crane <<T\n{{ rows[0][0] }}\nT",
      "rows",
      "an item of rows is one row, not a list.",
      `line 1, column 4 of the template: read its columns, like rows[0].cask. Columns: ${ALL}`,
    ],
    [
      "Crane <<T\n{% for r in rows %}{% for s in r %}{{ s }}{% endfor %}{% endfor %}\nT",
      "r",
      "an item of rows is one row, not a list.",
      `line 1, column 32 of the template: read its columns, like r.cask. Columns: ${ALL}`,
    ],
    [
      "Crane <<T\n{{ rows[0].p15 }}{{ rows[0].labl }}\nT",
      "labl",
      "labl is no column of Crane.",
      `line 1, column 29 of the template: use label. Columns: ${PLAIN_ALL}`,
      "Crane <<T\n{{ rows[0].p15 }}{{ rows[0].label }}\nT",
    ],
  ])("%s", (...[program, ...row]) => {
    expect(saidOf(program, wharf)).toEqual(statedBy([program, "template_error", ...row]));
  });
});
