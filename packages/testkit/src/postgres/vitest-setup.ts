import type { TestProject } from "vitest/node";
import { startPostgres } from "./start-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** address of the server that all test files of a project share */
    readonly postgresUrl: string;
  }
}

/** A `globalSetup` of vitest: one PostgreSQL for a whole run; tests get its address by `inject`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgresUrl", server.url);
  return () => server.stop();
}
