import { describe, expect, test } from "vitest";
import { fullPlan } from "../../test/bill-of.ts";
import { buildCatalog } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { renderPlan } from "./render/render-plan.ts";

const embedded = (path: string) => ({
  target: "Tree",
  cardinality: "many",
  materialize: { kind: "from_parent_get", path: [{ key: path }, { wildcard: true }] },
});

/** Groves whose trees stand in the rows of their reads; `get` is what their get declares, if there is one. */
const grove = (list: readonly string[] | null, get: readonly string[] | null | "none") =>
  exposureOf([
    buildCatalog("groves", {
      entities: {
        Grove: { fields: { id: "str", name: "str" }, relations: { trees: embedded("trees") } },
        Tree: { fields: { id: "str" }, more: { abstract: true } },
      },
      capabilities: {
        grove_query: {
          kind: "query",
          entity: "Grove",
          more: () => (list === null ? {} : { provides: list }),
        },
        ...(get === "none"
          ? {}
          : {
              grove_get: {
                kind: "get",
                entity: "Grove",
                more: () => (get === null ? {} : { provides: get }),
              },
            }),
      },
    }),
  ]);

const FIELDS = ["id", "name"];
const certain = grove(FIELDS, FIELDS);

describe("17.1 PLAN-020, RUN-050: the gets of a relation's parents are billed with it", () => {
  test("certain ones per source row, however far the rows have come", () => {
    for (const text of ["Grove.limit(3).trees", "Grove.sort(name).limit(3).trees"]) {
      const { summary, nodes } = fullPlan(text, certain);
      const { bill } = summary;
      expect(bill.requests).toEqual({ max: 4 });
      expect(bill.fan_out).toEqual({ max: 3 });
      expect(bill.hydration).toEqual({ certain: 3, possible: 0 });
      expect(bill.nodes[nodes.at(-1)?.id ?? ""]).toMatchObject({
        requests: { max: 3 },
        parents: "certain",
      });
      expect(summary.verdict).toBe("ok");
    }
  });

  test("possible ones where the list may hold them: no sum is promised", () => {
    for (const list of [null, [...FIELDS, "trees"]]) {
      const { bill } = fullPlan("Grove.limit(3).trees", grove(list, FIELDS)).summary;
      expect(bill.requests).toEqual({ exact: 1 });
      expect(bill.hydration).toEqual({ certain: 0, possible: 3 });
    }
  });

  test("none of a row that was read by its get", () => {
    const { bill } = fullPlan("Grove(a).trees", certain).summary;
    expect(bill.requests).toEqual({ exact: 1 });
    expect(bill.hydration).toEqual({ certain: 0, possible: 0 });
  });

  test("PLAN-021: parents of unknown number are a fan-out", () => {
    const { summary } = fullPlan("Grove.trees", certain);
    expect(summary.reasons).toMatchObject([{ code: "relation_fanout", severity: "expensive" }]);
  });

  test("RUN-023: a get beside them may be one of theirs, and promises nothing", () => {
    const { bill } = fullPlan("Grove.limit(3).trees\nGrove(a)", certain).summary;
    expect(bill.nodes["n3"]?.requests).toEqual({ max: 1 });
  });

  test("PLAN-040: the plan says so", () => {
    const text = (exposure: typeof certain): string =>
      renderPlan(fullPlan("Grove.limit(3).trees", exposure), "pc0").split("\n").at(-1) ?? "";
    expect(text(certain)).toBe("n2 relation groves.Grove.trees ← n1 · a get per row of n1");
    expect(text(grove(null, null))).toBe(
      "n2 relation groves.Grove.trees ← n1 · a get per row of n1 that lacks trees",
    );
    expect(text(grove(null, "none"))).toBe("n2 relation groves.Grove.trees ← n1");
  });
});
