import { randomBytes } from "node:crypto";
import pg from "pg";

/** A database of a test's own. */
export interface TestDatabase {
  /** `postgres://USER:PASSWORD@HOST:PORT/NAME` */
  readonly url: string;
  readonly name: string;
  /** Ends whoever is still connected to it. */
  drop(): Promise<void>;
}

/** Runs statements on a server or one of its databases, and gives the rows of the last. */
export async function runSql(
  url: string,
  ...statements: readonly string[]
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: readonly Record<string, unknown>[] = [];
    for (const statement of statements) {
      const result = await client.query<Record<string, unknown>>(statement);
      rows = result.rows;
    }
    return rows;
  } finally {
    await client.end();
  }
}

/** Makes an empty database; `more` is what `create database` takes, like an encoding. */
export async function createDatabase(serverUrl: string, more = ""): Promise<TestDatabase> {
  const name = `plasm_${randomBytes(6).toString("hex")}`;
  await runSql(serverUrl, `create database ${name} template template0 ${more}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    drop: async () => void (await runSql(serverUrl, `drop database ${name} with (force)`)),
  };
}
