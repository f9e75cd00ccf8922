import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  OAUTH_CLIENT,
  type OAuthServer,
  type Person,
  startOAuthServer,
} from "@plasm/testkit/servers";
import { crates, depot } from "../../testing/depot-catalog.ts";
import { quickClock, run } from "../../testing/fixture-run.ts";
import { createHttpTransport } from "../../transport/http-transport.ts";
import { effectiveBackend } from "../effective-backend.ts";
import { openCredentialFiles } from "./credential-files.ts";
import { beginSignIn, type BegunSignIn, finishSignIn } from "./code-sign-in.ts";
import { beginDeviceSignIn } from "./device-sign-in.ts";
import {
  openOAuthProvider,
  providerSettings,
  secretFor,
  SignInError,
  type SignInSetting,
} from "./oauth-provider.ts";
import { fileSecrets } from "./secret-provider.ts";
import { ownCredentialIsPresent } from "./secret-sources.ts";
import { revokeEnvelope } from "./sign-in.ts";
import { defaultScopes } from "./scopes.ts";
import { createTokenCache } from "./token-credential.ts";

const REDIRECT = "http://127.0.0.1:7777/callback";
const ANN: Person = { name: "ann" };
const KEY = "plasm:outbound:v1:catalog:depot";
const owner = { key: KEY, tenant: null, principal: null };

let oauth: OAuthServer;
let dataDir: string;
beforeEach(async () => {
  oauth = await startOAuthServer();
  dataDir = await mkdtemp(join(tmpdir(), "plasm-sign-in-"));
});
afterEach(async () => {
  await oauth.close();
  await rm(dataDir, { recursive: true, force: true });
});

type Environment = Readonly<Record<string, string>>;

const files = () => openCredentialFiles(dataDir, () => Date.now(), {});

/** The deployment names the issuer; the catalog names who it is. */
const environment = (more: Environment = {}): Environment => ({
  PLASM_OAUTH_DEPOT_ID_ISSUER: oauth.url,
  PLASM_OAUTH_DEPOT_ID_CLIENT_ID: OAUTH_CLIENT,
  ...more,
});

const catalogWith = (
  oauthBlock = "{ provider: depot-id, scopes: { boats.read: {}, offline_access: {} } }",
  backend = oauth.url,
) =>
  depot({
    backend,
    top: `auth: { scheme: oauth_bearer, env: DEPOT_TOKEN }\noauth: ${oauthBlock}`,
    list: "response: { items: items }",
  });

function setting(env: Environment = environment(), catalog = catalogWith()): SignInSetting {
  return {
    catalog,
    backend: effectiveBackend(catalog, new Map()),
    transport: createHttpTransport(),
    env: (name) => env[name],
    now: () => Date.now(),
  };
}

/** Lets another server of this machine be asked, too. */
const trusting = (url: string): Environment => ({ PLASM_OAUTH_DEPOT_ID_REVOKE_URL: `${url}/r` });

/** Whether calls have what they need. */
const present = (): boolean =>
  ownCredentialIsPresent(
    catalogWith(),
    { tenant: "t" },
    {
      env: () => undefined,
      hosted: (key) => files().find(key, { tenant: "t" }),
      now: () => Date.now(),
    },
  );

/** Lists crates with what is stored, as a server of its own would. */
async function list(env: Environment = environment()) {
  const secrets = fileSecrets(env, files());
  const clock = quickClock(Date.now());
  const catalog = catalogWith();
  const outcome = await run(
    { catalogs: [catalog], backends: {}, secrets, clock, tokens: createTokenCache() },
    [crates()],
  );
  return outcome.nodes[0]?.error ?? outcome.status;
}

const consented = async ({ url }: BegunSignIn, person = ANN): Promise<URLSearchParams> =>
  (await oauth.visit(url, person)).searchParams;

async function signIn(of = setting()): Promise<string> {
  const begun = await beginSignIn(of, REDIRECT);
  return finishSignIn(of, begun.pending, await consented(begun));
}

const failing = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "it worked",
    (thrown: unknown) =>
      thrown instanceof SignInError ? thrown.message : `defect: ${String(thrown)}`,
  );

describe("RUN-127: sign-in by authorization code with PKCE", () => {
  test("from the link to rows; the token is refreshed where the metadata says, and the new one is kept", async () => {
    await files().set(owner, await signIn(), "set", "ann");
    expect(await list()).toBe("succeeded");
    oauth.endAccessTokens();
    expect(await list()).toBe("succeeded");
    oauth.endAccessTokens();
    expect(await list()).toBe("succeeded");
    expect(oauth.calls.filter(({ person }) => person === "ann")).toHaveLength(3);
    expect(oauth.asked.filter((path) => path === "POST /token")).toHaveLength(3);
  });

  test("RUN-128 a refresh that is refused ends the sign-in: it is no credential any more, and nothing is sent with it", async () => {
    await files().set(owner, await signIn(), "set", "ann");
    expect(await list()).toBe("succeeded");
    await revokeEnvelope(setting(), files().read(owner) ?? "");
    expect(present()).toBe(true);
    expect(await list()).toMatchObject({ code: "auth_refused" });
    expect(present()).toBe(false);
    const before = [oauth.calls.length, oauth.asked.length];
    expect(await list()).toMatchObject({ code: "auth_missing" });
    expect([oauth.calls.length, oauth.asked.length]).toEqual(before);
    await files().set(owner, await signIn(), "set", "ann");
    expect(await list()).toBe("succeeded");
  });

  test("RUN-123 a refresh that another reason keeps from its token ends nothing", async () => {
    await files().set(owner, await signIn(), "set", "ann");
    expect(await list()).toBe("succeeded");
    oauth.endAccessTokens();
    oauth.refuses = { status: 400, error: "invalid_client" };
    expect(await list()).toMatchObject({ code: "auth_refused" });
    expect(present()).toBe(true);
    oauth.refuses = { status: 403, error: "access_denied" };
    expect([await list(), present()]).toMatchObject([{ code: "auth_refused" }, true]);
    oauth.refuses = { status: 503, error: "down" };
    expect(await list()).toMatchObject({ code: "upstream_error", retryable: true });
    oauth.refuses = null;
    expect(await list()).toBe("succeeded");
  });

  const OF_GRANT = ["bad_refresh_token", "invalid_refresh_token", "token_expired", "token_revoked"];
  test.each(OF_GRANT)("RUN-123 %s ends the sign-in as invalid_grant does", async (error) => {
    await files().set(owner, await signIn(), "set", "ann");
    await list();
    oauth.endAccessTokens();
    oauth.refuses = { status: 400, error };
    expect([await list(), present()]).toMatchObject([{ code: "auth_refused" }, false]);
  });

  test("RUN-123 what was put in place meanwhile is refreshed where it came from", async () => {
    const first = await signIn();
    const other = await startOAuthServer();
    try {
      const at = { ...environment(), PLASM_OAUTH_DEPOT_ID_ISSUER: other.url };
      const begun = await beginSignIn(setting(at), REDIRECT);
      const back = (await other.visit(begun.url, ANN)).searchParams;
      const second = JSON.parse(await finishSignIn(setting(at), begun.pending, back)) as object;
      // Both have ended, and do not say of which sign-in they are; the second comes while a run holds the first.
      const ended = { expires_at_unix: 1, sign_in: undefined };
      const values = [JSON.stringify({ ...JSON.parse(first), ...ended })];
      const standing = JSON.stringify({ ...second, ...ended });
      const kept: string[] = [];
      const secrets = {
        ...fileSecrets({ ...environment(), ...trusting(other.url) }, files()),
        hosted: () => Promise.resolve(values.shift() ?? standing),
        keepHosted: (_key: string, _scope: unknown, before: string, value: string) => {
          expect(before).toBe(standing);
          kept.push(value);
          return Promise.resolve();
        },
      };
      const outcome = await run(
        {
          catalogs: [catalogWith(undefined, other.url)],
          backends: {},
          secrets,
          clock: quickClock(Date.now()),
          tokens: createTokenCache(),
        },
        [crates()],
      );
      expect(outcome.nodes[0]?.error ?? outcome.status).toBe("succeeded");
      expect(oauth.asked.filter((path) => path === "POST /token")).toHaveLength(1);
      expect(kept.map((text) => JSON.parse(text))).toMatchObject([
        { token_url: `${other.url}/token` },
      ]);
    } finally {
      await other.close();
    }
  });

  test("the address asks for a code with S256, a state, and the catalog's scopes, and comes back to us alone", async () => {
    const { url } = await beginSignIn(setting(), REDIRECT);
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: REDIRECT,
      scope: "boats.read offline_access",
      state: expect.stringMatching(/^.{43}$/),
    });
  });

  test("without an application's id one is registered (RFC 7591), and its token refreshed as that", async () => {
    const env = { PLASM_OAUTH_DEPOT_ID_ISSUER: oauth.url };
    const envelope = await signIn(setting(env));
    expect(JSON.parse(envelope)).toMatchObject({
      version: 1,
      entry_id: "depot",
      token_url: `${oauth.url}/token`,
    });
    await files().set(owner, envelope, "set", "ann");
    expect(await list(env)).toBe("succeeded");
    oauth.endAccessTokens();
    expect(await list(env)).toBe("succeeded");
  });

  test("two replicas that refresh at once spend the refresh token once", async () => {
    await files().set(owner, await signIn(), "set", "ann");
    await list();
    oauth.endAccessTokens();
    const before = oauth.asked.length;
    expect(await Promise.all([list(), list(), list()])).toEqual([
      "succeeded",
      "succeeded",
      "succeeded",
    ]);
    expect(oauth.asked.slice(before)).toEqual(["POST /token"]);
  });

  test("a revoked token is told with what to do: its run ends, and nothing else is tried", async () => {
    const envelope = await signIn();
    await files().set(owner, envelope, "set", "ann");
    expect(await revokeEnvelope(setting(), envelope)).toBe(true);
    const error = await list();
    expect(error).toMatchObject({ code: "auth_refused" });
    expect(error).toMatchObject({ correction: expect.stringContaining("plasm auth login depot") });
  });
});

describe("RUN-127: what a catalog cannot say", () => {
  const EVIL = "https://evil.example";
  const greedy = (more = "") =>
    catalogWith(
      `{ provider: depot-id, token_url: ${EVIL}/t, device_url: ${EVIL}/d, revoke_url: ${EVIL}/r${more} }`,
    );
  const addresses = async (env: Environment, catalog = greedy()) => {
    const { server } = await openOAuthProvider(setting(env, catalog));
    const { token_endpoint: token, device_authorization_endpoint: device } = server;
    return [server.authorization_endpoint, token, device, server.revocation_endpoint];
  };

  test("where the deployment names the issuer, nothing goes elsewhere", async () => {
    for (const secret of [{}, { PLASM_OAUTH_DEPOT_ID_CLIENT_SECRET: "s" }]) {
      const catalog = greedy(`, issuer: "${EVIL}", authorize_url: "${EVIL}/a"`);
      for (const address of await addresses(environment(secret), catalog)) {
        expect(address).toContain(oauth.url);
      }
    }
  });

  test("a secret of the deployment goes where the deployment says", async () => {
    const env = {
      PLASM_OAUTH_DEPOT_ID_CLIENT_ID: OAUTH_CLIENT,
      PLASM_OAUTH_DEPOT_ID_CLIENT_SECRET: "s",
      PLASM_OAUTH_DEPOT_ID_TOKEN_URL: `${oauth.url}/token`,
    };
    expect(await addresses(env)).toEqual([undefined, `${oauth.url}/token`, undefined, undefined]);
    const { PLASM_OAUTH_DEPOT_ID_CLIENT_SECRET: _, ...open } = env;
    expect(await addresses(open)).toEqual([
      undefined,
      `${oauth.url}/token`,
      `${EVIL}/d`,
      `${EVIL}/r`,
    ]);
  });

  test.each([
    ["at the address that it names", { tokenUrl: "https://id/t" }, true],
    ["where its issuer said", { tokenUrl: "https://id/other", issuer: "https://id" }, true],
    ["where a catalog said", { tokenUrl: "https://evil/t" }, false],
    ["where another issuer said", { tokenUrl: "https://evil/t", issuer: "https://evil" }, false],
    ["to another application", { tokenUrl: "https://id/t", clientId: "else" }, false],
  ])("RUN-123 it is sent with a refresh %s: %j is %s", (_, client, expected) => {
    const settings = providerSettings(
      "id",
      (name) =>
        ({ ISSUER: "https://id", TOKEN_URL: "https://id/t", CLIENT_ID: "app", CLIENT_SECRET: "s" })[
          name.replace("PLASM_OAUTH_ID_", "")
        ],
    );
    const of = { clientSecret: null, revokeUrl: null, issuer: null, signIn: null };
    expect(secretFor({ clientId: "app", ...of, ...client }, settings)).toBe(expected ? "s" : null);
  });

  test("without a set called default the smallest set of scopes is asked for, not all", () => {
    const sets = "admin: { scopes: [boats.all, boats.read] }, read: { scopes: [boats.read] }";
    const catalog = catalogWith(
      `{ provider: depot-id, scopes: { boats.read: {}, boats.all: {} }, default_scope_sets: { ${sets} } }`,
    );
    expect(defaultScopes(catalog)).toEqual(["boats.read"]);
  });
});

describe("RUN-127: what goes wrong connects nothing, and is told", () => {
  test("consent refused", async () => {
    const begun = await beginSignIn(setting(), REDIRECT);
    const answer = await consented(begun, { name: "ann", refuses: true });
    expect(await failing(finishSignIn(setting(), begun.pending, answer))).toBe(
      'Consent was refused ("access_denied: the person said no"): depot is not connected.',
    );
  });

  test.each<[string, (answer: URLSearchParams) => void, string]>([
    [
      "wrong state",
      (answer) => answer.set("state", "x"),
      "does not belong to the sign-in under way",
    ],
    ["no state", (answer) => answer.delete("state"), "does not belong to the sign-in under way"],
    [
      "a state twice",
      (answer) => answer.append("state", "x"),
      "does not belong to the sign-in under way",
    ],
    [
      "a mixed-up issuer",
      (answer) => answer.set("iss", "https://evil.example"),
      "comes from another sign-in server",
    ],
    ["no issuer", (answer) => answer.delete("iss"), "comes from another sign-in server"],
    [
      "a code that was not given",
      (answer) => answer.set("code", "made-up"),
      "refuses the code of depot",
    ],
  ])("%s", async (_name, change, words) => {
    const begun = await beginSignIn(setting(), REDIRECT);
    const answer = await consented(begun);
    change(answer);
    expect(await failing(finishSignIn(setting(), begun.pending, answer))).toContain(words);
  });

  test("a replayed code", async () => {
    const begun = await beginSignIn(setting(), REDIRECT);
    const answer = await consented(begun);
    await finishSignIn(setting(), begun.pending, answer);
    expect(await failing(finishSignIn(setting(), begun.pending, answer))).toContain(
      "refuses the code of depot",
    );
  });

  test("a stolen code: without the verifier of its own sign-in it is good for nothing", async () => {
    const [one, other] = [
      await beginSignIn(setting(), REDIRECT),
      await beginSignIn(setting(), REDIRECT),
    ];
    const answer = await consented(one);
    answer.set("state", other.pending.state);
    expect(await failing(finishSignIn(setting(), other.pending, answer))).toContain(
      "refuses the code of depot",
    );
  });

  test("a foreign redirect address is refused by the server, which leads the browser nowhere", async () => {
    const { url } = await beginSignIn(setting(), "https://evil.example/callback");
    expect((await oauth.visit(url, ANN)).origin).toBe(oauth.url);
  });

  test("the server is down", async () => {
    const begun = await beginSignIn(setting(), REDIRECT);
    const answer = await consented(begun);
    oauth.down = true;
    expect(await failing(beginSignIn(setting(), REDIRECT))).toContain("answered 503; try again");
    expect(await failing(finishSignIn(setting(), begun.pending, answer))).toContain(
      "answered 503. To mend it, try again later",
    );
    await oauth.close();
    expect(await failing(beginSignIn(setting(), REDIRECT))).toContain("gave no answer");
    oauth = await startOAuthServer();
  });

  test("a server that calls itself something else than its addresses are at needs an issuer, which publishes nothing", async () => {
    // The issuer of this server publishes no metadata where it says that it is.
    const issuer = `${oauth.url}/tenant`;
    const addresses = {
      PLASM_OAUTH_DEPOT_ID_AUTHORIZE_URL: `${oauth.url}/auth`,
      PLASM_OAUTH_DEPOT_ID_TOKEN_URL: `${oauth.url}/token`,
      PLASM_OAUTH_DEPOT_ID_CLIENT_ID: OAUTH_CLIENT,
    };
    const named = setting({ ...addresses, PLASM_OAUTH_DEPOT_ID_ISSUER: issuer });
    const begun = await beginSignIn(named, REDIRECT);
    const answer = await consented(begun);
    expect(await failing(finishSignIn(named, begun.pending, answer))).toContain(
      `(${oauth.url} instead of ${issuer})`,
    );
    const again = await beginSignIn(named, REDIRECT);
    const other = await consented(again);
    other.set("iss", issuer);
    expect(await finishSignIn(named, again.pending, other)).toContain("access_token");
    // Without one the operator is told which setting names it.
    const nameless = await beginSignIn(setting(addresses), REDIRECT);
    const foreign = await consented(nameless);
    foreign.set("iss", issuer);
    expect(await failing(finishSignIn(setting(addresses), nameless.pending, foreign))).toContain(
      "PLASM_OAUTH_DEPOT_ID_ISSUER",
    );
  });

  test("metadata of another issuer", async () => {
    const issuer = oauth.url.replace("127.0.0.1", "localhost");
    const env = environment({ PLASM_OAUTH_DEPOT_ID_ISSUER: issuer });
    const told = await failing(beginSignIn(setting(env), REDIRECT));
    expect(told).toContain("is not that of this server");
  });

  test.each<[string, string, Environment, string]>([
    [
      "a catalog that does not say how",
      "{ provider: depot-id }",
      {},
      "does not say how people sign in",
    ],
    [
      "an application's secret, which goes where the deployment says alone",
      "{ provider: depot-id, issuer: https://id.evil.example }",
      { PLASM_OAUTH_DEPOT_ID_CLIENT_SECRET: "s3cret" },
      "PLASM_OAUTH_DEPOT_ID_CLIENT_SECRET is sent only where the deployment says",
    ],
    [
      "a private address that a catalog names",
      "{ provider: depot-id, issuer: https://10.0.0.1 }",
      {},
      "is a private address, which only the deployment may name",
    ],
  ])("%s", async (_name, block, env, words) => {
    expect(await failing(beginSignIn(setting(env, catalogWith(block)), REDIRECT))).toContain(words);
    expect(oauth.asked).toEqual([]);
  });
});

describe("RUN-127: sign-in on another device (RFC 8628)", () => {
  test("a code is entered elsewhere, and the token comes here", async () => {
    const device = await beginDeviceSignIn(setting());
    expect(device.code).not.toBe("");
    let asked = 0;
    const envelope = await device.wait(async () => {
      asked += 1;
      if (asked === 2) await oauth.enterCode(device.wholeUrl ?? "", ANN);
    });
    await files().set(owner, envelope, "set", "ann");
    expect(await list()).toBe("succeeded");
    expect(oauth.calls.at(-1)?.person).toBe("ann");
  });

  test("consent refused", async () => {
    const device = await beginDeviceSignIn(setting());
    const waiting = failing(
      device.wait(() => oauth.enterCode(device.wholeUrl ?? "", { name: "ann", refuses: true })),
    );
    expect(await waiting).toBe("Consent was refused: depot is not connected.");
  });

  test("a server that is down for a while costs no code", async () => {
    const device = await beginDeviceSignIn(setting());
    let asked = 0;
    const envelope = await device.wait(async () => {
      asked += 1;
      oauth.down = asked === 1;
      if (asked === 2) await oauth.enterCode(device.wholeUrl ?? "", ANN);
    });
    expect(envelope).toContain("access_token");
  });

  test("a code that nobody enters", async () => {
    let now = Date.now();
    const device = await beginDeviceSignIn({ ...setting(), now: () => now });
    const waiting = device.wait(async () => void (now += 30_000));
    expect(await failing(waiting)).toContain("The code has expired");
  });
});
