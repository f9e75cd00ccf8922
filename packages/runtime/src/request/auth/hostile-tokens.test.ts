import { describe, expect, test } from "vitest";
import { quickClock } from "../../testing/fixture-run.ts";
import { memorySecrets, withDepot } from "../../testing/guarded-depot.ts";
import { createTokenCache } from "./token-credential.ts";

const KEY = "plasm:outbound:depot";
const TOP = `auth: { scheme: oauth_bearer, hosted_kv: "${KEY}", env: DEPOT_TOKEN }
oauth: { provider: depot-id, scopes: {}, requirements: { capabilities: {} } }`;

const START = Date.UTC(2026, 0, 5, 12);

const envelope = (more: object = {}): string =>
  JSON.stringify({
    version: 1,
    entry_id: "depot",
    access_token: "first-access",
    refresh_token: "first-refresh",
    expires_at_unix: START / 1000,
    ...more,
  });

const provider = (url: string) => ({
  PLASM_OAUTH_DEPOT_ID_TOKEN_URL: `${url}/oauth/token`,
  PLASM_OAUTH_DEPOT_ID_CLIENT_ID: "plasm",
});

const BROKEN = "half\r\nX-Injected: 1";

describe("RUN-123: tokens that cannot be used or kept", () => {
  test("a token that no header can carry is no token, and is not kept", () =>
    withDepot({ token: () => ({ json: { access_token: BROKEN } }) }, async (place) => {
      const secrets = memorySecrets(provider(place.server.url), { [KEY]: envelope() });
      const answer = await place.list(TOP, { secrets, clock: quickClock(START) });
      expect(answer.nodes[0]?.error?.code).toBe("upstream_error");
      expect(answer.nodes[0]?.error?.message).toContain("answered no token");
      expect(place.asked()).toEqual([]);
      expect(secrets.stored.get(KEY)).toBe(envelope());
    }));

  test("an envelope whose token no header can carry is auth_missing", () =>
    withDepot({}, async (place) => {
      const secrets = memorySecrets({}, { [KEY]: envelope({ access_token: BROKEN }) });
      const answer = await place.list(TOP, { secrets, clock: quickClock(START - 3_600_000) });
      expect(answer.nodes[0]?.error?.code).toBe("auth_missing");
      expect(place.asked()).toEqual([]);
    }));

  test("a token that cannot be stored is used all the same: its refresh token is spent", () =>
    withDepot(
      { token: () => ({ json: { access_token: "second-access", refresh_token: "r2" } }) },
      async (place) => {
        const secrets = {
          ...memorySecrets(provider(place.server.url), { [KEY]: envelope() }),
          keepHosted: () => Promise.reject(new Error("ENOSPC")),
        };
        const setting = { secrets, clock: quickClock(START), tokens: createTokenCache() };
        await place.list(TOP, setting);
        await place.list(TOP, setting);
        expect(place.asked().map(({ headers }) => headers.authorization)).toEqual([
          "Bearer second-access",
          "Bearer second-access",
        ]);
        expect(place.tokens()).toHaveLength(1);
      },
    ));
});
