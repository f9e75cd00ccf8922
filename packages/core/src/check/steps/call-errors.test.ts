import { describe, expect, test } from "vitest";
import { quayExposure } from "../../../test/fixture-exposure.ts";
import { saidOf, type SaidRow, statedBy } from "../../../test/said.ts";

const METHODS =
  "action: ping, send. create: create. delete: delete. get: get, get-twin. query: query, " +
  "query-owner. search: search. update: update. Relations: logs, owner, papers, twin, visits";

describe("LANG-024: a called name that is no method of the entity", () => {
  const noMethod = (name: string) => `${name} is no method, relation or operator of Boat.`;
  test.each<SaidRow>([
    [
      "Boat.owner()",
      "unknown_method",
      "owner",
      "owner is a relation of Boat, not a method.",
      "follow it without parentheses: .owner",
      "Boat.owner",
    ],
    [
      "Boat.owner(x=1)",
      "unknown_method",
      "owner",
      "owner is a relation of Boat, not a method.",
      "follow it without parentheses: .owner",
    ],
    ['Boat("b1").zzzz()', "unknown_method", "zzzz", noMethod("zzzz"), METHODS],
    [
      'Boat("b1").updat()',
      "unknown_method",
      "updat",
      noMethod("updat"),
      `use update. ${METHODS}`,
      'Boat("b1").update()',
    ],
    [
      'Boat("b1").e1()',
      "unknown_symbol",
      "e1",
      "e1 is an entity, a method stands here.",
      "use m1..m20",
    ],
    ['Boat("b1").m99()', "unknown_symbol", "m99", "m99 is not in the table.", "use m1..m20"],
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });
});

describe("LANG-025: what is called on one row, and what on the entity", () => {
  const needsRow = (name: string): readonly [string, string] => [
    `${name} is called on one row of Boat.`,
    `name the row: Boat("text").${name}()`,
  ];
  test.each<SaidRow>([
    ["Boat.ping()", "needs_target", "ping", ...needsRow("ping")],
    ["Boat => Boat.ping()", "needs_target", "ping", ...needsRow("ping")],
    ["Boat.get()", "needs_target", "get", ...needsRow("get")],
    ["Boat.get(id=x)", "needs_target", "get", ...needsRow("get"), "Boat(id=x)"],
    ["Boat.get(x)", "needs_target", "get", ...needsRow("get"), "Boat(x)"],
    ["Boat.get(name=x)", "needs_target", "get", ...needsRow("get")],
    [
      "Boat.update(id=x, name=y)",
      "needs_target",
      "update",
      ...needsRow("update"),
      "Boat(id=x).update(name=y)",
    ],
    [
      "Boat .update(id=x, name=y)",
      "needs_target",
      "update",
      ...needsRow("update"),
      "Boat(id=x) .update(name=y)",
    ],
    ["Boat.update(name=y)", "needs_target", "update", ...needsRow("update")],
    ["Boat.update(name=y, id=x)", "needs_target", "update", ...needsRow("update")],
    ["Boat.update(x, name=y)", "needs_target", "update", ...needsRow("update")],
    ["Boat.update(id=x)", "needs_target", "update", ...needsRow("update")],
    [
      'Boat("b1").create(name=x, owner=y)',
      "unknown_method",
      "create",
      "create is called on Boat itself, not on a row.",
      'write Boat.create(name="text", owner=Person("text"))',
    ],
    [
      "Boat{state=lost}.query-owner(owner=y)",
      "unknown_method",
      "query-owner",
      "query-owner is called on Boat itself, not on a row.",
      'write Boat.query-owner(owner=Person("text"))',
    ],
    [
      "late = Boat{state=lost}\nlate.ping()",
      "not_singleton",
      "late",
      "late holds many rows; ping takes one.",
      "run it once per row: late => Boat(_.id).ping(). For one row alone: late.limit(1)",
      "late = Boat{state=lost}\nlate => Boat(_.id).ping()",
    ],
    [
      "late = Boat{state=lost}\nlate  .send(to=a)",
      "not_singleton",
      "late",
      "late holds many rows; send takes one.",
      "run it once per row: late => Boat(_.id).send(to=a). For one row alone: late.limit(1)",
      "late = Boat{state=lost}\nlate => Boat(_.id).send(to=a)",
    ],
    [
      "v = Boat.visits\nv.get()",
      "not_singleton",
      "v",
      "v holds many rows; get takes one.",
      "run it once per row: v => Visit(boat=_.boat, day=_.day).get(). For one row alone: v.limit(1)",
      "v = Boat.visits\nv => Visit(boat=_.boat, day=_.day).get()",
    ],
    [
      "v = Boat.visits[fee, day]\nv.get()",
      "not_singleton",
      "v",
      "v holds many rows; get takes one.",
      "run it once per row: v => _.get(). For one row alone: v.limit(1)",
      "v = Boat.visits[fee, day]\nv => _.get()",
    ],
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });
});

describe("LANG-065: columns without order and equality", () => {
  const fitting = "use one of built, id, length, meta, name, note, owner, papers, state";
  const lists = (step: string, what: string): SaidRow => [
    `Boat.${step}`,
    "bad_column_type",
    "flags",
    `Rows cannot be ${what} by flags, which is [str].`,
    fitting,
  ];
  test.each<SaidRow>([
    lists("sort(flags)", "sorted"),
    lists("sort(name, flags)", "sorted"),
    lists("distinct(flags)", "told apart"),
    lists("distinct(name, flags)", "told apart"),
    lists("group_by(flags, n=count)", "grouped"),
  ])("%s", (...row) => {
    expect(saidOf(row[0], quayExposure)).toEqual(statedBy(row));
  });
});
