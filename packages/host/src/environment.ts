import { type OutboundProxies, outboundProxies } from "@plasm/runtime";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** The variables a host reads its settings from. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Why a host cannot start, in words for the person who starts it. */
export class HostStartError extends Error {
  override readonly name = "HostStartError";
}

/** The value of a setting without blanks around it; empty when it is not set. */
export const settingIn = (env: Environment, name: string): string => env[name]?.trim() ?? "";

/** A number that a setting may be. */
interface CountRange {
  /** what is counted, such as `rows` */
  readonly unit?: string;
  readonly most?: number;
}

const MOST_COUNT = 999_999_999_999_999;

/** Returns the positive integer a setting is, or null when it is not set. Throws HostStartError. */
export function countIn(
  env: Environment,
  name: string,
  { unit, most = MOST_COUNT }: CountRange = {},
): number | null {
  const text = settingIn(env, name);
  if (text === "") return null;
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  const of = unit === undefined ? "" : ` of ${unit}`;
  const range = most === MOST_COUNT ? "" : ` from 1 to ${most}`;
  throw new HostStartError(`${name} must be a positive integer${of}${range}, got "${text}".`);
}

/** The proxies by which this host reaches others (RUN-196); null for none. Throws HostStartError. */
export function proxiesIn(env: Environment): OutboundProxies | null {
  try {
    return outboundProxies(env);
  } catch (thrown) {
    if (thrown instanceof TypeError) throw new HostStartError(`${thrown.message}.`);
    throw thrown;
  }
}

/** Whether a setting is `on`; off when it is not set. Throws HostStartError for anything but `on` and `off`. */
export const switchIn = (env: Environment, name: string): boolean =>
  choiceIn(env, name, ["off", "on"]) === "on";

/** Returns which of `choices` a setting is; the first one when it is not set. Throws HostStartError. */
export function choiceIn<T extends string>(
  env: Environment,
  name: string,
  choices: readonly [T, ...T[]],
): T {
  const text = settingIn(env, name);
  if (text === "") return choices[0];
  const found = choices.find((one) => one === text);
  if (found !== undefined) return found;
  const all = choices.length > 2 ? `one of ${choices.join(", ")}` : choices.join(" or ");
  throw new HostStartError(`${name} must be ${all}, got "${text}".`);
}

/** An environment, and remarks on the files it was read from. */
export interface ReadEnvironment {
  readonly env: Environment;
  readonly remarks: readonly string[];
}

/**
 * Reads the environment of a server: the process's own, then the file named, then `.env` of the data directory; the
 * first that has a variable decides. Throws HostStartError for a file that cannot be read.
 */
export async function readEnvironment(
  own: Environment,
  dataDir: string,
  envFile: string | undefined,
): Promise<ReadEnvironment> {
  const standing = withoutKeys(await readEnvFile(join(dataDir, ".env"), false), dataDir);
  const named = envFile === undefined ? null : await readEnvFile(envFile, true);
  return {
    env: { ...standing.env, ...named?.env, ...own },
    remarks: [...(named?.remarks ?? []), ...standing.remarks],
  };
}

/** The key of stored secrets stands nowhere in the data directory: who gets a copy of that would have it, too (RUN-125). */
function withoutKeys({ env, remarks }: ReadEnvironment, dataDir: string): ReadEnvironment {
  const found = Object.keys(env).filter((name) => name.startsWith("PLASM_SECRETS_KEY"));
  if (found.length === 0) return { env, remarks };
  const rest = Object.entries(env).filter(([name]) => !found.includes(name));
  const remark = `${found.join(", ")} in ${join(dataDir, ".env")} is not used: who gets a copy of the data would have the key, too; set it in the environment or in the file of --env-file`;
  return { env: Object.fromEntries(rest), remarks: [...remarks, remark] };
}

const OTHERS = 0o077;

async function readEnvFile(path: string, required: boolean): Promise<ReadEnvironment> {
  const text = await readText(path, required);
  if (text === null) return { env: {}, remarks: [] };
  const open = ((await stat(path)).mode & OTHERS) !== 0;
  const remarks = open ? [`${path} can be read by others: chmod 600 ${path}`] : [];
  return { env: parseEnv(text), remarks };
}

async function readText(path: string, required: boolean): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    const code = (thrown instanceof Error && (thrown as NodeJS.ErrnoException).code) || "unknown";
    // Whether the directory itself can be used shows when it is written to.
    if (!required && (code === "ENOENT" || code === "ENOTDIR")) return null;
    throw new HostStartError(`${path} cannot be read (${code}).`, { cause: thrown });
  }
}
