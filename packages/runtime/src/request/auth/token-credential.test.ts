import { describe, expect, test } from "vitest";
import type { Reply } from "@plasm/testkit/servers";
import { quickClock } from "../../testing/fixture-run.ts";
import { memorySecrets, withDepot } from "../../testing/guarded-depot.ts";
import { createTokenCache } from "./token-credential.ts";

const TOP = `auth:
  scheme: oauth2_client_credentials
  token_url: http://TOKENS/oauth/token
  client_id_env: DEPOT_ID
  client_secret_env: DEPOT_SECRET
  scopes: [crates.read, crates.write]`;

const topAt = (url: string): string => TOP.replace("http://TOKENS", url);
const secrets = () => memorySecrets({ DEPOT_ID: "plasm-client", DEPOT_SECRET: "cl13nt/s3cret" });

/** Numbers its tokens. */
function issuing(more: object = {}) {
  let issued = 0;
  return (): Reply => ({
    json: { access_token: `token-${++issued}`, token_type: "bearer", ...more },
  });
}

describe("RUN-122: client credentials", () => {
  test("are a form POST; its token is the bearer's", () =>
    withDepot({ token: issuing() }, async ({ list, server, asked, tokens }) => {
      const outcome = await list(topAt(server.url), { secrets: secrets() });
      expect(outcome.status).toBe("succeeded");
      const [request] = tokens();
      expect(Object.fromEntries(request?.form ?? [])).toEqual({
        grant_type: "client_credentials",
        client_id: "plasm-client",
        client_secret: "cl13nt/s3cret",
        scope: "crates.read crates.write",
      });
      expect(request?.headers["content-type"]).toContain("application/x-www-form-urlencoded");
      expect(asked().map(({ headers }) => headers.authorization)).toEqual(["Bearer token-1"]);
      // A token request is not one of the run's.
      expect(outcome.budget.requests).toBe(1);
    }));

  test.each([
    ["without expires_in after 3,600 s", {}, 3_600],
    ["with it, also as text", { expires_in: "120" }, 120],
  ])("the token is renewed 30 s early: %s", (_name, answer, lifetime) =>
    withDepot({ token: issuing(answer) }, async ({ list, server, tokens }) => {
      const clock = quickClock();
      const setting = { secrets: secrets(), clock, tokens: createTokenCache() };
      const at = async (seconds: number): Promise<number> => {
        await clock.sleep(seconds * 1000 - (clock.now() - start));
        expect((await list(topAt(server.url), setting)).status).toBe("succeeded");
        return tokens().length;
      };
      const start = clock.now();
      expect(await at(0)).toBe(1);
      expect(await at(lifetime - 31)).toBe(1);
      expect(await at(lifetime - 29)).toBe(2);
    }),
  );

  test("one renewal at a time", () =>
    withDepot({ token: issuing() }, async ({ list, server, tokens }) => {
      const setting = { secrets: secrets(), tokens: createTokenCache() };
      const runs = Array.from({ length: 5 }, () => list(topAt(server.url), setting));
      expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(
        Array.from({ length: 5 }, () => "succeeded"),
      );
      expect(tokens()).toHaveLength(1);
    }));

  test("a server that wants the secret as Basic credentials gets it so (RFC 6749, 2.3.1)", () => {
    const token = (form: URLSearchParams): Reply =>
      form.has("client_secret") ? { status: 401, json: { error: "invalid_client" } } : issuing()();
    return withDepot({ token }, async ({ list, server, tokens }) => {
      expect((await list(topAt(server.url), { secrets: secrets() })).status).toBe("succeeded");
      const [first, second] = tokens().map(({ headers }) => headers.authorization);
      expect(first).toBeUndefined();
      const basic = Buffer.from(second?.replace("Basic ", "") ?? "", "base64").toString();
      expect(decodeURIComponent(basic)).toBe("plasm-client:cl13nt/s3cret");
    });
  });

  test("stored with plasm auth, in place of the environment's", () =>
    withDepot({ token: issuing() }, async ({ list, server, tokens }) => {
      const own = "plasm:outbound:v1:catalog:depot";
      const stored = { [`${own}:client_id`]: "other", [`${own}:client_secret`]: "s" };
      await list(topAt(server.url), { secrets: memorySecrets({ DEPOT_ID: "x" }, stored) });
      expect(tokens()[0]?.form.get("client_id")).toBe("other");
    }));

  test("a session's token stands for the exchange", () =>
    withDepot({}, async ({ list, server, asked, tokens }) => {
      const credentials = { tenant: "t", session: new Map([["depot", "mine"]]) };
      await list(topAt(server.url), { secrets: secrets(), credentials });
      expect(tokens()).toEqual([]);
      expect(asked()[0]?.headers.authorization).toBe("Bearer mine");
    }));
});

describe("what keeps a token from coming", () => {
  test.each<[string, Reply, string, RegExp]>([
    [
      "a refused client",
      { status: 401, json: { error: "invalid_client", error_description: "cl13nt/s3cret no" } },
      "auth_refused",
      /refuses the client id or secret of depot \(401\): "invalid_client: \[redacted\] no"/,
    ],
    ["an error under 200", { json: { error: "invalid_scope" } }, "auth_refused", /"invalid_scope"/],
    ["markup", { text: "<html>" }, "upstream_error", /answered no token/],
    ["no access_token", { json: { token: "x" } }, "upstream_error", /answered no token/],
    ["a broken server", { status: 500, text: "oops" }, "upstream_error", /answered 500/],
    ["a lost connection", { hangUp: true }, "upstream_error", /gave no answer/],
  ])("%s", (_name, reply, code, message) =>
    withDepot({ token: () => reply }, async ({ list, server, asked }) => {
      const outcome = await list(topAt(server.url), { secrets: secrets() });
      const error = outcome.nodes[0]?.error;
      expect(error?.code).toBe(code);
      expect(error?.message).toMatch(message);
      expect(error?.request).toMatchObject({ method: "POST", pathTemplate: "/oauth/token" });
      expect(JSON.stringify(outcome)).not.toContain("s3cret");
      expect(asked()).toEqual([]);
    }),
  );

  test("auth_missing names the sources of the part that is missing", () =>
    withDepot({}, async ({ list, server }) => {
      const setting = { secrets: memorySecrets({ DEPOT_ID: "x" }) };
      const error = (await list(topAt(server.url), setting)).nodes[0]?.error;
      expect(error?.code).toBe("auth_missing");
      expect(error?.message).toContain("environment variable DEPOT_SECRET");
      expect(error?.correction).toContain("plasm auth set depot --client-id ID");
      expect(server.log).toEqual([]);
    }));

  test.each([
    ["another private address", "http://127.0.0.2:1/token", "is not https"],
    ["a private address over TLS", "https://127.0.0.2:1/token", "is at a private address"],
    ["no URL", "tokens", "is no http(s) URL"],
  ])("RUN-140 the client secret goes to no %s", (_name, tokenUrl, words) =>
    withDepot({}, async ({ list }) => {
      const top = TOP.replace("http://TOKENS/oauth/token", tokenUrl);
      const error = (await list(top, { secrets: secrets() })).nodes[0]?.error;
      expect(error).toMatchObject({ code: "origin_refused" });
      expect(error?.message).toContain(words);
    }),
  );
});
