import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../test/build-catalog.ts";
import { toldErrors } from "../../../test/effect-args.ts";
import { exposureOf } from "../../../test/exposure-of.ts";
import { planOf } from "../../../test/plan-of.ts";
import { ALL_FEATURES } from "../../policy/policy.ts";

const settings = { features: ALL_FEATURES };
const v = (name: string): object => ({ type: "var", name });
const post = (path: readonly object[], ...names: readonly string[]): object => ({
  method: "POST",
  path,
  body: { type: "object", fields: names.map((name) => [name, v(name)]) },
});
const literal = (value: string): object => ({ type: "literal", value });

/** A pier whose effects name their row in every way, and one that never sends what it requires. */
const pier = exposureOf([
  buildCatalog("pier", {
    entities: {
      Boat: { fields: { id: "str", name: "str", twin: "→Boat" } },
    },
    capabilities: {
      boat_query: { kind: "query", entity: "Boat" },
      boat_get: { kind: "get", entity: "Boat" },
      boat_send: {
        kind: "action",
        entity: "Boat",
        params: { boat: "→Boat", note: "str" },
        mapping: post([literal("boats"), v("boat"), literal("send")], "note"),
      },
      boat_tow: {
        kind: "action",
        entity: "Boat",
        params: { other: "→Boat" },
        mapping: post([literal("boats"), v("id"), literal("tow")], "other"),
      },
      boat_retwin: {
        kind: "update",
        entity: "Boat",
        params: { "twin?": "→Boat" },
        mapping: post([literal("boats"), v("id")], "twin"),
      },
      boat_rig: {
        kind: "action",
        entity: "Boat",
        params: { "sail?": "str", "rope?": "str" },
        mapping: post([literal("boats"), v("id"), literal("rig")], "sail"),
      },
      boat_moor: {
        kind: "action",
        entity: "Boat",
        params: { berth: "str", "rope?": "str" },
        mapping: post([literal("boats"), v("id"), literal("moor")]),
      },
    },
  }),
]);

const plannedKinds = (program: string): readonly string[] =>
  planOf(program, pier, settings).nodes.map(({ kind }) => kind);

describe("17.12 RUN-010: an argument that says another row than the one the call is on", () => {
  test.each<[string, string]>([
    ['Boat("b1").send(boat=Boat("b2"), note=x)', 'Boat("b2")'],
    ['Boat("b1").send(boat=b2, note=x)', "b2"],
    ['b = Boat("b1")\nb.send(boat=Boat("b2"), note=x)', 'Boat("b2")'],
    ['b = Boat("b1")\nc = Boat("b2")\nb.send(boat=c, note=x)', "c"],
  ])("%s", (program, marks) => {
    const [error, ...others] = toldErrors(program, pier);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "argument_invalid", marks, suggests: null });
    expect(error?.says).toContain("boat is b2, but send is called on b1.");
  });

  test.each([
    'Boat("b1").send(boat=Boat("b1"), note=x)',
    'b = Boat("b1")\nb.send(boat=b, note=x)',
    'Boat("b1").tow(other=Boat("b2"))',
    'Boat("b1").retwin(twin=Boat("b2"))',
    'b = Boat{name=x}.limit(1)\nBoat("b1").send(boat=b, note=x)',
  ])("nothing is wrong with %s", (program) => {
    expect(plannedKinds(program).length).toBeGreaterThan(0);
  });
});

describe("17.12 MAP-004: an argument that an effect requires and never sends", () => {
  test.each(['Boat("b1").moor(berth=x)', 'Boat("b1").moor()', "Boat => Boat(_.id).moor(berth=x)"])(
    "%s",
    (program) => {
      const [error, ...others] = toldErrors(program, pier);
      expect(others).toEqual([]);
      expect(error).toMatchObject({ code: "capability_unsatisfied", marks: "moor" });
      expect(error?.says).toBe(
        "moor requires berth, and its request has no place for it: it would never be sent. " +
          "the catalog pier is wrong there: tell who maintains it; no program can call moor rightly",
      );
    },
  );
});

test("17.12 MAP-004 an optional argument that is never sent is not one", () => {
  expect(plannedKinds('Boat("b1").rig(sail=x)')).toEqual(["action"]);
  const [error] = toldErrors('Boat("b1").rig(rope=x)', pier);
  expect(error).toMatchObject({ code: "argument_unknown", marks: "rope" });
  expect(error?.says).toContain("sail");
});

describe("17.12 MAP-004: wherever a request has places, and where it only seems to have one", () => {
  const object = (...fields: readonly (readonly [string, object])[]): object => ({
    type: "object",
    fields,
  });
  const fixed = (value: unknown): object => ({ type: "const", value });
  const given = (whenGiven: object): object => ({
    type: "if",
    condition: { type: "exists", var: "word" },
    then_expr: whenGiven,
    else_expr: fixed("none"),
  });
  const boat = [literal("boats"), v("id")];
  const graphql = (query: string, ...fields: readonly (readonly [string, object])[]): object => ({
    transport: "graphql",
    method: "POST",
    path: [literal("graphql")],
    body: object(["query", fixed(query)], ["variables", object(...fields)]),
    response: "single",
  });

  const exposureWith = (mapping: object) =>
    exposureOf([
      buildCatalog("pier", {
        entities: { Boat: { fields: { id: "str", name: "str" } } },
        capabilities: {
          boat_query: { kind: "query", entity: "Boat" },
          boat_get: { kind: "get", entity: "Boat" },
          boat_mark: { kind: "action", entity: "Boat", params: { word: "str" }, mapping },
        },
      }),
    ]);
  const program = 'Boat("b1").mark(word="red")';

  test.each<[string, object]>([
    ["path", { method: "POST", path: [...boat, v("word")] }],
    ["query", { method: "POST", path: boat, query: object(["word", v("word")]) }],
    ["headers", { method: "POST", path: boat, headers: object(["X-Word", v("word")]) }],
    ["body", { method: "POST", path: boat, body: object(["word", v("word")]) }],
    [
      "form",
      {
        method: "POST",
        path: boat,
        body: object(["word", v("word")]),
        body_format: "form_urlencoded",
      },
    ],
    [
      "multipart",
      {
        method: "POST",
        path: boat,
        body_format: "multipart",
        multipart: { parts: [{ name: "word", content: v("word") }] },
      },
    ],
    ["nested list", { method: "POST", path: boat, body: { type: "array", elements: [v("word")] } }],
    [
      "text of a format",
      {
        method: "POST",
        path: boat,
        body: object(["say", { type: "format", template: "a {word}", vars: { word: v("word") } }]),
      },
    ],
    ["branch", { method: "POST", path: boat, body: object(["word", given(v("word"))]) }],
    [
      "condition on its value",
      {
        method: "POST",
        path: boat,
        body: object([
          "red",
          {
            type: "if",
            condition: { type: "equals", left: v("word"), right: fixed("red") },
            then_expr: fixed(true),
            else_expr: fixed(false),
          },
        ]),
      },
    ],
    [
      "variable of GraphQL",
      graphql(
        "mutation($id: ID!, $w: String) { mark(id: $id, word: $w) { id } }",
        ["id", v("id")],
        ["w", v("word")],
      ),
    ],
    [
      "member of a variable of GraphQL",
      graphql("mutation($input: In!) { mark(input: $input) { id } }", [
        "input",
        object(["id", v("id")], ["word", v("word")]),
      ]),
    ],
  ])("sent in its %s", (_, mapping) => {
    expect(planOf(program, exposureWith(mapping), settings).nodes).toHaveLength(1);
  });

  test.each<[string, object]>([
    ["no place at all", { method: "POST", path: boat }],
    [
      "nothing but the question whether it is there",
      { method: "POST", path: boat, body: object(["word", given(fixed("some"))]) },
    ],
    [
      "the read behind the effect alone",
      {
        method: "POST",
        path: boat,
        response: {
          single: true,
          auxiliary_merge: {
            method: "GET",
            path: [...boat, literal("words")],
            query: object(["word", v("word")]),
            from_path: ["word"],
            into_key: "name",
          },
        },
      },
    ],
    [
      "a variable that the operation of GraphQL does not declare",
      graphql("mutation($id: ID!) { mark(id: $id) { id } }", ["id", v("id")], ["word", v("word")]),
    ],
  ])("refused: %s", (_, mapping) => {
    const [error, ...others] = toldErrors(program, exposureWith(mapping));
    expect(others).toEqual([]);
    expect(error).toMatchObject({ code: "capability_unsatisfied", marks: "mark" });
    expect(error?.says).toContain("mark requires word, and its request has no place for it");
  });
});
