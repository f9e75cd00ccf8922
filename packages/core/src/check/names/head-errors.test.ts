import { describe, expect, test } from "vitest";
import { fixtureExposure, quayAndYard, quayExposure } from "../../../test/fixture-exposure.ts";
import { saidOf, type SaidRow, statedBy } from "../../../test/said.ts";

const ENTITIES =
  "Entities: e1 (Boat), e2 (Digest), e3 (Log), e4 (Office), e5 (Paper), e6 (Person), e7 (Stats), " +
  "e8 (Visit)";
const neither = (name: string) => `${name} is neither a label nor an entity.`;
const range = "use e1..e8";

describe("LANG-020: what the head of a chain is, if it is neither label nor entity", () => {
  test.each<SaidRow>([
    ["zzzzzz", "unknown_name", "zzzzzz", neither("zzzzzz"), `Labels: none yet. ${ENTITIES}`],
    [
      "Boats",
      "unknown_name",
      "Boats",
      neither("Boats"),
      `use Boat. Labels: none yet. ${ENTITIES}`,
      "Boat",
    ],
    [
      "harbour = Boat\nharbor",
      "unknown_name",
      "harbor",
      neither("harbor"),
      `use harbour. Labels: harbour. ${ENTITIES}`,
      "harbour = Boat\nharbour",
    ],
    [
      "s1",
      "unknown_name",
      "s1",
      neither("s1"),
      "a session is named by the argument logical_session_ref, not in a program",
    ],
    [
      "s0_o1",
      "unknown_name",
      "s0_o1",
      neither("s0_o1"),
      "a long run is asked by wait(s0_o1) or cancel(s0_o1), a program of its own",
    ],
    [
      "pc0",
      "unknown_name",
      "pc0",
      neither("pc0"),
      "a plan's ref is an argument of its run, plan_commit_ref=pc0, not part of a program",
    ],
    [
      "quay.Person",
      "unknown_name",
      "quay",
      neither("quay"),
      "write Person: entities stand without their catalog",
      "Person",
    ],
    ["quay.Bota", "unknown_name", "quay", neither("quay"), `Labels: none yet. ${ENTITIES}`],
    ["yard.Boat", "unknown_name", "yard", neither("yard"), `Labels: none yet. ${ENTITIES}`],
    ["Boat => ping(x)", "unknown_name", "ping", neither("ping"), "call it on the row: _.ping(…)"],
    ["Boat => pong(x)", "unknown_name", "pong", neither("pong"), `Labels: none yet. ${ENTITIES}`],
    ["m1", "unknown_symbol", "m1", "m1 is a method, an entity stands here.", range],
    [
      "p1",
      "unknown_symbol",
      "p1",
      "p1 is a field, relation or argument, an entity stands here.",
      range,
    ],
    ["e99", "unknown_symbol", "e99", "e99 is not in the table.", range],
    [
      "a = a.limit(2)\na",
      "unbound_label",
      "a",
      "a is bound by this very line, line 1.",
      "bind it on a line above, or use another name",
    ],
    [
      "Boat(x)\nx = Boat",
      "unbound_label",
      "x",
      "x is bound on line 2, below its use.",
      'move line 2 above this one, or quote the word: "x"',
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });
});

describe("LANG-020: names of several catalogs", () => {
  test.each<SaidRow>([
    [
      "Boat",
      "ambiguous_entity",
      "Boat",
      "Boat is an entity of several catalogs.",
      "write e1 (quay) or e9 (yard)",
    ],
    [
      "quay.Boat",
      "unknown_name",
      "quay",
      neither("quay"),
      "write e1: entities stand without their catalog",
      "e1",
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayAndYard)).toEqual(statedBy(row));
  });

  test("names alone are told as names", () => {
    const names = fixtureExposure([["quay", "Boat", "Person"]], { notation: "names" });
    expect(saidOf("zzzzzz", names)).toMatchObject([
      { code: "unknown_name", correction: "Labels: none yet. Entities: Boat, Person" },
    ]);
  });
});
