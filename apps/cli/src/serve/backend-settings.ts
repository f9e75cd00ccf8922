import { backendSetting } from "@plasm/runtime";

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether an address may be printed: one with a password or a key in it may not (SURF-27). */
function isPlain(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password, search } = new URL(address);
  return username === "" && password === "" && search === "";
}

/** The settings of this environment that say where the APIs of these catalogs are (RUN-004). */
export const backendSettings = (
  loaded: readonly string[],
  env: Environment,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    loaded.flatMap((entryId) => {
      const name = backendSetting(entryId);
      const value = env[name];
      return value === undefined || !isPlain(value) ? [] : [[name, value] as const];
    }),
  );
