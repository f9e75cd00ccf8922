import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

const given = (value: string | undefined): string | undefined =>
  value === undefined || value === "" ? undefined : value;

/**
 * Where data is kept unless told otherwise: one place per user, whatever directory an MCP host
 * starts the program in.
 */
export const defaultDataDirectory = (env: Environment): string =>
  given(env["PLASM_DATA"]) ??
  join(given(env["XDG_DATA_HOME"]) ?? join(homedir(), ".local", "share"), "plasm");
