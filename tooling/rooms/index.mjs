/** The map of the house as data: which package may import which, and the order of folders within one. */

const apps = ["mcp", "http", "cli", "console", "sample-apis", "playground", "site"];
const libraries = ["core", "runtime", "agent-core", "store"];

/** Directory of a package, from the root of the repository. */
export const room = (name) =>
  apps.includes(name)
    ? `apps/${name}`
    : ["e2e", "bench", "plugins", "catalogs"].includes(name)
      ? name
      : `packages/${name}`;

/** Other packages a package may import; its tests may import the testkit, too. */
export const packageImports = Object.freeze({
  core: [],
  runtime: ["core"],
  "agent-core": ["core", "runtime"],
  store: ["agent-core"],
  importers: ["core"],
  "transport-evm": ["core", "runtime"],
  // what it makes of tools has names as what is made of documents
  "transport-mcp": ["core", "runtime", "importers"],
  testkit: ["core"],
  "sample-apis": [],
  // it speaks to the HTTP API alone, and has the pure core in the page
  console: ["core"],
  // the engine in a page, shown by parts of the console
  playground: ["core", "runtime", "agent-core", "importers", "sample-apis", "console"],
  // it puts the built files of the playground into the site
  site: ["playground"],
  host: [...libraries, "transport-evm"],
  eval: ["core", "agent-core", "host"],
  mcp: ["core", "agent-core", "host"],
  http: ["core", "agent-core", "host"],
  // it starts the two servers as commands
  cli: [
    "core",
    "runtime",
    "importers",
    "transport-mcp",
    "plugins",
    "host",
    "mcp",
    "http",
    "console",
    // `plasm try` runs them beside the server
    "sample-apis",
    "eval",
  ],
  plugins: ["runtime"],
  catalogs: ["core", "runtime"],
  e2e: [...libraries, "host", ...apps, "importers", "catalogs", "testkit"],
  // e2e for the servers it starts
  bench: [...libraries, "importers", "host", "eval", ...apps, "testkit", "e2e", "catalogs"],
});

/** Packages of which a package may import types alone: of what a server answers, which they are the clients of. */
export const typeImports = Object.freeze({ console: ["agent-core"], cli: ["agent-core"] });

/** What the tests of a package may import besides that and the testkit. */
export const testImports = Object.freeze({ http: ["mcp"], cli: ["agent-core"] });

/** Folders (and files) directly under src/: each may import only those before it. */
export const folderOrder = Object.freeze({
  core: [
    "base",
    "diagnostics",
    "values",
    "model",
    "mapping",
    "templates",
    "catalog",
    "language",
    "policy",
    "symbols",
    "check",
    "plan",
    "teaching",
    "discovery",
    "index",
    "internal",
  ],
  runtime: [
    "base",
    "transport-reader",
    "ports",
    "registry",
    "transport",
    "request",
    "decode",
    "limits",
    "rows",
    "effects",
    "views",
    "overlays",
    "run",
    "recording",
    "testing",
    "index",
    "internal",
  ],
  "agent-core": [
    "keyed-lock",
    "records",
    "store-port",
    "ports",
    "meter",
    "answer",
    "errors",
    "outcome",
    "local-queue",
    "memory-store",
    "notices",
    "audit",
    "identity",
    "quotas",
    "registry",
    "session",
    "artifacts",
    "grafts",
    "trace",
    "program",
    "retention",
    "engine",
    "engine-context",
    "engine-calls",
    "middleware",
    "create-engine",
    "tools",
    "embed",
    "adapters",
    "testing",
    "index",
    "internal",
  ],
});

/** Packages that are published, in dependency order. */
export const published = Object.freeze([
  "packages/core",
  "packages/runtime",
  "packages/transport-evm",
  "packages/agent-core",
  "packages/store",
  "packages/importers",
  "plugins/gmail",
  "packages/host",
  "apps/mcp",
  "apps/http",
  "apps/cli",
  "catalogs",
]);
