import { describe, expect, test } from "vitest";
import { memorySecrets, withDepot } from "../../testing/guarded-depot.ts";
import { depot } from "../../testing/depot-catalog.ts";
import type { Setting } from "../../testing/fixture-run.ts";
import { accountOfKey, credentialHelp } from "./credential-help.ts";
import { credentialIsPresent } from "./secret-sources.ts";

const OWN = "plasm:outbound:v1:catalog:depot";

const TOP = `auth:
  scheme: api_key_header
  header: X-Api-Key
  env: DEPOT_KEY
  also:
    - { name: application_key, scheme: api_key_header, header: X-App-Key, prefix: "App ", env: DEPOT_APP_KEY }
    - { name: account, scheme: api_key_query, param: account, env: DEPOT_ACCOUNT }`;
const ENV = { DEPOT_KEY: "first-key", DEPOT_APP_KEY: "app-key-2", DEPOT_ACCOUNT: "account-3" };

const missing = (setting: Partial<Setting>, top = TOP) =>
  withDepot({}, async ({ list, server }) => {
    const outcome = await list(top, setting);
    expect(server.log).toEqual([]);
    const error = outcome.nodes[0]?.error;
    expect(error?.code).toBe("auth_missing");
    return { message: error?.message ?? "", correction: error?.correction ?? "" };
  });

describe("RUN-121, CAT-114: several keys in one request", () => {
  test("go along with the first, each where it belongs", () =>
    withDepot({}, async ({ list, asked }) => {
      const outcome = await list(TOP, { secrets: memorySecrets(ENV) });
      expect(outcome.nodes.map(({ error }) => error)).toEqual([null]);
      const [request] = asked();
      expect(request?.headers["x-api-key"]).toBe("first-key");
      expect(request?.headers["x-app-key"]).toBe("App app-key-2");
      expect(request?.query.get("account")).toBe("account-3");
    }));

  test("come from the session and from plasm auth first", () =>
    withDepot({}, async ({ list, asked }) => {
      const session = new Map([["depot:account", "of-session"]]);
      const stored = { [`${OWN}:application_key`]: "of-plasm-auth" };
      const setting = {
        secrets: memorySecrets(ENV, stored),
        credentials: { tenant: "t", session },
      };
      await list(TOP, setting);
      expect(asked()[0]?.headers["x-app-key"]).toBe("App of-plasm-auth");
      expect(asked()[0]?.query.get("account")).toBe("of-session");
    }));

  test("the one that is missing is named, with its sources and what to do", async () => {
    const { DEPOT_APP_KEY: _one, ...others } = ENV;
    const { message, correction } = await missing({ secrets: memorySecrets(others) });
    expect(message).toBe(
      `There is no application_key for depot: tried the session's credential, plasm auth (${OWN}:application_key), environment variable DEPOT_APP_KEY.`,
    );
    expect(correction).toBe(
      "on the server run plasm auth set depot --key application_key, or set DEPOT_APP_KEY in its environment or env file and restart it; then run this again",
    );
    const first = await missing({ secrets: memorySecrets({}) });
    for (const one of ["set depot,", "--key application_key", "--key account"])
      expect(first.correction).toContain(one);
  });

  const ACCOUNTS = {
    [OWN]: "own-key",
    [`${OWN}:application_key`]: "own-app-key",
    [`${OWN}@home`]: "home-key",
    [`${OWN}@home:application_key`]: "home-app-key",
    [`${OWN}@work`]: "work-key",
    [`${OWN}:account`]: "of-all",
  };
  const keysFor = (stored: Readonly<Record<string, string>>, account?: string) =>
    withDepot({}, async ({ list, asked }) => {
      const credentials = {
        tenant: "t",
        ...(account === undefined ? {} : { accounts: new Map([["depot", account]]) }),
      };
      const labels = Object.keys(stored).flatMap((key) => accountOfKey(key, "depot") ?? []);
      const secrets = { ...memorySecrets({}, stored), accounts: () => labels };
      await list(TOP, { secrets, credentials });
      const [request] = asked();
      const { "x-api-key": first, "x-app-key": second } = request?.headers ?? {};
      return [first, second, request?.query.get("account")];
    });

  test("RUN-129 go with the account that is named: its own, else those that are the same for all", async () => {
    expect(await keysFor(ACCOUNTS)).toEqual(["own-key", "App own-app-key", "of-all"]);
    expect(await keysFor(ACCOUNTS, "home")).toEqual(["home-key", "App home-app-key", "of-all"]);
    expect(await keysFor(ACCOUNTS, "work")).toEqual(["work-key", "App own-app-key", "of-all"]);
  });

  test("RUN-129 go with the only account as well, though nobody names it", async () => {
    const { [OWN]: _own, [`${OWN}@work`]: _work, ...only } = ACCOUNTS;
    expect(await keysFor(only)).toEqual(["home-key", "App home-app-key", "of-all"]);
    const { [`${OWN}:application_key`]: _app, ...alone } = only;
    expect(await keysFor(alone)).toEqual(["home-key", "App home-app-key", "of-all"]);
    const catalog = depot({ backend: "http://127.0.0.1:1", top: TOP, list: "response: {}" });
    const at = (stored: Readonly<Record<string, string>>) => ({
      env: () => undefined,
      hosted: (key: string) => stored[key],
      accounts: () => ["home"],
      now: () => 0,
    });
    expect(credentialIsPresent(catalog, { tenant: "t" }, at(alone))).toBe(true);
    const { [`${OWN}@home:application_key`]: _key, ...none } = alone;
    expect(credentialIsPresent(catalog, { tenant: "t" }, at(none))).toBe(false);
  });

  test("in delegated mode each is the user's own", async () => {
    const stored = { [`ann ${OWN}`]: "anns" };
    const credentials = { tenant: "t", delegated: true, principal: "ann" };
    const { message, correction } = await missing({
      secrets: memorySecrets(ENV, stored),
      credentials,
    });
    expect(message).toContain("There is no application_key of the calling user for depot");
    expect(message).not.toContain("DEPOT_APP_KEY");
    expect(correction).toContain(
      "plasm auth set depot --key application_key --principal ann --tenant t",
    );
  });

  test("what the API repeats of any of them is masked", () => {
    const echo = { status: 400, json: { error: "app-key-2 and account-3 and first-key" } };
    return withDepot({ api: () => echo }, async ({ list }) => {
      const outcome = await list(TOP, { secrets: memorySecrets(ENV) });
      const text = JSON.stringify(outcome);
      for (const secret of Object.values(ENV)) expect(text).not.toContain(secret);
      expect(text).toContain("[redacted]");
    });
  });

  test("another catalog's are not read, and an envelope is none", async () => {
    const stolen = TOP.replace(
      "env: DEPOT_APP_KEY",
      `hosted_kv: "plasm:outbound:v1:catalog:yard:application_key"`,
    );
    const stored = { "plasm:outbound:v1:catalog:yard:application_key": "of-yard" };
    expect((await missing({ secrets: memorySecrets(ENV, stored) }, stolen)).message).toContain(
      "not looked at: it is kept for another catalog",
    );
    const envelope = JSON.stringify({ version: 1, entry_id: "depot", access_token: "a" });
    const kept = { [`${OWN}:application_key`]: envelope };
    expect((await missing({ secrets: memorySecrets(ENV, kept) })).message).toContain("an envelope");
  });

  test("a renewed token keeps them", () => {
    let issued = 0;
    const top = (url: string) => `auth:
  scheme: oauth2_client_credentials
  token_url: ${url}/oauth/token
  client_id_env: DEPOT_ID
  client_secret_env: DEPOT_SECRET
  also: [{ name: app, scheme: api_key_header, header: X-App-Key, env: DEPOT_APP_KEY }]`;
    const secrets = memorySecrets({ ...ENV, DEPOT_ID: "id", DEPOT_SECRET: "s3cret-s" });
    return withDepot(
      {
        token: () => ({ json: { access_token: `token-${(issued += 1)}`, token_type: "bearer" } }),
        api: ({ headers }) =>
          headers.authorization === "Bearer token-1"
            ? { status: 401, json: {} }
            : { json: { items: [] } },
      },
      async ({ list, asked, server }) => {
        expect((await list(top(server.url), { secrets })).status).toBe("succeeded");
        expect(asked().map(({ headers }) => headers["x-app-key"])).toEqual([
          "app-key-2",
          "app-key-2",
        ]);
      },
    );
  });

  test("all are needed before a catalog counts as having its credential (RUN-183)", () => {
    const catalog = depot({ backend: "http://127.0.0.1:1", top: TOP, list: "response: {}" });
    const optional = depot({
      backend: "http://127.0.0.1:1",
      top: TOP.replace("api_key_header\n  header: X-Api-Key", "bearer_token\n  optional_env: true"),
      list: "response: {}",
    });
    const has = (env: Readonly<Record<string, string>>, of = catalog) =>
      credentialIsPresent(
        of,
        { tenant: "t" },
        {
          env: (name) => env[name],
          hosted: () => undefined,
          now: () => 0,
        },
      );
    expect(has(ENV)).toBe(true);
    expect(has({ DEPOT_KEY: "a", DEPOT_ACCOUNT: "b" })).toBe(false);
    expect(has({}, optional)).toBe(true);
    expect(has({ DEPOT_KEY: "a" }, optional)).toBe(false);
    expect(credentialHelp(catalog)).toContain(
      "; and on the server run plasm auth set depot --key account",
    );
  });
});
