import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { canRun } from "./can-run.ts";
import { ALL_FEATURES, CURRENT_FEATURES, type Features } from "./features.ts";

const id = { type: "var", name: "id" };
const catalog = buildCatalog("shop", {
  entities: { Item: { fields: { id: "str" } } },
  capabilities: {
    item_query: { kind: "query", entity: "Item" },
    item_search: { kind: "search", entity: "Item", params: { q: "str" } },
    item_get: { kind: "get", entity: "Item" },
    item_delete: { kind: "delete", entity: "Item" },
    item_load: {
      kind: "get",
      entity: "Item",
      mapping: {
        transport: "graphql",
        method: "POST",
        path: [{ type: "literal", value: "graphql" }],
      },
    },
    item_owner: {
      kind: "get",
      entity: "Item",
      mapping: {
        transport: "evm_call",
        chain: 1,
        contract: { type: "const", value: "0x00000000000000000000000000000000000000aa" },
        function: "function ownerOf(uint256 id) view returns (uint256 id)",
        args: [id],
        decode: { id: { type: "output", index: 0 } },
      },
    },
    item_edit: {
      kind: "query",
      entity: "Item",
      more: () => ({
        input_schema: {
          input_type: {
            type: "union",
            variants: [{ name: "a", wire: { field: "op", value: "a" }, fields: [] }],
          },
        },
      }),
    },
  },
});

function runnable(features: Features): readonly string[] {
  return [...catalog.cgs.capabilities.values()]
    .filter((capability) => canRun(features, catalog, capability))
    .map(({ name }) => name);
}

test("an engine with everything runs everything", () => {
  expect(runnable(ALL_FEATURES)).toEqual([...catalog.cgs.capabilities.keys()]);
});

test.each([
  ["search", ["item_search"]],
  ["effects", ["item_delete"]],
  ["graphql", ["item_load"]],
  ["evm", ["item_owner"]],
  ["unions", ["item_edit"]],
  ["templates", []],
] as const)("without %s these cannot run: %j (TEACH-24)", (feature, missing) => {
  const left = runnable({ ...ALL_FEATURES, [feature]: false });
  expect(runnable(ALL_FEATURES).filter((name) => !left.includes(name))).toEqual(missing);
});

test("what is off today is off for the whole engine: one frozen value", () => {
  expect(Object.isFrozen(CURRENT_FEATURES)).toBe(true);
  expect(Object.keys(CURRENT_FEATURES).sort()).toEqual(Object.keys(ALL_FEATURES).sort());
});
