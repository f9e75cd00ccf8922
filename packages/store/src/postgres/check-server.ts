import type { Pool } from "pg";

/** The oldest major version that this is tried with, or near to it. */
const OLDEST = 14;

interface ServerFacts {
  /** like 180004 */
  readonly version: number;
  readonly encoding: string;
  readonly standby: boolean;
}

/** Why a server cannot hold the store; null if it can. */
export function unfit({ version, encoding, standby }: ServerFacts): string | null {
  const major = Math.floor(version / 10_000);
  if (major < OLDEST) return `it is PostgreSQL ${major}, and ${OLDEST} is the oldest that will do`;
  if (encoding !== "UTF8") {
    return `its encoding is ${encoding}: make the database with "create database NAME encoding 'UTF8' template template0"`;
  }
  return standby ? "it is a standby that cannot be written: name the primary" : null;
}

const FACTS = `select current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby`;

/** Connects, and throws if this is no server for the store. */
export async function checkServer(pool: Pool): Promise<void> {
  const { rows } = await pool.query<ServerFacts>(FACTS);
  const [facts] = rows;
  const why = facts === undefined ? "it does not say what it is" : unfit(facts);
  if (why !== null) throw new Error(why);
}
