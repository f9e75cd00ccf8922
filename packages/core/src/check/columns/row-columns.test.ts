import { describe, expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { planOf } from "../../../test/plan-of.ts";
import { saidOf, type SaidRow, statedBy } from "../../../test/said.ts";
import { wharf } from "../../../test/wharf-catalog.ts";
import type { Exposure } from "../../symbols/exposure.ts";

/** What a plan fetches beside its rows: the path and the capability of each join, in order. */
const joinsOf = (program: string, exposure: Exposure): readonly string[] =>
  planOf(program, exposure).nodes.flatMap((node) =>
    node.kind === "join" ? [`${node.path.join(".")} ${node.capability}`] : [],
  );

/** The columns of a plan's last node: name and type. */
const columnsOf = (program: string, exposure: Exposure) =>
  planOf(program, exposure).nodes.at(-1)?.result.columns;

const dock = "dock dock_get";

describe("LANG-053, LANG-064: the rows a path needs, nearest first", () => {
  test.each<[string, readonly string[], readonly (readonly [string, string])[]]>([
    ["Crane[dock.city]", [dock], [["dock.city", "str"]]],
    ["Crane[dock]", [], [["dock", "Dock(str)"]]],
    ["Crane[twin.kg]", ["twin crane_get"], [["twin.kg", "num"]]],
    ["Crane[dock.crane]", [dock], [["dock.crane", "Crane(str)"]]],
    ["Crane[dock.crane.kg]", [dock, "dock.crane crane_get"], [["dock.crane.kg", "num"]]],
    [
      "Crane[dock.crane.dock.city]",
      [dock, "dock.crane crane_get", "dock.crane.dock dock_get"],
      [["dock.crane.dock.city", "str"]],
    ],
    ["Crane[dock.crane.raw.a.b]", [dock, "dock.crane crane_get"], [["dock.crane.raw.a.b", "json"]]],
    ["Crane[raw.a.b]", [], [["raw.a.b", "json"]]],
    ["Crane[id, dock.city][dock.city]", [dock], [["dock.city", "str"]]],
    ["Crane[id, raw.a][raw.a.b]", [], [["raw.a.b", "json"]]],
    [
      "Crane[id, dock.crane][dock.crane.kg]",
      [dock, "dock.crane crane_get"],
      [["dock.crane.kg", "num"]],
    ],
    [
      "Crane[id, dock.crane][dock.crane.dock.city]",
      [dock, "dock.crane crane_get", "dock.crane.dock dock_get"],
      [["dock.crane.dock.city", "str"]],
    ],
    [
      "Crane.group_by(dock, n=count)[dock.city, n]",
      [dock],
      [
        ["dock.city", "str"],
        ["n", "int"],
      ],
    ],
    [
      "Crane[dock.city, dock.id]",
      [dock],
      [
        ["dock.city", "str"],
        ["dock.id", "str"],
      ],
    ],
  ])("%s", (program, joins, columns) => {
    expect(joinsOf(program, wharf)).toEqual(joins);
    expect(columnsOf(program, wharf)).toEqual(columns);
  });

  test("LANG-053: three steps and no more", () => {
    expect(joinsOf("Boat[twin.twin.twin.name]", quayExposure)).toHaveLength(3);
  });

  test.each<SaidRow>([
    [
      "Boat[twin.twin.twin.twin.name]",
      "unknown_column",
      "twin.twin.twin.twin.name",
      "twin.twin.twin.twin.name follows more than 3 references.",
      "bind the rows on the way and go on from there",
    ],
    [
      "Boat[twin.visits.fee]",
      "relation_as_value",
      "visits",
      "visits is a relation of Boat, not a value of its row.",
      "follow it as a step: .visits",
    ],
    [
      "Boat[visits.fee]",
      "relation_as_value",
      "visits",
      "visits is a relation of Boat, not a value of its row.",
      "follow it as a step: .visits",
    ],
    [
      "Boat[owner.login.x]",
      "unknown_column",
      "x",
      "login is str and has no part x.",
      "read login itself; only json and references have parts",
    ],
    [
      "Boat[length.x]",
      "unknown_column",
      "x",
      "length is num and has no part x.",
      "read length itself; only json and references have parts",
    ],
    [
      "Boat[owner.nme]",
      "unknown_column",
      "nme",
      "nme is no column of Person.",
      "use name. Columns: boats, login, name",
      "Boat[owner.name]",
    ],
    [
      "Boat.group_by(owner, n=count)[ownr]",
      "unknown_column",
      "ownr",
      "ownr is no column of these rows.",
      "use owner. Columns: n, owner",
      "Boat.group_by(owner, n=count)[owner]",
    ],
    [
      "Boat.group_by(owner, n=count).filter{m=3}",
      "unknown_column",
      "m",
      "m is no column of these rows.",
      "Columns: n, owner",
    ],
    [
      "Boat[id].filter{near=x}",
      "unknown_column",
      "near",
      "near is no column of Boat.",
      "Columns: id",
    ],
    ["Boat[p99]", "unknown_symbol", "p99", "p99 is not in the table.", "use p1..p30"],
    [
      "Boat[m1]",
      "unknown_symbol",
      "m1",
      "m1 is a method, a field, relation or argument stands here.",
      "use p1..p30",
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });
});

describe("LANG-053, RUN-051: a row no get reads is no column, and no step leads there", () => {
  const alone = (reference: string): string => `read the reference alone, [${reference}]`;
  const lists = ", or its lists by themselves: query-dock, query-ship";
  test.each<[program: string, marks: string, message: string, correction: string]>([
    ["Crane[cask.litres]", "cask.litres", "nothing reads Cask.", alone("cask")],
    ["Crane.sort(cask.litres)", "cask.litres", "nothing reads Cask.", alone("cask")],
    ["Crane => {l: _.cask.litres}", "cask.litres", "nothing reads Cask.", alone("cask")],
    ["Crane{cask.litres>5}", "cask.litres", "nothing reads Cask.", alone("cask")],
    ["Crane[lost.litres]", "lost.litres", "nothing reads Cask.", alone("lost")],
    [
      "Crane[dock.crane.cask.litres]",
      "dock.crane.cask.litres",
      "nothing reads Cask.",
      alone("dock.crane.cask"),
    ],
    [
      "Crane[rope.metres]",
      "rope.metres",
      "nothing reads one Rope by its key.",
      `${alone("rope")}${lists}`,
    ],
  ])("%s", (program, marks, message, correction) => {
    expect(saidOf(program, wharf)).toEqual([
      {
        code: "relation_unavailable",
        marks,
        message: `${marks} cannot be read: ${message}`,
        correction,
        suggests: null,
      },
    ]);
  });

  test("a condition on it asks its lists first", () => {
    expect(saidOf("Crane{rope.metres>5}", wharf)).toEqual([
      {
        code: "predicate_unsupported",
        marks: "rope.metres",
        message:
          "rope.metres, a field of another entity, cannot be tested: nothing reads one Rope by its key.",
        correction:
          "read those rows first and use in: found = Rope{metres…}, then rope in found.id",
        suggests: null,
      },
    ]);
  });
});

describe("LANG-066: what aggregates give, and of what", () => {
  test("a type per function; json may fit any", () => {
    const aggs =
      "sum(kg), sum(turns), avg(turns), min(since), max(kind), min(code), max(label), min(turns), " +
      "min(raw), avg(raw), count(tags), count";
    expect(columnsOf(`Crane.aggregate(${aggs})`, wharf)).toEqual([
      ["sum_kg", "num"],
      ["sum_turns", "num"],
      ["avg_turns", "num"],
      ["min_since", "date"],
      ["max_kind", "slow|fast"],
      ["min_code", "uuid"],
      ["max_label", "str"],
      ["min_turns", "int"],
      ["min_raw", "json"],
      ["avg_raw", "num"],
      ["count_tags", "int"],
      ["count", "int"],
    ]);
  });

  test("of a path, with the row it needs", () => {
    expect(joinsOf("Crane.aggregate(max(dock.city))", wharf)).toEqual([dock]);
    expect(columnsOf("Crane.aggregate(max(dock.city))", wharf)).toEqual([["max_dock_city", "str"]]);
    expect(columnsOf("Crane.group_by(dock.city, n=max(dock.id))", wharf)).toEqual([
      ["dock.city", "str"],
      ["n", "str"],
    ]);
  });

  const orderable = "code, id, kg, kind, label, raw, since, turns";
  test.each<SaidRow>([
    [
      "Crane.aggregate(sum(label))",
      "bad_column_type",
      "label",
      "sum cannot be taken of label, which is str.",
      "use one of kg, raw, turns; count(label) counts its values",
    ],
    [
      "Crane.aggregate(avg(since))",
      "bad_column_type",
      "since",
      "avg cannot be taken of since, which is date.",
      "use one of kg, raw, turns; count(since) counts its values",
    ],
    [
      "Crane.aggregate(max(tags))",
      "bad_column_type",
      "tags",
      "max cannot be taken of tags, which is [str].",
      `use one of ${orderable}; count(tags) counts its values`,
    ],
    [
      "Crane.aggregate(min(dock))",
      "bad_column_type",
      "dock",
      "min cannot be taken of dock, which is Dock(str).",
      `use one of ${orderable}; count(dock) counts its values`,
    ],
    [
      "Crane.aggregate(min(idle))",
      "bad_column_type",
      "idle",
      "min cannot be taken of idle, which is bool.",
      `use one of ${orderable}; count(idle) counts its values`,
    ],
    [
      "Crane.aggregate(sum(dock.city))",
      "bad_column_type",
      "dock.city",
      "sum cannot be taken of dock.city, which is str.",
      "use one of kg, raw, turns; count(dock.city) counts its values",
    ],
    [
      "Crane.group_by(tags, n=count)",
      "bad_column_type",
      "tags",
      "Rows cannot be grouped by tags, which is [str].",
      "use one of cask, code, dock, id, idle, kg, kind, label, lost, raw, rope, since, turns",
    ],
    [
      "Crane.aggregate(n=count, n=sum(kg))",
      "duplicate_column",
      "n",
      "The column n is there twice, at 1:17 and 1:26.",
      "leave one of them out",
    ],
    [
      "Crane.group_by(kind, kind=count)",
      "duplicate_column",
      "kind",
      "The column kind is there twice, at 1:16 and 1:22.",
      "leave one of them out",
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], wharf)).toEqual(statedBy(row));
  });

  test("an unknown column is one error, whatever is taken of it", () => {
    for (const fn of ["sum", "max", "count"]) {
      expect(saidOf(`Crane.aggregate(${fn}(nope))`, wharf)).toMatchObject([
        { code: "unknown_column", marks: "nope" },
      ]);
    }
  });
});
