import { HostStartError } from "./host-start-error.ts";

const SETTING = "PLASM_MCP_TASKS";

/**
 * The setting `mcp.tasks` (OPS-26): `PLASM_MCP_TASKS` is `on` or `off`, off without it. Throws
 * HostStartError for anything else.
 */
export function tasksFromEnv(env: Readonly<Record<string, string | undefined>>): boolean {
  const text = env[SETTING]?.trim() ?? "";
  if (text === "" || text === "off") return false;
  if (text === "on") return true;
  throw new HostStartError(`${SETTING}=${text} is neither on nor off.`);
}
