import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { exposureOf } from "../../test/exposure-of.ts";
import { fullPlan } from "../../test/bill-of.ts";
import { type AnchorUse, anchorUse, sentKeyParts } from "./anchors.ts";
import { fixtureCatalog } from "../../test/fixture-catalogs.ts";
import { millCatalog } from "../../test/mill-catalog.ts";
import { capabilitySlots } from "./capability-slots.ts";
import type { Catalog } from "./template.ts";
import { takesUndeclared } from "./argument-limits.ts";

const path = (...segments: readonly string[]) =>
  segments.map((each) =>
    each.startsWith("$") ? { type: "var", name: each.slice(1) } : { type: "literal", value: each },
  );
const sent = (...names: readonly string[]) => ({
  type: "object",
  fields: names.map((name) => [name, { type: "var", name }]),
});

/** The get of an account whose key is `key`, mapped so. */
function account(mapping: object, key: readonly string[] = ["id"], params = {}) {
  const catalog = buildCatalog("bank", {
    entities: { Account: { key, fields: { id: "str", bank: "str", name: "str" } } },
    capabilities: { account_own: { kind: "get", entity: "Account", params, mapping } },
  });
  const capability = catalog.cgs.capabilities.get("account_own");
  if (capability === undefined) throw new Error("no get");
  return { catalog, capability };
}

describe("17.2 RUN-042: whether the request of a get depends on the key", () => {
  test.each<[string, boolean, object, (readonly string[])?, object?]>([
    ["no variable", false, { method: "GET", path: path("me"), response: "single" }],
    ["no variable, no response declared", false, { method: "GET", path: path("me") }],
    [
      "optional parameters alone",
      false,
      { method: "GET", path: path("me"), query: sent("expand") },
      ["id"],
      { "expand?": "str" },
    ],
    [
      "a GraphQL operation without variables, its row under a path",
      false,
      {
        transport: "graphql",
        method: "POST",
        path: path("graphql"),
        body: {
          type: "object",
          fields: [["query", { type: "const", value: "{ viewer { id } }" }]],
        },
        response: { items_path: ["data", "viewer"] },
      },
    ],
    ["the key in the path", true, { method: "GET", path: path("accounts", "$id") }],
    [
      "a path variable that can only mean it",
      true,
      { method: "GET", path: path("accounts", "$no") },
    ],
    ["the key in the query", true, { method: "GET", path: path("account"), query: sent("id") }],
    [
      "the key in the body of an operation",
      true,
      { transport: "graphql", method: "POST", path: path("graphql"), body: sent("id") },
    ],
    ["the key in a header", true, { method: "GET", path: path("account"), headers: sent("id") }],
    ["a part of the key", true, { method: "GET", path: path("$bank", "own") }, ["bank", "id"]],
    [
      "the key chooses of all rows that came",
      true,
      { method: "GET", path: path("accounts"), response: { items: "rows" } },
    ],
    [
      "a parameter that must be given",
      true,
      { method: "GET", path: path("own"), query: sent("bank") },
      ["id"],
      { bank: "str" },
    ],
  ])("%s: %s", (_name, needsIdentity, mapping, key, params) => {
    expect(account(mapping, key, params).capability.needsIdentity).toBe(needsIdentity);
  });

  test("the parts of a key that are sent", () => {
    const parts = (mapping: object, key?: readonly string[]): readonly string[] => {
      const { catalog, capability } = account(mapping, key);
      return [...sentKeyParts(catalog, capability)];
    };
    const key = ["bank", "id"];
    expect(parts({ method: "GET", path: path("$bank", "own") }, key)).toEqual(["bank"]);
    expect(parts({ method: "GET", path: path("$bank", "$id") }, key)).toEqual(["bank", "id"]);
    expect(parts({ method: "GET", path: path("x", "$no") })).toEqual(["id"]);
    expect(parts({ method: "GET", path: path("me") })).toEqual([]);
  });
});

test("17.2 a singleton is called by its label; a key is refused, and the label named", () => {
  const { catalog } = account({ method: "GET", path: path("me") });
  const exposure = exposureOf([catalog]);
  const { nodes } = fullPlan("Account.own()", exposure);
  expect(nodes).toMatchObject([{ kind: "get", capability: "account_own", key: {} }]);
  expect(() => fullPlan('Account("a1")', exposure)).toThrow("Account.own()");
});

function capability(catalog: Catalog, name: string) {
  const found = catalog.cgs.capabilities.get(name);
  if (found === undefined) throw new Error(name);
  return found;
}

test.each<[string, AnchorUse, string]>([
  ["sack_query", "never", "lists"],
  ["sack_pack", "never", "creates"],
  ["lid_create", "never", "creates whose path names another row"],
  ["sack_get", "required", "gets by key"],
  ["sack_set", "required", "a path variable"],
  ["lid_delete", "required", "path variables of a compound key"],
  ["sack_rest", "optional", "nothing of the row is read"],
  ["sack_stamp", "optional", "the key is an argument"],
  ["sack_touch", "required", "the key is read and no argument"],
  ["sack_mill", "required", "the row is read before"],
])("%s is called on a row: %s, by %s (TEACH-34, TEACH-35)", (name, use) => {
  expect(anchorUse(millCatalog, capability(millCatalog, name))).toBe(use);
});

test.each([
  ["sack_stamp", ["id", "mark"]],
  ["sack_set", ["label", "kg", "code", "from", "to"]],
  ["lid_create", ["no", "label", "sack_id"]],
])("the arguments of %s: what a row may give stays one where none is needed", (name, slots) => {
  const found = capabilitySlots(millCatalog, capability(millCatalog, name)).slots;
  expect(found.map((slot) => slot.name)).toEqual(slots);
});

test("undeclared arguments are taken where the whole input is sent and nothing forbids them (RUN-013)", () => {
  const taking = [...millCatalog.cgs.capabilities.values()]
    .filter((each) => takesUndeclared(millCatalog, each))
    .map(({ name }) => name);
  expect(taking).toEqual(["sack_free"]);
  const depot = fixtureCatalog("depot");
  expect(takesUndeclared(depot, capability(depot, "harvest_accept"))).toBe(false);
});
