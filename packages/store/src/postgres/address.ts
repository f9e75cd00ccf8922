import type { ClientConfig } from "pg";
import { StoreUnavailableError } from "../store-unavailable-error.ts";

/** Where a database is, without the password: what messages may say. */
export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

const FORM = "postgres://USER:PASSWORD@HOST:PORT/DATABASE";

const misshapen = (why: string): StoreUnavailableError =>
  new StoreUnavailableError(
    `The address of the PostgreSQL store ${why}. It has the form ${FORM}; write @ / ? # % in user and password as %40 %2F %3F %23 %25.`,
  );

/** An unescaped character in a password moves part of it to where messages would show it. */
function refuseMisplaced(url: string): void {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw misshapen("begins with neither postgres:// nor postgresql://");
  if (!URL.canParse(url)) throw misshapen("cannot be read");
  const { pathname, search, hash } = new URL(url);
  if (hash !== "" || `${pathname}${search}`.includes("@")) throw misshapen("cannot be read");
}

/**
 * Reads an address as `pg` does, its environment variables and defaults included. Throws
 * StoreUnavailableError for one that is none; no message or cause holds any part of it.
 */
export async function readAddress(url: string): Promise<PostgresAddress> {
  refuseMisplaced(url);
  const { default: pg } = await import("pg");
  const config: ClientConfig = { connectionString: url };
  try {
    const { host, port, database = "", user = "" } = new pg.Client(config);
    return { host, port, database, user };
  } catch {
    throw misshapen("cannot be read");
  }
}

/** `PostgreSQL at HOST:PORT, database NAME`. */
export const addressText = ({ host, port, database }: PostgresAddress): string =>
  `PostgreSQL at ${host}:${port}, database ${database}`;

/** The place of an address, without the secret in it. Throws as `readAddress` does. */
export const postgresPlace = async (url: string): Promise<string> =>
  addressText(await readAddress(url));
