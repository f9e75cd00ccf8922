import type { TestProject } from "vitest/node";
import type {} from "./provided.ts";
import { startPostgres } from "./start-postgres.ts";

/** A `globalSetup` of vitest: one PostgreSQL for a whole run; tests get its address by `inject`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return () => server.stop();
}
