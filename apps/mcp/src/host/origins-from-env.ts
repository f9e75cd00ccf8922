import type { SessionOrigins } from "@plasm/runtime";
import { HostStartError } from "./host-start-error.ts";

/**
 * Where people and requests meet the engine, for catalogs whose views take it (RUN-100): `PLASM_UI_ORIGIN`
 * and `PLASM_TRANSPORT_ORIGIN`. Throws HostStartError for what is no http(s) origin.
 */
export function originsFromEnv(env: Readonly<Record<string, string | undefined>>): SessionOrigins {
  const ui = readOrigin(env, "PLASM_UI_ORIGIN");
  const transport = readOrigin(env, "PLASM_TRANSPORT_ORIGIN");
  return { ...(ui === null ? {} : { ui }), ...(transport === null ? {} : { transport }) };
}

function readOrigin(
  env: Readonly<Record<string, string | undefined>>,
  setting: string,
): string | null {
  const text = env[setting]?.trim() ?? "";
  if (text === "") return null;
  const bare = text.replace(/\/$/, "");
  if (URL.canParse(bare)) {
    const { origin, protocol } = new URL(bare);
    if ((protocol === "http:" || protocol === "https:") && origin === bare) return origin;
  }
  throw new HostStartError(`${setting}=${text} is no origin such as https://plasm.example.`);
}
