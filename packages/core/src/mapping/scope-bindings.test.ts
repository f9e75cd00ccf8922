import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { capabilitySlots } from "./capability-slots.ts";
import { type PathSource, scopeBindings } from "./path-binding.ts";
import { viewOf } from "./capability-views.ts";

const VALUE = `v_${Array.from("str", (char) => char.codePointAt(0)?.toString(36)).join("_")}`;

interface Scope {
  readonly name: string;
  readonly required?: boolean;
  readonly inject?: string;
}

/** How the scope of a view is bound by the get of Lot, whose key is `key`, and what it takes of its caller. */
function boundBy(
  kind: string,
  key: readonly string[],
  scope: readonly Scope[],
  params: object = {},
) {
  const view = { mapping: { transport: "view", view: "v" } };
  const catalog = buildCatalog("lots", {
    entities: { Lot: { key, fields: { hall: "str", row: "str" } } },
    capabilities: {
      lot_view: { kind, entity: "Lot", params: { ...params }, ...view },
      lot_query: { kind: "query", entity: "Lot", params: { hall: "str" } },
    },
    more: {
      views: {
        v: {
          capability: "lot_view",
          entity: "Lot",
          scope: scope.map((each) => ({ required: true, value_ref: VALUE, ...each })),
          nodes: [{ id: "a", capability: "lot_query" }],
          output: {},
        },
      },
    },
  });
  const capability = catalog.cgs.capabilities.get("lot_view");
  const declared = capability && viewOf(catalog, capability);
  if (!capability || !declared) throw new Error("no view");
  return {
    sources: scopeBindings(catalog.cgs, capability, declared).map(({ source }) => source),
    slots: capabilitySlots(catalog, capability).slots.map(
      ({ name, required }) => `${name}${required ? "" : "?"}`,
    ),
  };
}

const identity: PathSource = { kind: "identity" };
const argument: PathSource = { kind: "argument" };

test.each<
  [string, string, readonly string[], readonly Scope[], readonly PathSource[], readonly string[]]
>([
  ["the id_field", "get", ["hall"], [{ name: "hall" }], [identity], []],
  ["`id`", "get", ["hall"], [{ name: "id" }], [identity], []],
  ["<entity>id", "get", ["hall"], [{ name: "lot_id" }, { name: "x" }], [identity, argument], ["x"]],
  ["the only one that is required", "get", ["hall"], [{ name: "x" }], [identity], []],
  [
    "one beside injected ones",
    "get",
    ["hall"],
    [{ name: "x" }, { name: "ui", inject: "session_ui_origin" }],
    [identity],
    [],
  ],
  [
    "parts of a key",
    "get",
    ["hall", "row"],
    [{ name: "row" }, { name: "hall" }],
    [
      { kind: "key", field: "row" },
      { kind: "key", field: "hall" },
    ],
    [],
  ],
  [
    "an optional one of the key's name",
    "get",
    ["hall"],
    [{ name: "hall", required: false }],
    [identity],
    [],
  ],
  ["nothing of a query", "query", ["hall"], [{ name: "hall" }], [argument], ["hall"]],
  ["nothing of a singleton", "singleton", ["hall"], [{ name: "x" }], [argument], ["x"]],
])("RUN-100: a get binds its identity to %s", (_name, kind, key, scope, sources, slots) => {
  expect(boundBy(kind, key, scope)).toEqual({ sources, slots });
});

test("declared parameters are required as the scope says; injected ones never", () => {
  const scope = [
    { name: "x" },
    { name: "y", inject: "session_ui_origin" },
    { name: "z", required: false },
  ];
  const params = { "x?": "str", y: "str", z: "str" };
  expect(boundBy("query", ["hall"], scope, params).slots).toEqual(["x", "y?", "z"]);
});
