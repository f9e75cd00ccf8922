import { describe, expect, test } from "vitest";
import { cinema } from "../../../test/cinema-catalog.ts";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { onlyNode } from "../../../test/plan-of.ts";
import { saidOf, type SaidRow, statedBy } from "../../../test/said.ts";
import { wharf } from "../../../test/wharf-catalog.ts";

/** `forbids` one capability that was taught before. */
const forbidding = (capability: string) => ({
  ...wharf,
  policy: { apis: { wharf: { deny: [capability] } } },
});

describe("RUN-110: a tie names the labels", () => {
  const screens = cinema({ lists: { movie_at: ["hour"], movie_by: ["hour"] } });
  test.each(["Movie{hour=day}", "Movie{hour=day, year>3}"])("%s", (program) => {
    expect(saidOf(program, screens)).toEqual(
      statedBy([
        program,
        "capability_ambiguous",
        "Movie",
        "at and by of Movie fit equally well.",
        "say which: Movie.at(…) or Movie.by(…)",
      ]),
    );
  });
});

describe("RUN-110: what serves nothing says what is missing, and gets without identity", () => {
  const NONE = "can be read with these conditions.";
  test.each<SaidRow>([
    [
      "Rope{metres>3}",
      "capability_unsatisfied",
      "Rope",
      `No list of Rope ${NONE}`,
      "query-dock needs dock Dock(str), side str; query-ship needs ship str; call Rope.get-longest(); " +
        'call Rope.get-spare(hue="text"); as Rope{dock=Dock("text"), side=…}',
    ],
    [
      "Crane{near=x, side=y}",
      "capability_unsatisfied",
      "Crane",
      `No list of Crane ${NONE}`,
      'query-dock needs dock Dock(str); as Crane{dock=Dock("text")}',
    ],
    [
      "Sail{cloth=x}",
      "capability_unsatisfied",
      "Sail",
      `No list of Sail ${NONE}`,
      "search needs words str; as Sail{words=…}",
    ],
    [
      "Mast{two=x}",
      "capability_unsatisfied",
      "Mast",
      `No list of Mast ${NONE}`,
      "search needs one str; as Mast{one=…}",
    ],
    [
      'Mast~"x"',
      "capability_unsatisfied",
      "Mast",
      `No list of Mast ${NONE}`,
      "search needs one str, two str; as Mast{one=…, two=…}",
    ],
    [
      "Bell",
      "capability_unsatisfied",
      "Bell",
      "Bell has no list.",
      'name the row by its key: Bell("text"), or call Bell.get-big()',
    ],
    [
      "Cask",
      "capability_unsatisfied",
      "Cask",
      "Cask has no list.",
      "reach it by a relation of another entity",
    ],
    [
      'Net("x")',
      "capability_unsatisfied",
      "Net",
      "Net cannot be read by its key.",
      "read it from a list: Net{…}, or call Net.get-best()",
    ],
    [
      'Cask("x")',
      "capability_unsatisfied",
      "Cask",
      "Cask cannot be read by its key.",
      "reach it by a relation of another entity",
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], wharf)).toEqual(statedBy(row));
  });
});

describe("RUN-112: a condition that can be neither sent nor tested", () => {
  test.each<SaidRow>([
    [
      "Crane{near!=x}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and only with = or in.",
      "use near=x, sent to query, query-dock, or a column of Crane with !=",
    ],
    [
      "Crane{near  >=  x}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and only with = or in.",
      "use near=x, sent to query, query-dock, or a column of Crane with >=",
    ],
    [
      'Crane{near != "a = b"}',
      "predicate_unsupported",
      "near",
      "near can only be sent, and only with = or in.",
      'use near="a = b", sent to query, query-dock, or a column of Crane with !=',
    ],
    [
      "Crane{exists(near)}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and only with = or in.",
      "use near=…, sent to query, query-dock, or a column of Crane with exists()",
    ],
    [
      "Flag{hue=red, year>3}",
      "predicate_unsupported",
      "year",
      "year can only be sent, and only with = or in.",
      "use year=3, sent to query-old, or a column of Flag with >",
    ],
    [
      "Crane{not{near=x}}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and only as a condition of its own with =.",
      "take it out of the not{}: it stands beside it as near=x, sent to query, query-dock",
    ],
    [
      "Crane{any{kg>3, near=x}}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and only as a condition of its own with =.",
      "take it out of the any{}: it stands beside it as near=x, sent to query, query-dock",
    ],
    [
      "Crane{any{near=x, kg>3}, exists(kg)}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and only as a condition of its own with =.",
      "take it out of the any{}: it stands beside it as near=x, sent to query, query-dock",
    ],
    [
      "Flag{hue=red, year=3}",
      "predicate_unsupported",
      "year",
      "year is a parameter of query-old, which cannot serve the other conditions.",
      "leave year or the others out; year takes = with query-old",
    ],
    [
      "c = Crane.limit(2)\nc.filter{near=x}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and these rows are read already.",
      "put near=x before .limit(2); query, query-dock takes it with =",
    ],
    [
      'Crane("a").filter{near=x}',
      "predicate_unsupported",
      "near",
      "near can only be sent, and a row that is named takes no conditions.",
      "ask the list: Crane{near=x}; query, query-dock takes it with =",
    ],
    [
      "Crane.sort(kg).filter{kg>3}.filter{near=x}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and these rows are read already.",
      "put near=x before .sort(kg); query, query-dock takes it with =",
    ],
    [
      "Crane.sort(kg).filter{near!=x}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and only with = or in.",
      "use near=x, sent to query, query-dock, or a column of Crane with !=",
    ],
    [
      "Crane.sort(kg).filter{not{near=x}}",
      "predicate_unsupported",
      "near",
      "near can only be sent, and these rows are read already.",
      "put near=x before .sort(kg); query, query-dock takes it with =",
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], wharf)).toEqual(statedBy(row));
  });

  test("RUN-111: two values for one parameter are two errors, each at its place", () => {
    const twice: SaidRow = [
      "Crane{near=x, near=y}",
      "predicate_unsupported",
      "near",
      "near is given two values, and it can only be sent.",
      "keep one near=…; it goes to query, query-dock",
    ];
    expect(saidOf(twice[0], wharf)).toEqual([...statedBy(twice), ...statedBy(twice)]);
  });

  test("the text of a search is searched for", () => {
    const row: SaidRow = [
      "Boat{q=x}",
      "predicate_unsupported",
      "q",
      "q is the text of a search.",
      "search for it: Boat~x",
    ];
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });
});

describe("RUN-110, RUN-111: which list serves, and what it is sent", () => {
  test.each<[string, object]>([
    ['Sail~"x"', { capability: "sail_search", args: { words: { lit: "x" } }, filter: null }],
    [
      'Sail~"x"{size=3}',
      { capability: "sail_search", args: { words: { lit: "x" }, size: { lit: 3 } } },
    ],
    [
      'Mast~"x"{one=a, two=b}',
      {
        capability: "mast_search",
        args: { q: { lit: "x" }, one: { lit: "a" }, two: { lit: "b" } },
      },
    ],
    ["Lamp", { capability: "lamp_query_dim", args: {}, filter: null }],
    ["Lamp{watt>3}", { capability: "lamp_query_dim", args: {} }],
    ["Lamp{hue=red}", { capability: "lamp_query_hot", args: { hue: { lit: "red" } } }],
    ["Flag", { capability: "flag_query", args: {} }],
    ["Flag{year=3}", { capability: "flag_query_old", args: { year: { lit: 3 } } }],
    [
      "Crane{dock=a, near=x}",
      { capability: "crane_query_dock", args: { dock: { lit: "a" }, near: { lit: "x" } } },
    ],
    [
      "Crane{dock in [a, b]}",
      { capability: "crane_query_dock", args: { dock: { lit: ["a", "b"] } }, filter: null },
    ],
    ["Crane{dock=a, dock=b}", { capability: "crane_query", args: {} }],
    ["Crane{dock in [a, b], dock in [c]}", { capability: "crane_query", args: {} }],
    [
      "Crane{dock=a, dock in [c, d]}",
      {
        capability: "crane_query_dock",
        args: { dock: { lit: "a" } },
        filter: { op: "in", path: ["dock"], value: { lit: ["c", "d"] } },
      },
    ],
  ])("%s", (program, node) => {
    expect(onlyNode(program, wharf)).toMatchObject(node);
  });
});

describe("SURF-25: what was taught and is forbidden since", () => {
  test.each<[string, string, string]>([
    ["Dock", "dock_query", "query"],
    ['Sail~"x"', "sail_search", "search"],
    ["Sail", "sail_search", "search"],
    ['Dock("x")', "dock_get", "get"],
    ["Crane.dock", "dock_get", "get"],
    ["Crane.hooks", "hook_query", "query"],
    ["Rope{ship=x}", "rope_query_ship", "query-ship"],
  ])("%s without %s", (program, capability, label) => {
    const [error, ...more] = saidOf(program, forbidding(capability));
    expect(more).toEqual([]);
    expect(error?.code).toBe("policy_denied");
    expect(`${error?.message} ${error?.correction}`).toContain(label);
  });

  test("a list that would have served, though others are left", () => {
    const policy = { apis: { quay: { deny: ["boat_query"] } } };
    const [error] = saidOf("Boat", { ...quayExposure, policy });
    expect(error?.code).toBe("policy_denied");
  });

  test("a list that would not have served is not named", () => {
    const [error] = saidOf("Rope{metres>3}", forbidding("rope_query_ship"));
    expect(error?.code).toBe("capability_unsatisfied");
  });
});
