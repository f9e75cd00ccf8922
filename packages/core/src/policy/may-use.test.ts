import { expect, test } from "vitest";
import type { Capability } from "../model/model.ts";
import { canRun, mayUseApi, mayUseCapability } from "./may-use.ts";
import { ALL_FEATURES, CURRENT_FEATURES, type Features, type Policy } from "./policy.ts";
import { buildCatalog } from "../../test/build-catalog.ts";

/** The policy of SURF-25's example. */
const policy: Policy = {
  apis: {
    orchard: { deny: ["tree_delete"], approval: { operator: ["delete"] } },
    depot: { effects: false },
  },
};
const capability = (name: string, kind: Capability["kind"]) => ({ name, kind });

test.each([
  ["orchard", true],
  ["depot", true],
  ["quay", false],
  ["toString", false],
])("mayUseApi(%s): catalogs not named are forbidden (SURF-25)", (entryId, allowed) => {
  expect(mayUseApi(policy, entryId)).toBe(allowed);
});

test("without apis all catalogs are allowed, and effects too (SURF-25)", () => {
  expect(mayUseApi({}, "quay")).toBe(true);
  expect(mayUseCapability({}, "quay", capability("boat_delete", "delete"))).toBe(true);
});

test.each([
  ["orchard", "tree_delete", "delete", false],
  ["orchard", "tree_create", "create", true],
  ["orchard", "tree_query", "query", true],
  ["depot", "tree_delete", "delete", false],
  ["depot", "harvest_accept", "action", false],
  ["depot", "crate_create", "create", false],
  ["depot", "crate_update", "update", false],
  ["depot", "crate_get", "get", true],
  ["depot", "crate_search", "search", true],
  ["quay", "boat_get", "get", false],
] as const)("mayUseCapability(%s, %s) (SURF-25)", (entryId, name, kind, allowed) => {
  expect(mayUseCapability(policy, entryId, capability(name, kind))).toBe(allowed);
});

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
