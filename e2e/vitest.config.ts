import { fileURLToPath } from "node:url";
import { preset } from "@plasm/vitest";

/** The file that Node gives to graphql-yoga: two copies of graphql do not take each other's schemas. */
const graphql = fileURLToPath(import.meta.resolve("graphql"));

/** One PostgreSQL for all files. */
const postgres = fileURLToPath(import.meta.resolve("@plasm/testkit/postgres-setup"));

// *.real.test.ts start third-party servers that are not npm packages: see vitest.real.config.ts.
export default preset({
  globalSetup: [postgres],
  // What a file starts, it ends; modules keep no state, so files may share what one of them has loaded.
  isolate: false,
  alias: [{ find: /^graphql$/, replacement: graphql }],
  exclude: ["**/node_modules/**", "**/dist/**", "**/*.real.test.ts"],
});
