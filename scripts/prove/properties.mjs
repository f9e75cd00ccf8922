/**
 * The modules whose `properties` are proved at length, with the sources that they speak of; `goal` where a run
 * is so much work (whole catalogs written, loaded and taught) that another number of runs is due.
 */
export const propertyModules = Object.freeze([
  { path: "packages/core/test/properties/texts.ts", speaksOf: ["packages/core/src"] },
  { path: "packages/core/test/properties/growth.ts", speaksOf: ["packages/core/src"] },
  {
    // Each is a whole command, with files and a server of its own.
    path: "apps/cli/src/testing/growth/properties.ts",
    speaksOf: ["apps/cli/src", "packages/core/src", "packages/importers/src"],
    goal: 20_000,
  },
  {
    path: "apps/mcp/src/testing/growth/properties.ts",
    speaksOf: ["apps/mcp/src", "packages/host/src", "packages/agent-core/src", "packages/core/src"],
    goal: 20_000,
  },
  {
    // Twenty-five attempts each, on both surfaces.
    path: "e2e/src/gate/attempts.ts",
    speaksOf: ["packages/agent-core/src", "apps/mcp/src", "apps/http/src"],
    goal: 400,
  },
  { path: "packages/core/test/properties/commits.ts", speaksOf: ["packages/core/src"] },
  { path: "packages/core/test/properties/notations.ts", speaksOf: ["packages/core/src"] },
  { path: "packages/core/test/properties/taught-rows.ts", speaksOf: ["packages/core/src"] },
  {
    path: "packages/core/test/properties/catalog-files.ts",
    speaksOf: ["packages/core/src"],
    goal: 2_000,
  },
  {
    path: "packages/agent-core/test/properties/result-text.ts",
    speaksOf: ["packages/core/src", "packages/agent-core/src"],
  },
  {
    path: "packages/runtime/test/properties/performed.ts",
    speaksOf: ["packages/core/src", "packages/runtime/src"],
  },
  {
    path: "packages/runtime/test/properties/billed.ts",
    speaksOf: ["packages/core/src", "packages/runtime/src"],
  },
  {
    path: "packages/runtime/test/properties/paired.ts",
    speaksOf: ["packages/core/src", "packages/runtime/src"],
  },
  {
    path: "packages/runtime/test/properties/computed.ts",
    speaksOf: ["packages/core/src", "packages/runtime/src"],
  },
  {
    path: "e2e/src/engine/performed/performed-reported.ts",
    speaksOf: ["packages/agent-core/src", "packages/runtime/src", "packages/store/src"],
  },
  {
    path: "e2e/src/engine/static/static-reasons.ts",
    speaksOf: ["packages/core/src", "packages/agent-core/src", "packages/runtime/src"],
  },
  {
    path: "e2e/src/oracle/oracle-holds.ts",
    speaksOf: ["packages/core/src", "packages/agent-core/src", "packages/runtime/src"],
  },
  {
    // Twenty steps a run: 100,000 steps on each store.
    path: "e2e/src/engine/model/sessions-hold.ts",
    speaksOf: ["packages/core/src", "packages/agent-core/src", "packages/store/src"],
    goal: 5_000,
  },
]);
