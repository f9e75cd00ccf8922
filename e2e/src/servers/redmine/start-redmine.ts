import { seededKeys } from "./accounts.ts";
import { requireRedmine } from "./installation.ts";
import { makeInstanceDir } from "./instance-dir.ts";
import { startPuma } from "./puma.ts";
import { writeRackup } from "./rackup.ts";
import { placeSeededDatabase } from "./seeded-database.ts";

export interface Redmine {
  /** Origin without a final slash, on 127.0.0.1. */
  readonly url: string;
  /** API key of the administrator. */
  readonly adminKey: string;
  /** API keys of the other accounts, by login. */
  readonly userKeys: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Starts a private, seeded Redmine whose every file is in `dataDir`.
 * `port` defaults to a free one. Throws if Redmine is not installed, or does not answer in time.
 */
export async function startRedmine(options: { port?: number; dataDir: string }): Promise<Redmine> {
  const installation = requireRedmine();
  const { database, env } = await makeInstanceDir(options.dataDir);
  await placeSeededDatabase(database, installation);
  const rackup = await writeRackup(installation, options.dataDir);
  const { url, close } = await startPuma(installation, env, rackup, options.port ?? 0);
  return { url, close, ...seededKeys() };
}
