import { HostStartError } from "./host-start-error.ts";

/** A setting that is `on` or `off`, off without it. Throws HostStartError for anything else. */
export function switchFromEnv(
  env: Readonly<Record<string, string | undefined>>,
  setting: string,
): boolean {
  const text = env[setting]?.trim() ?? "";
  if (text === "" || text === "off") return false;
  if (text === "on") return true;
  throw new HostStartError(`${setting}=${text} is neither on nor off.`);
}
