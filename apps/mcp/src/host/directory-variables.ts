import { variablesOf, type RegistryEntry, type VariableRules } from "@plasm/runtime";
import { HostStartError } from "./host-start-error.ts";

/** The setting that lists what imported catalogs may read besides variables that begin with their id. */
const SETTING = "PLASM_CATALOG_ENV";
const ITEM = /^(?:[A-Za-z0-9][A-Za-z0-9._-]*:)?[A-Za-z_][A-Za-z0-9_]*$/;

type Env = Readonly<Record<string, string | undefined>>;

/** Which variables of the environment catalogs may read; `keep` says what the directories have now. */
export interface DirectoryVariables extends VariableRules {
  keep(entries: readonly RegistryEntry[]): void;
}

function listedIn(env: Env): ReadonlySet<string> {
  const items = (env[SETTING] ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const wrong = items.find((item) => !ITEM.test(item));
  if (wrong === undefined) return new Set(items);
  throw new HostStartError(
    `${SETTING} must list names of variables, or catalog:NAME, separated by commas; got ${JSON.stringify(wrong)}.`,
  );
}

/** Reads the list of the deployment. Throws HostStartError for what is no list of names. */
export function directoryVariables(env: Env): DirectoryVariables {
  let known: ReadonlyMap<string, readonly string[]> = new Map();
  return {
    listed: listedIn(env),
    ofDirectories: () => known,
    keep: (entries) => {
      known = new Map(
        entries.map(({ catalog }) => [catalog.entryId, variablesOf(catalog.cgs.auth)]),
      );
    },
  };
}
