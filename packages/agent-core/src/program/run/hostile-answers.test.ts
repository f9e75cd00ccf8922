import { visible } from "@plasm/core/internal";
import {
  actingIn,
  halfPairsIn,
  hostileBoat,
  HOSTILE_KEYS,
  HOSTILE_PIECES,
  HOSTILE_TEXTS,
  readAnswer,
} from "@plasm/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { LOCAL } from "../../identity/caller.ts";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn, type Agent, type Told } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

let api: BoatsApi;
let engine: Engine;
let agent: Agent;
beforeAll(async () => {
  api = boatsApi(1);
  // Nobody waits for an API that fails by itself.
  const clock = { now: () => Date.UTC(2026, 0, 5), sleep: async () => undefined };
  // One program fails in many ways here.
  engine = engineOn({ store: testStore(), api, clock, repeatedFailures: 1_000 });
  agent = await agentOn(engine);
});
afterAll(() => engine.close());
beforeEach(() => {
  api.before = async () => null;
});

/** The API lists these boats, and takes every write. */
function listing(boats: readonly object[]): void {
  api.before = async ({ method, path }) => {
    if (method !== "GET") return { status: 204 };
    if (path !== "/boats") return { status: 200, json: boats[0] };
    return { status: 200, json: { items: boats, page: 1, total: boats.length } };
  };
}

/** What the API says of every write, and of every read that is not a list. */
function failing(status: number, json: unknown): void {
  api.before = async () => ({ status, json });
}

/** A text of an API as data: controls but TAB and LF are removed, half a pair is U+FFFD (RUN-143). */
const data = (text: string): string =>
  text
    .replaceAll(/\p{Surrogate}/gu, "\ufffd")
    // oxlint-disable-next-line no-control-regex -- naming them is the point
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");

/** The same as a cell has it: TAB and LF are `\t` and `\n`, what turns others round is its number (SURF-13). */
const cell = (text: string): string =>
  data(text)
    .replaceAll("\t", "\\t")
    .replaceAll("\n", "\\n")
    .replaceAll(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (sign) => {
      return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });

const plainly = ({ text }: { readonly text: string }): void => {
  expect(actingIn(text)).toEqual([]);
  expect(halfPairsIn(text)).toBe(0);
};

async function ran(program: string, more: Parameters<Agent["run"]>[1] = {}): Promise<Told> {
  const told = await agent.run(program, { wait: true, force: true, ...more });
  plainly(told);
  return told;
}

/** So many texts at a time as an answer has room for. */
const BATCHES = Array.from({ length: Math.ceil(HOSTILE_TEXTS.length / 8) }, (_, at) =>
  HOSTILE_TEXTS.slice(8 * at, 8 * at + 8),
).map((batch) => ({ names: batch.map(({ name }) => name).join(", "), batch }));

const cellsOf = (texts: readonly { readonly text: string }[]) =>
  texts.map(({ text }) => cell(text));

/** Rows that share a key once they are cleaned, and halves of pairs, are told beside them (18.12). */
const SAID = expect.stringMatching(/^(?:text_malformed|row_twice)/) as string;

describe("P16, SURF-13: rows that hold anything are read back as they are", () => {
  const COLUMNS = ["id", "name", "owner", "state", "built", "note"];

  it.each(BATCHES)("in every field: $names", async ({ batch }) => {
    listing(batch.map(({ text }) => hostileBoat(text)));
    const { text: told } = await ran(`Boat.limit(9)[${COLUMNS.join(", ")}]`);
    expect(readAnswer(told)).toEqual({
      results: [
        {
          name: "Boat",
          rowCount: batch.length,
          columns: COLUMNS,
          rows: cellsOf(batch).map((shown) => COLUMNS.map(() => shown)),
          remark: expect.toBeOneOf([null, SAID]),
        },
      ],
      effects: [],
    });
  });

  it.each(BATCHES)("in JSON, as member and as value: $names", async ({ batch }) => {
    listing(batch.map(({ text }) => ({ ...hostileBoat(text), meta: { [text]: [text] } })));
    const { results } = readAnswer((await ran("Boat.limit(9)[meta]")).text);
    const read = results[0]?.rows.map(([shown = ""]) => JSON.parse(shown) as object) ?? [];
    expect(read).toEqual(batch.map(({ text }) => ({ [data(text)]: [data(text)] })));
  });

  it("members of every name, none of which hides the others", async () => {
    listing([
      { ...hostileBoat("plain"), meta: Object.fromEntries(HOSTILE_KEYS.map((key) => [key, key])) },
    ]);
    const { results } = readAnswer((await ran("Boat.limit(1)[meta]")).text);
    const read = JSON.parse(results[0]?.rows[0]?.[0] ?? "") as Readonly<Record<string, string>>;
    const clean = HOSTILE_KEYS.map((key) => key.replaceAll("\u001b", ""));
    expect(Object.keys(read)).toHaveLength(clean.length);
    for (const key of clean) {
      expect(Object.getOwnPropertyDescriptor(read, key)?.value, key).toBe(key);
    }
  });

  it.each(BATCHES)("as group, template and derived row: $names", async ({ batch }) => {
    listing(batch.map(({ text }) => hostileBoat(text)));
    const groups = readAnswer((await ran("Boat.group_by(name, n=count)")).text).results[0];
    expect(new Set(groups?.rows.map(([name]) => name))).toEqual(new Set(cellsOf(batch)));
    const program = "Boat.limit(9) <<T\n{% for r in rows %}{{ r.name }}{% endfor %}\nT";
    const written = readAnswer((await ran(program)).text).results[0];
    expect(written?.rows).toEqual([[cellsOf(batch).join("")]]);
    const derived = await ran('Boat.limit(9) => {"a\\tb": _.name, "": {"x\\ny": _.name}}');
    const [first] = readAnswer(derived.text).results;
    expect(first?.columns).toEqual(["a\\tb", '""']);
    expect(first?.rows.map(([name]) => name)).toEqual(cellsOf(batch));
  });

  it("a property: rows of pieces come back in their order, each once", async () => {
    const texts = fc
      .array(fc.constantFrom(...HOSTILE_PIECES), { minLength: 1, maxLength: 4 })
      .map((pieces) => pieces.join(""));
    const rows = fc.array(texts, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        listing(all.map(hostileBoat));
        const { results } = readAnswer((await ran("Boat.limit(9)[name, note]")).text);
        const cells = all.map((text) => cell(text) || '""');
        expect(results[0]?.rows).toEqual(cells.map((shown) => [shown, shown]));
      }),
      { numRuns: 25 },
    );
  });

  it("cells of a megabyte are cut, and the remark says so", async () => {
    const huge = HOSTILE_PIECES.join("").repeat(2_000).slice(0, 1_000_000);
    listing([{ id: "b1", name: huge, note: huge }, hostileBoat("plain")]);
    const { results } = readAnswer((await ran("Boat.limit(2)[id, name, note]")).text);
    expect(results[0]?.rows).toHaveLength(2);
    expect(results[0]?.remark).toMatch(/(?:^|· )name, note clipped · all: plasm:/);
  });
});

describe("SURF-15, ERR-020: effects and errors that hold anything", () => {
  /** Lines of an answer that something foreign might feign: heads, effects, corrections, results. */
  const heads = (text: string): readonly string[] =>
    text
      .split("\n")
      .flatMap((line) => /^(?:failed at|effects:|error|fix:|try:|done|Boat ·)/.exec(line) ?? []);

  it.each(BATCHES)("as the identity of what is changed: $names", async ({ batch }) => {
    listing(batch.map(({ text }) => hostileBoat(text)));
    const { text: told } = await ran("Boat.limit(9) => Boat(_.id).ping()");
    expect(readAnswer(told).effects).toEqual(
      batch.map(({ text }) => `done ping quay.Boat ${data(text)}`),
    );
  });

  it.each(BATCHES)("in what is explained before it runs: $names", async ({ batch }) => {
    listing(batch.map(({ text }) => hostileBoat(text)));
    const at = { kind: "ref", ref: "s0" } as const;
    const program = "Boat.limit(9) => Boat(_.id).update(note=_.note, name=_.name)";
    const told = await engine.explain(LOCAL, at, { program });
    plainly(told);
    const lines = told.text.split("\n").slice(1, 1 + batch.length);
    expect(lines).toEqual(
      cellsOf(batch).map(
        (shown) => expect.stringContaining(`update quay.Boat ${shown} · `) as string,
      ),
    );
  });

  const told = (batch: readonly { readonly text: string }[]): string =>
    batch.map(({ text }) => text).join(" ");

  /** What an API may say of a refusal (RUN-039). */
  const refusals = (text: string): readonly unknown[] => [
    text,
    { message: text, errors: { [text]: [text] } },
    { error: text, documentation_url: text },
    [text],
  ];

  it.each(BATCHES)("as all that an API says when it refuses: $names", async ({ batch }) => {
    for (const body of refusals(told(batch))) {
      failing(422, body);
      const { text } = await ran('Boat("b1").ping()');
      expect(heads(text), text).toEqual(["failed at", "effects:", "error", "fix:"]);
    }
  });

  it.each(BATCHES)(
    "as key, and as what is said of what is not there: $names",
    async ({ batch }) => {
      const plain = batch.filter(({ text }) => visible(text) === text.replaceAll("\n", "\\n"));
      failing(404, refusals(told(batch))[1]);
      const { text } = await ran(`Boat(${JSON.stringify(`b ${told(plain)}`)})`);
      expect(heads(text), text).toEqual(["failed at", "error", "fix:"]);
    },
  );

  it.each(BATCHES)("as a body that no catalog expects: $names", async ({ batch }) => {
    const text = told(batch);
    failing(200, { [text]: text, items: [{ [text]: text }, text, null] });
    const listed = await ran("Boat[id, name]");
    expect(heads(listed.text).length, listed.text).toBeLessThanOrEqual(3);
    failing(200, text);
    const read = await ran('Boat("b1")');
    expect(heads(read.text).length, read.text).toBeLessThanOrEqual(3);
  });
});
