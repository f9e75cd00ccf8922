import { describe, expect, test } from "vitest";
import { buildCatalog, type CapabilitySpec } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { codesOf, planOf } from "../../test/plan-of.ts";
import { teach } from "../../test/teach.ts";
import type { Catalog } from "../mapping/template.ts";
import { renderPlan } from "./render/render-plan.ts";
import { ALL_FEATURES } from "../policy/policy.ts";

/** What differs between the catalogs of these tests. */
interface Parts {
  readonly scope?: readonly object[];
  readonly nodes?: readonly object[];
  readonly relation?: object;
  readonly more?: Readonly<Record<string, CapabilitySpec>>;
  readonly parameters?: Readonly<Record<string, string>>;
}

const VIEW = { mapping: { transport: "view", view: "summary" } } as const;
const scoped = { kind: "scope", param: "grove" };
const node = (id: string, capability: string, bind: object = {}) => ({ id, capability, bind });
const field = (of: string) => ({ kind: "node_field", node: of, field: "id" });

/** Trees of groves, and a summary of a grove as a view. */
function forest(parts: Parts): Catalog {
  const relation = { target: "Tree", cardinality: "many", ...parts.relation };
  const get = { kind: "get", entity: "Tree" } as const;
  return buildCatalog("forest", {
    entities: {
      Tree: { fields: { id: "str", height: "num", keeper: "→Keeper" } },
      Keeper: { fields: { id: "str" } },
      Summary: {
        key: ["grove"],
        fields: { grove: "str", n: "int" },
        relations: { trees: relation },
      },
    },
    capabilities: {
      tree_query: { kind: "query", entity: "Tree", params: { "grove?": "str" }, paged: true },
      tree_all: { kind: "query", entity: "Tree", params: { grove: "str" } },
      tree_get: get,
      tree_roots: { ...get },
      keeper_get: { kind: "get", entity: "Keeper" },
      summary_query: {
        kind: "query",
        entity: "Summary",
        params: parts.parameters ?? { grove: "str" },
        ...VIEW,
      },
      summary_get: { kind: "get", entity: "Summary", ...VIEW },
      ...parts.more,
    },
    more: {
      views: {
        summary: {
          capability: "summary_query",
          entity: "Summary",
          scope: parts.scope ?? [{ name: "grove", value_ref: VALUE, required: true }],
          nodes: parts.nodes ?? [node("all", "tree_query", { grove: scoped })],
          output: { grove: scoped, n: { kind: "node_row_count", node: "all" } },
          relation_outputs: [
            {
              relation: "trees",
              target: "Tree",
              cardinality: "many",
              binding: { kind: "node_all_rows", node: "all" },
            },
          ],
        },
      },
    },
  });
}

/** The name buildCatalog gives the value of type `str`. */
const VALUE = `v_${Array.from("str", (char) => char.codePointAt(0)?.toString(36)).join("_")}`;

const exposed = (parts: Parts = {}) => exposureOf([forest(parts)]);

describe("RUN-100: a view is planned like any other read", () => {
  test("as query and get, by the view's capability", () => {
    const [query] = planOf('Summary{grove="a"}', exposed()).nodes;
    expect(query).toMatchObject({
      kind: "query",
      capability: "summary_query",
      args: { grove: { lit: "a" } },
    });
    const [get] = planOf('Summary("a")', exposed()).nodes;
    expect(get).toMatchObject({
      kind: "get",
      capability: "summary_get",
      key: { grove: { lit: "a" } },
    });
  });

  test("what the scope requires, its caller gives, whatever the parameter says", () => {
    const optional = exposed({ parameters: { "grove?": "str" } });
    expect(codesOf("Summary", optional)).toEqual(["capability_unsatisfied 1:1"]);
    const undeclared = exposed({ parameters: {} });
    expect(codesOf("Summary.query()", undeclared)).toEqual(["argument_missing 1:15"]);
    expect(planOf('Summary{grove="a"}', undeclared).nodes[0]).toMatchObject({
      args: { grove: { lit: "a" } },
    });
  });

  test("what the session gives, its caller need not", () => {
    const scope = [
      { name: "grove", value_ref: VALUE, required: true, inject: "session_ui_origin" },
    ];
    expect(planOf("Summary", exposed({ scope })).nodes[0]).toMatchObject({ args: {} });
  });
});

describe("RUN-051, RUN-100: relations that views fill", () => {
  const via = (parts: Parts, text = 'Summary("a").trees') =>
    planOf(text, exposed(parts)).nodes.at(-1);
  const list: CapabilitySpec = {
    kind: "query",
    entity: "Tree",
    params: { summary: "→Summary" },
    roles: { summary: "scope" },
  };
  const other: CapabilitySpec = { kind: "query", entity: "Summary", params: { year: "int" } };

  test("where every read is such a view, the rows are in hand", () => {
    for (const relation of [{}, { materialize: { kind: "unavailable" } }]) {
      expect(via({ relation })).toMatchObject({ via: "view", capability: null, source: "n1" });
    }
    expect(via({ more: { tree_of: list } })).toMatchObject({ via: "view" });
  });

  test("where others read it too, the relation's own list goes first", () => {
    expect(via({ more: { summary_year: other, tree_of: list } })).toMatchObject({
      via: "query_scoped",
      capability: "tree_of",
    });
    expect(via({ more: { summary_year: other } })).toMatchObject({ via: "view" });
  });
});

describe("PLAN-020: a view costs the sum of its nodes", () => {
  const cost = (parts: Parts) => planOf('Summary("a")', exposed(parts)).summary.bill.nodes["n1"];
  const all = node("all", "tree_all", { grove: scoped });

  test.each<[string, readonly object[], object]>([
    ["an unpaged list", [all], { exact: 1 }],
    ["a paged list, of ten pages at most", [node("all", "tree_query")], { max: 10 }],
    [
      "a list and two gets",
      [
        all,
        node("b", "tree_get", { id: field("all") }),
        node("c", "tree_roots", { id: field("all") }),
      ],
      { exact: 3 },
    ],
    ["nodes that may ask the same", [all, node("b", "tree_all", { grove: scoped })], { max: 2 }],
  ])("%s", (_name, nodes, requests) => {
    expect(cost({ nodes })).toMatchObject({ requests, rows: { exact: 1 } });
  });

  test("times what asks it", () => {
    const text = 'k = Summary{grove in ["a","b","c"]}\nk';
    const { bill } = planOf(text, exposed({ nodes: [all] })).summary;
    expect(bill.nodes["n1"]).toMatchObject({ requests: { max: 3 }, rows: { max: 3 } });
  });
});

describe("PLAN-020, PLAN-040: views among other nodes", () => {
  test("a get that completes rows and is a view costs what it sends", () => {
    const named: CapabilitySpec = {
      kind: "query",
      entity: "Summary",
      params: { year: "int" },
      more: () => ({ provides: ["grove"] }),
    };
    const text = "Summary.year(year=1).limit(4)[grove,n]";
    const { bill } = planOf(text, exposed({ more: { summary_year: named } })).summary;
    expect(bill.nodes["n1"]).toMatchObject({ requests: { max: 41 }, hydration: "certain" });
  });

  test("its line says what it sends", () => {
    const line = (nodes: readonly object[], text: string) =>
      renderPlan(planOf(text, exposed({ nodes })), "pc0")
        .split("\n")
        .find((each) => each.startsWith("n1"));
    const paged = node("all", "tree_query", { grove: scoped });
    const get = node("b", "tree_get", { id: field("all") });
    expect(line([paged], 'Summary{grove="a"}')).toBe(
      "n1 query forest.Summary query(grove=a) · ≤1 rows · ≤10 pages",
    );
    expect(line([paged, get], 'Summary{grove="a"}')).toBe(
      "n1 query forest.Summary query(grove=a) · ≤1 rows · ≤11 requests",
    );
    expect(line([paged, get], 'Summary("a")')).toBe(
      "n1 get forest.Summary get(grove=a) · ≤11 requests",
    );
  });
});

describe("TEACH-24, SURF-25: a view is only what its nodes are", () => {
  const untaught = (options: Parameters<typeof teach>[2]) => {
    const catalog = forest({});
    const { waves } = teach(new Map([["forest", catalog]]), [[["forest", "Summary"]]], options);
    return waves[0]?.untaught;
  };

  test("one whose node policy denies is hidden with it", () => {
    const policy = { apis: { forest: { deny: ["tree_query"] } } };
    expect(untaught({ policy })).toEqual([
      { capability: "summary_get", reason: "policy" },
      { capability: "summary_query", reason: "policy" },
    ]);
    const hidden = { ...exposed(), policy };
    expect(codesOf('Summary("a")', hidden)).toEqual(["policy_denied 1:1"]);
  });

  test("an engine without views teaches none", () => {
    expect(untaught({ features: { ...ALL_FEATURES, views: false } })).toEqual([
      { capability: "summary_get", reason: "not_plannable" },
      { capability: "summary_query", reason: "not_plannable" },
    ]);
    expect(untaught({})).toEqual([]);
  });
});
