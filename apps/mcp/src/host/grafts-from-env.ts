import { DEFAULT_PROFILE, httpGraftProvider, type GraftSettings } from "@plasm/agent-core";
import { createHttpTransport } from "@plasm/runtime";
import { HostStartError } from "./host-start-error.ts";

type Env = Readonly<Record<string, string | undefined>>;

const PROFILE = /^[\w.-]{1,64}$/;

function profileIn(env: Env): string {
  const text = env["PLASM_PROFILE"]?.trim() ?? "";
  if (text === "") return DEFAULT_PROFILE;
  if (PROFILE.test(text)) return text;
  throw new HostStartError(
    `PLASM_PROFILE=${text} is no name of a profile: 1 to 64 letters, digits, _, . and -.`,
  );
}

/** The value is not repeated: a query may hold a key. */
function providerUrl(env: Env): string | null {
  const text = env["PLASM_GRAFT_URL"]?.trim() ?? "";
  if (text === "") return null;
  if (URL.canParse(text)) {
    const { protocol, username, password, hash, href } = new URL(text);
    const bare = username === "" && password === "" && hash === "";
    if (bare && (protocol === "http:" || protocol === "https:")) return href;
  }
  throw new HostStartError(
    "PLASM_GRAFT_URL is no address of a provider: http or https, without user, password and fragment.",
  );
}

/** What an operator should know of settings that, as they are, do nothing: no provider is asked. */
export function graftRemarks(env: Env): readonly string[] {
  const profile = profileIn(env);
  const hasUrl = providerUrl(env) !== null;
  if (hasUrl && profile === DEFAULT_PROFILE) {
    return [
      `PLASM_GRAFT_URL is set, but the profile is ${DEFAULT_PROFILE}: that provider is not asked. Set PLASM_PROFILE to one of its profiles.`,
    ];
  }
  if (!hasUrl && profile !== DEFAULT_PROFILE) {
    return [
      `PLASM_PROFILE is ${profile}, but there is no provider of grafts to ask. Set PLASM_GRAFT_URL to its address.`,
    ];
  }
  return [];
}

/**
 * Where grafts come from besides callers (GRAFT-2, GRAFT-4): `PLASM_GRAFT_URL`, the provider's address, which nothing
 * else tells, and `PLASM_PROFILE`, without which no provider is asked. Throws HostStartError.
 */
export function graftsFromEnv(env: Env): GraftSettings {
  const profile = profileIn(env);
  const url = providerUrl(env);
  const provider =
    url === null || profile === DEFAULT_PROFILE
      ? null
      : httpGraftProvider({ url, transport: createHttpTransport() });
  return { profile, provider };
}
