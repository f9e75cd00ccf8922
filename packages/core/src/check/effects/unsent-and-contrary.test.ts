import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../test/build-catalog.ts";
import { toldErrors } from "../../../test/effect-args.ts";
import { exposureOf } from "../../../test/exposure-of.ts";
import { planOf } from "../../../test/plan-of.ts";
import { ALL_FEATURES } from "../../policy/features.ts";

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
