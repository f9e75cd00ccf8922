import { effectiveBackend } from "@plasm/runtime/internal";
import type { Catalog } from "@plasm/core";
import {
  createHttpTransport,
  type SignInSetting,
  systemClock,
  type Transport,
} from "@plasm/runtime";
import { readContents } from "./contents.ts";
import { type Environment, HostStartError, proxiesIn } from "./environment.ts";
import type { HostOptions } from "./host-options.ts";

/**
 * With what a person is signed in to a catalog of directories, as a server on the same options would be (RUN-127).
 * Opens nothing that has to be closed. Throws HostStartError where there is no such catalog.
 */
export async function signInSetting(options: HostOptions, entryId: string): Promise<SignInSetting> {
  const { catalogs, backends } = await readContents(options);
  const found = catalogs.entries.find(({ catalog }) => catalog.entryId === entryId);
  if (found === undefined) {
    const known = catalogs.entries.map(({ catalog }) => catalog.entryId).join(", ");
    throw new HostStartError(
      `There is no catalog ${entryId} in the directories that --catalogs names (${known || "none"}).`,
    );
  }
  return signInSettings(
    options.env,
    backends,
    createHttpTransport(proxiesIn(options.env)),
  )(found.catalog);
}

/** The same of any catalog. */
export const signInSettings =
  (env: Environment, backends: ReadonlyMap<string, string>, transport: Transport) =>
  (catalog: Catalog): SignInSetting => ({
    catalog,
    backend: effectiveBackend(catalog, backends),
    transport,
    env: (name) => env[name],
    now: () => systemClock.now(),
  });
