import { describe, expect, test } from "vitest";
import { fixtureExposure } from "../../../test/fixture-exposure.ts";
import { planOf } from "../../../test/plan-of.ts";
import { saidOf, type SaidRow, statedBy } from "../../../test/said.ts";
import { wharf } from "../../../test/wharf-catalog.ts";

const METHODS = "get: get. query: query, query-dock. Relations: dock, hooks, twin";

describe("LANG-024: what a step that is no relation is instead", () => {
  test.each<SaidRow>([
    [
      "Crane.lost",
      "relation_unavailable",
      "lost",
      "The relation lost of Crane cannot be read.",
      "no list of Cask takes a reference to Crane",
    ],
    [
      'Crane("a").casks{id=x}',
      "relation_unavailable",
      "casks",
      "The relation casks of Crane cannot be read.",
      "no list of Cask takes a reference to Crane",
    ],
    [
      "Crane.get",
      "missing_call",
      "get",
      "get is a method of Crane and needs parentheses.",
      "write .get()",
    ],
    [
      "Crane.query-dock",
      "missing_call",
      "query-dock",
      "query-dock is a method of Crane and needs parentheses.",
      'write .query-dock(dock=Dock("text"))',
    ],
    [
      "Crane.kg",
      "not_navigable",
      "kg",
      "kg is a plain field of Crane, no step leads there.",
      "read it as a column, [kg]. Relations: dock, hooks, twin",
    ],
    [
      "Crane[id].kg",
      "not_navigable",
      "kg",
      "kg is a plain field of Crane, no step leads there.",
      "read it as a column, [kg]. Relations: dock, hooks, twin",
    ],
    [
      "Crane.group_by(kind, n=count).kind",
      "not_navigable",
      "kind",
      "kind is a plain field of these rows, no step leads there.",
      "read it as a column, [kind]. Relations: none",
    ],
    [
      "Crane.group_by(kind, n=count).twin",
      "relation_lost",
      "twin",
      "These rows have lost their identity, so .twin cannot be followed.",
      "follow .twin before .group_by(kind, n=count)",
    ],
    [
      "d = Crane => {n: _.kg}\nd.twin",
      "relation_lost",
      "twin",
      "These rows have lost their identity, so .twin cannot be followed.",
      "follow .twin before => {n: _.kg}",
    ],
    [
      "x = {a: 1}\nx.twin",
      "relation_lost",
      "twin",
      "These rows are written in the program and of no entity, so .twin leads nowhere.",
      "read their columns: a; or start from the rows of an entity",
    ],
    [
      "x = [1, 2]\nx.get()",
      "relation_lost",
      "get",
      "These rows are written in the program and of no entity, so .get leads nowhere.",
      "read their columns: value; or start from the rows of an entity",
    ],
    [
      "Crane.twn",
      "unknown_method",
      "twn",
      "twn is no method, relation or operator of Crane.",
      `use twin. ${METHODS}`,
      "Crane.twin",
    ],
    [
      "Crane.quuery",
      "unknown_method",
      "quuery",
      "quuery is no method, relation or operator of Crane.",
      `use query. ${METHODS}`,
    ],
    [
      "Crane.zzzzzz",
      "unknown_method",
      "zzzzzz",
      "zzzzzz is no method, relation or operator of Crane.",
      METHODS,
    ],
    [
      "Crane.where",
      "unknown_method",
      "where",
      "where is no operator here.",
      "write .filter{column=value}",
    ],
    [
      "Crane.e1",
      "unknown_symbol",
      "e1",
      "e1 is an entity, a field, relation or argument stands here.",
      "use p1..p36",
    ],
    [
      "Crane.m1",
      "unknown_symbol",
      "m1",
      "m1 is a method, a field, relation or argument stands here.",
      "use p1..p36",
    ],
    ["Crane.p99", "unknown_symbol", "p99", "p99 is not in the table.", "use p1..p36"],
  ])("%s", (...row) => {
    expect(saidOf(row[0], wharf)).toEqual(statedBy(row));
  });

  test("LANG-069: a relation to an entity that is not exposed says how to get it", () => {
    const row: SaidRow = ["Boat.owner", "not_exposed", "owner", "Person", "plasm_context"];
    const [said, ...more] = saidOf(row[0], fixtureExposure([["quay", "Boat"]]));
    expect(more).toEqual([]);
    expect(said).toMatchObject({ code: row[1], marks: row[2] });
    expect(said?.message).toContain(row[3]);
    expect(said?.correction).toContain(row[4]);
  });
});

describe("LANG-069: how many rows a step gives", () => {
  test.each<[string, "one" | "opt" | "many", string]>([
    ["Crane.twin", "many", "Crane"],
    ['Crane("a").twin', "opt", "Crane"],
    ['Crane("a").dock', "opt", "Dock"],
    ['Crane("a").dock.crane', "opt", "Crane"],
    ['Crane("a").twin{kg>3}', "opt", "Crane"],
    ['Crane("a").hooks', "many", "Hook"],
    ["Crane.hooks", "many", "Hook"],
    ["Crane.dock", "many", "Dock"],
  ])("%s", (program, card, entity) => {
    expect(planOf(program, wharf).nodes.at(-1)?.result).toMatchObject({ card, entity });
  });
});
