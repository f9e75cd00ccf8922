import { describe, expect, test } from "vitest";
import type { Received, Reply } from "@plasm/testkit/servers";
import { quickClock, type Setting } from "../../testing/fixture-run.ts";
import { type GuardedDepot, memorySecrets, withDepot } from "../../testing/guarded-depot.ts";
import { accountKey, defaultHostedKey } from "./credential-help.ts";
import { createTokenCache } from "./token-credential.ts";

const KEY = "plasm:outbound:depot";
const TOP = `auth: { scheme: oauth_bearer, hosted_kv: "${KEY}", env: DEPOT_TOKEN }
oauth:
  provider: depot-id
  scopes: { crates.read: {}, crates.write: {} }
  requirements:
    capabilities: { crate_query: { any_of: [crates.read, { all_of: [crates.write] }] } }`;

const START = Date.UTC(2026, 0, 5, 12);
const inSeconds = (seconds: number): number => START / 1000 + seconds;

const envelope = (more: object = {}): string =>
  JSON.stringify({
    version: 1,
    entry_id: "depot",
    access_token: "first-access",
    refresh_token: "first-refresh",
    token_type: "bearer",
    expires_at_unix: inSeconds(3_600),
    ...more,
  });

const provider = (place: GuardedDepot) => ({
  PLASM_OAUTH_DEPOT_ID_TOKEN_URL: `${place.server.url}/oauth/token`,
  PLASM_OAUTH_DEPOT_ID_CLIENT_ID: "plasm",
  PLASM_OAUTH_DEPOT_ID_CLIENT_SECRET: "app-s3cret",
});

const bearers = (asked: readonly Received[]) => asked.map(({ headers }) => headers.authorization);

const SECOND: Reply = {
  json: { access_token: "second-access", refresh_token: "second-refresh", expires_in: 600 },
};

describe("RUN-123: a hosted envelope", () => {
  test("gives its access token", () =>
    withDepot({}, async ({ list, asked }) => {
      await list(TOP, { secrets: memorySecrets({}, { [KEY]: envelope() }) });
      expect(bearers(asked())).toEqual(["Bearer first-access"]);
    }));

  test.each([
    ["of another catalog", envelope({ entry_id: "yard" }), "its entry_id is not of this catalog"],
    ["of another version", envelope({ version: 2 }), "its version is not 1"],
    ["without a token", envelope({ access_token: " " }), "it has no access_token"],
    ["that is no JSON", "{ access", "it is no JSON object"],
    [
      "that has ended, without a refresh token",
      envelope({ expires_at_unix: inSeconds(0), refresh_token: undefined }),
      "its access token has expired and there is no refresh_token",
    ],
    [
      "that has ended, without settings of its provider",
      envelope({ expires_at_unix: inSeconds(-5) }),
      "set PLASM_OAUTH_DEPOT_ID_TOKEN_URL and PLASM_OAUTH_DEPOT_ID_CLIENT_ID",
    ],
  ])("%s is auth_missing", (_name, value, words) =>
    withDepot({}, async ({ list, server }) => {
      const error = (await list(TOP, { secrets: memorySecrets({}, { [KEY]: value }) })).nodes[0]
        ?.error;
      expect(error?.code).toBe("auth_missing");
      expect(error?.message).toContain(words);
      expect(error?.message).not.toMatch(/first-|yard/);
      expect(server.log).toEqual([]);
    }),
  );

  test("is refreshed 30 s early, kept, and used by the next run", () =>
    withDepot({ token: () => SECOND }, async (place) => {
      const value = envelope({ expires_at_unix: inSeconds(29), scope: "crates.read" });
      const secrets = memorySecrets(provider(place), { [KEY]: value });
      const setting = { secrets, clock: quickClock(START), tokens: createTokenCache() };
      await place.list(TOP, setting);
      await place.list(TOP, setting);
      expect(bearers(place.asked())).toEqual(["Bearer second-access", "Bearer second-access"]);
      expect(place.tokens().map(({ form }) => Object.fromEntries(form))).toEqual([
        {
          grant_type: "refresh_token",
          refresh_token: "first-refresh",
          client_id: "plasm",
          client_secret: "app-s3cret",
        },
      ]);
      expect(JSON.parse(secrets.stored.get(KEY) ?? "")).toEqual({
        version: 1,
        entry_id: "depot",
        access_token: "second-access",
        refresh_token: "second-refresh",
        token_type: "bearer",
        expires_at_unix: inSeconds(600),
        scope: "crates.read",
      });
    }));

  test("31 s before its end it is used as it is", () =>
    withDepot({ token: () => SECOND }, async (place) => {
      const value = envelope({ expires_at_unix: inSeconds(31) });
      const secrets = memorySecrets(provider(place), { [KEY]: value });
      await place.list(TOP, { secrets, clock: quickClock(START) });
      expect(place.tokens()).toEqual([]);
    }));

  test("one refresh at a time, also across runs", () =>
    withDepot({ token: () => ({ ...SECOND, delay: 30 }) }, async (place) => {
      const value = envelope({ expires_at_unix: inSeconds(0) });
      const secrets = memorySecrets(provider(place), { [KEY]: value });
      const setting = { secrets, clock: quickClock(START), tokens: createTokenCache() };
      await Promise.all([1, 2, 3, 4].map(() => place.list(TOP, setting)));
      expect(place.tokens()).toHaveLength(1);
      expect(new Set(bearers(place.asked()))).toEqual(new Set(["Bearer second-access"]));
    }));

  test("what another process put in its place meanwhile is used, not refreshed again", () =>
    withDepot({ token: () => SECOND }, async (place) => {
      const first = envelope({ expires_at_unix: inSeconds(0) });
      const secrets = memorySecrets(provider(place), { [KEY]: first });
      let looks = 0;
      const hosted: typeof secrets.hosted = (key, scope) => {
        if (looks++ > 0) secrets.stored.set(KEY, envelope({ access_token: "of-another" }));
        return secrets.hosted(key, scope);
      };
      await place.list(TOP, { secrets: { ...secrets, hosted }, clock: quickClock(START) });
      expect(place.tokens()).toEqual([]);
      expect(bearers(place.asked())).toEqual(["Bearer of-another"]);
    }));
});

describe("RUN-124: a refused credential", () => {
  const refuse =
    (...tokens: readonly string[]) =>
    ({ headers }: Received): Reply =>
      tokens.includes(headers.authorization?.replace("Bearer ", "") ?? "")
        ? { status: 401, json: { message: `no ${headers.authorization}` } }
        : { json: { items: [{ id: "c1" }] } };

  const setting = (place: GuardedDepot): Partial<Setting> => ({
    secrets: memorySecrets(provider(place), { [KEY]: envelope() }),
    clock: quickClock(START),
  });

  test("401 causes one refresh and one retry", () =>
    withDepot({ api: refuse("first-access"), token: () => SECOND }, async (place) => {
      const outcome = await place.list(TOP, setting(place));
      expect(outcome.status).toBe("succeeded");
      expect(bearers(place.asked())).toEqual(["Bearer first-access", "Bearer second-access"]);
      expect(outcome.budget.requests).toBe(2);
    }));

  test("a remaining 401 is auth_refused, with the scopes it needs and no secret", () =>
    withDepot(
      { api: refuse("first-access", "second-access"), token: () => SECOND },
      async (place) => {
        const outcome = await place.list(TOP, setting(place));
        const error = outcome.nodes[0]?.error;
        expect(error).toMatchObject({ code: "auth_refused", request: { status: 401 } });
        expect(error?.correction).toContain(
          "it needs the scopes one of crates.read, (crates.write)",
        );
        expect(place.asked()).toHaveLength(2);
        expect(place.tokens()).toHaveLength(1);
        expect(JSON.stringify(outcome)).not.toMatch(/first-|second-/);
      },
    ));

  test("a refresh that is refused says so", () =>
    withDepot(
      {
        api: refuse("first-access"),
        token: () => ({ status: 400, json: { error: "invalid_grant" } }),
      },
      async (place) => {
        const error = (await place.list(TOP, setting(place))).nodes[0]?.error;
        expect(error?.code).toBe("auth_refused");
        expect(error?.message).toContain(
          'refuses the refresh token of depot (400): "invalid_grant"',
        );
        expect(error?.correction).toBe(
          "sign in again and store the new token with plasm auth set plasm:outbound:depot",
        );
        expect(place.asked()).toHaveLength(1);
      },
    ));

  test.each([
    ["removed", null],
    ["replaced by a token that does not end", "plain"],
    ["replaced by an envelope of another catalog", envelope({ entry_id: "yard" })],
  ])("RUN-123 one that is %s while a run holds it is not refreshed", (_name, standing) => {
    const kept: { secrets: ReturnType<typeof memorySecrets> | null } = { secrets: null };
    const api = (): Reply => {
      if (standing === null) kept.secrets?.stored.delete(KEY);
      else kept.secrets?.stored.set(KEY, standing);
      return { status: 401, json: {} };
    };
    return withDepot({ api, token: () => SECOND }, async (place) => {
      kept.secrets = memorySecrets(provider(place), { [KEY]: envelope() });
      const setting = { secrets: kept.secrets, clock: quickClock(START) };
      const error = (await place.list(TOP, setting)).nodes[0]?.error;
      expect(error?.code).toBe("auth_missing");
      expect(error?.message).toContain("it was removed or replaced meanwhile");
      expect(place.tokens()).toEqual([]);
      expect(place.asked()).toHaveLength(1);
      expect(kept.secrets.stored.get(KEY)).toBe(standing ?? undefined);
    });
  });

  test.each([
    ["a catalog", null, "depot", { tenant: null, principal: null }],
    [
      "an account of a tenant",
      "work",
      "depot --account work --tenant acme",
      { tenant: "acme", principal: null },
    ],
    ["a user", null, "depot --principal ann --tenant acme", { tenant: "acme", principal: "ann" }],
  ])(
    "RUN-129 the remedy for a refused refresh of %s is the command of what stands there",
    (_name, account, words, owner) =>
      withDepot(
        {
          api: refuse("first-access"),
          token: () => ({ status: 400, json: { error: "invalid_grant" } }),
        },
        async (place) => {
          const key = account === null ? defaultHostedKey("depot") : accountKey("depot", account);
          const value = envelope();
          const secrets = {
            ...memorySecrets(provider(place)),
            hosted: (asked: string) => Promise.resolve(asked === key ? value : undefined),
            holder: () => owner,
          };
          const accounts = new Map(account === null ? [] : [["depot", account]]);
          const credentials = { tenant: "acme", accounts };
          const top = TOP.replace(`hosted_kv: "${KEY}", `, "");
          const outcome = await place.list(top, { secrets, credentials, clock: quickClock(START) });
          expect(outcome.nodes[0]?.error?.correction).toBe(
            `sign in again and store the new token with plasm auth set ${words}, or with plasm auth login ${words} --catalogs DIRECTORY where the catalog says how`,
          );
        },
      ),
  );

  test("RUN-129 a pasted envelope keeps its id when it is refreshed, and another one in its place stops the run", () =>
    withDepot({ api: refuse("first-access"), token: () => SECOND }, async (place) => {
      const first = envelope({ sign_in: "pasted-1" });
      const secrets = memorySecrets(provider(place), { [KEY]: first });
      const run = (signIns: ReadonlyMap<string, string>) =>
        place.list(TOP, {
          secrets,
          credentials: { tenant: "acme", signIns },
          clock: quickClock(START),
        });
      const began = new Map([["depot", "pasted-1"]]);
      expect((await run(began)).status).toBe("succeeded");
      expect(JSON.parse(secrets.stored.get(KEY) ?? "")).toMatchObject({
        access_token: "second-access",
        sign_in: "pasted-1",
      });
      expect((await run(began)).status).toBe("succeeded");
      const asked = place.asked().length;
      secrets.stored.set(KEY, envelope({ sign_in: "pasted-2" }));
      expect((await run(began)).nodes[0]?.error?.code).toBe("auth_missing");
      expect(place.asked()).toHaveLength(asked);
    }));

  test.each([
    ["is refreshed by another process", { access_token: "newer", sign_in: "one" }, null],
    ["is of another sign-in", { access_token: "bobs", sign_in: "two" }, "auth_missing"],
    ["is of no sign-in", { access_token: "bobs" }, "auth_missing"],
  ])("RUN-129 what stands there while a run goes on and %s", (_name, standing, code) => {
    const kept: { secrets: ReturnType<typeof memorySecrets> | null } = { secrets: null };
    const api = (request: Received): Reply => {
      const of = { client_id: "plasm", token_url: "http://127.0.0.1:1/token" };
      const first = JSON.stringify({ ...(JSON.parse(envelope(of)) as object), ...standing });
      kept.secrets?.stored.set(KEY, first);
      return refuse("first-access")(request);
    };
    return withDepot({ api, token: () => SECOND }, async (place) => {
      const client = { client_id: "plasm", token_url: `${place.server.url}/oauth/token` };
      const value = envelope({ ...client, sign_in: "one" });
      kept.secrets = memorySecrets({}, { [KEY]: value });
      const outcome = await place.list(TOP, { secrets: kept.secrets, clock: quickClock(START) });
      expect(outcome.nodes[0]?.error?.code ?? null).toBe(code);
      const sent = bearers(place.asked());
      expect(sent).toEqual(
        code === null ? ["Bearer first-access", "Bearer newer"] : ["Bearer first-access"],
      );
      expect(place.tokens()).toEqual([]);
    });
  });

  test.each([
    ["an hour ahead, which refreshes too early", 3_600, ["Bearer second-access"]],
    [
      "an hour behind, which the API's 401 tells",
      -3_600,
      ["Bearer first-access", "Bearer second-access"],
    ],
  ])("a clock that is %s: one refresh, and the run goes on", (_name, off, expected) =>
    withDepot({ api: refuse("first-access"), token: () => SECOND }, async (place) => {
      const secrets = memorySecrets(provider(place), {
        [KEY]: envelope({ expires_at_unix: inSeconds(600) }),
      });
      const clock = quickClock(START + off * 1_000);
      const setting = { secrets, clock, tokens: createTokenCache() };
      for (const _ of [1, 2]) expect((await place.list(TOP, setting)).status).toBe("succeeded");
      expect(bearers(place.asked())).toEqual([...expected, "Bearer second-access"]);
      expect(place.tokens()).toHaveLength(1);
    }),
  );

  test("what cannot be refreshed is asked once", () =>
    withDepot({ api: refuse("plain") }, async ({ list, asked }) => {
      const outcome = await list(TOP, { secrets: memorySecrets({ DEPOT_TOKEN: "plain" }) });
      expect(outcome.nodes[0]?.error?.code).toBe("auth_refused");
      expect(asked()).toHaveLength(1);
    }));

  test("403 is auth_refused at once", () =>
    withDepot({ api: () => ({ status: 403, json: {} }) }, async (place) => {
      const outcome = await place.list(TOP, setting(place));
      expect(outcome.nodes[0]?.error?.code).toBe("auth_refused");
      expect(place.asked()).toHaveLength(1);
    }));

  const grantedRun = (scope: string) =>
    withDepot({}, async ({ list, server }) => {
      const secrets = memorySecrets({}, { [KEY]: envelope({ scope }) });
      const error = (await list(TOP, { secrets })).nodes[0]?.error ?? null;
      return { error, sent: server.log.length };
    });

  test.each(["crates.other crates.read", "crates.write,crates.other"])(
    "granted %s: it is sent",
    async (scope) => {
      expect(await grantedRun(scope)).toEqual({ error: null, sent: 1 });
    },
  );

  test("missing scopes are reported before sending", async () => {
    const { error, sent } = await grantedRun("crates.other");
    expect(sent).toBe(0);
    expect(error?.code).toBe("auth_refused");
    expect(error?.message).toContain("needs the scopes one of crates.read, (crates.write)");
    expect(error?.message).toContain("granted are: crates.other");
  });
});
