import { expect, test } from "vitest";
import type { Transport } from "../../ports.ts";
import { depot } from "../../testing/depot-catalog.ts";
import { effectiveBackend } from "../effective-backend.ts";
import { beginSignIn, type SignInWishes } from "./code-sign-in.ts";

const ISSUER = "https://id.example";
const catalog = depot({
  backend: "http://127.0.0.1:9",
  top: "auth: { scheme: oauth_bearer, env: DEPOT_TOKEN }\noauth: { provider: depot-id, scopes: {} }",
  list: "response: { items: items }",
});

/** A server whose metadata says what it can ask of people. */
const serverThatCan = (prompts: readonly string[] | null): Transport => ({
  send: async () => {
    const metadata = {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/auth`,
      token_endpoint: `${ISSUER}/token`,
      ...(prompts === null ? {} : { prompt_values_supported: prompts }),
    };
    const headers = [["content-type", "application/json"]] as const;
    const body = Buffer.from(JSON.stringify(metadata));
    return { ok: true, response: { status: 200, headers, body } };
  },
  close: async () => undefined,
});

async function promptOf(can: readonly string[] | null, wishes: SignInWishes) {
  const env: Readonly<Record<string, string>> = {
    PLASM_OAUTH_DEPOT_ID_ISSUER: ISSUER,
    PLASM_OAUTH_DEPOT_ID_CLIENT_ID: "app",
  };
  const setting = {
    catalog,
    backend: effectiveBackend(catalog, new Map()),
    transport: serverThatCan(can),
    env: (name: string) => env[name],
    now: () => Date.now(),
  };
  const { url } = await beginSignIn(setting, "http://127.0.0.1:7777/callback", wishes);
  return new URL(url).searchParams.get("prompt");
}

test("RUN-129 where an account is named the person is asked as whom, if the server says that it can", async () => {
  const able = ["none", "login", "select_account"];
  const named = { choosesAccount: true };
  expect(await promptOf(able, named)).toBe("select_account");
  const offline = { ...named, scopes: ["offline_access"] };
  expect(await promptOf(able, offline)).toBe("select_account consent");
  expect(await promptOf(able, {})).toBeNull();
  expect(await promptOf(["none", "login"], named)).toBeNull();
  expect(await promptOf(null, named)).toBeNull();
});
