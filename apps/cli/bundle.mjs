/** Makes `plasm` one file: `dist/plasm.mjs`, or in the directory given. */
import { bundle } from "@plasm/bundle";

const [dist = `${import.meta.dirname}/dist`] = process.argv.slice(2);

/**
 * Half of the whole, and no start over stdio needs it: network, token counts, PostgreSQL, the client of MCP servers, the reader of GraphQL,
 * what editors get, the APIs of tasks, what makes catalogs of documents (in a thread, where they are large), and the machine that runs JavaScript of models.
 */
const parts = [
  "undici",
  "gpt-tokenizer/encoding/o200k_base",
  "pg",
  "pg-boss",
  "@plasm/transport-mcp",
  "@plasm/importers",
  "graphql",
  "quickjs-emscripten-core",
  "@jitl/quickjs-singlefile-cjs-release-sync",
  "@plasm/sample-apis/github",
  "@plasm/sample-apis/shop",
  "@plasm/core/schemas/domain.schema.json",
  "@plasm/core/schemas/mappings.schema.json",
];

/** Nobody asks zod for its messages in another language. */
const instead = { "zod/v4/locales/index.js": 'export { default as en } from "./en.js";' };

await bundle({
  directory: import.meta.dirname,
  entry: "src/start.ts",
  name: "plasm",
  parts,
  instead,
  dist,
});
