declare module "vitest" {
  interface ProvidedContext {
    /** address of the server that all test files of a project share */
    readonly postgresUrl: string;
  }
}

/** The name by which tests `inject` the address of their server. */
export type PostgresUrlName = "postgresUrl";
