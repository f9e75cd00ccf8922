import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Failure } from "../errors/problem.ts";
import { keyServer, type KeyServer, signed, signedBy, signingKey } from "../../test/key-server.ts";
import { type KeyFetching, type TokenIssuer, tokenVerifier, type VerifyToken } from "./tokens.ts";

const SECRET = new TextEncoder().encode("a secret of thirty-two bytes, at least");
const FETCHING: KeyFetching = { fetch: (url, init) => fetch(url, init) };

const bySecret = (more: Partial<TokenIssuer> = {}): TokenIssuer => ({
  issuer: null,
  audiences: [],
  keys: { kind: "secret", secret: SECRET },
  tenants: "own",
  roles: null,
  scopes: { call: null, effects: null },
  ...more,
});
const byKeys = ({ url }: KeyServer, more: Partial<TokenIssuer> = {}): TokenIssuer =>
  bySecret({ keys: { kind: "jwks", url }, ...more });

const servers: KeyServer[] = [];
async function served(...ids: readonly string[]) {
  const keys = await Promise.all(ids.map((id) => signingKey(id)));
  const server = await keyServer(...keys);
  servers.push(server);
  return { server, keys, key: keys[0] ?? (await signingKey("none")) };
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** What a token comes to: the scope and subject of a caller, or the code and text of a refusal. */
async function told(verify: VerifyToken, token: string): Promise<string> {
  try {
    const { scope, subject } = (await verify(token)).caller;
    return `${scope} · ${subject}`;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return `${thrown.problem.code}: ${thrown.problem.text}`;
  }
}

const refused = (why: string): string =>
  `plasm-unauthenticated: The token is not accepted: ${why}.`;
const past = Math.floor(Date.now() / 1000) - 60;

test("SURF-23 a setting names the claim of the user, where sub is another one for each application", async () => {
  const verify = tokenVerifier([bySecret({ subjectClaim: "employee" })], FETCHING);
  const token = (claims: object) => signedBy(SECRET, { tenant: "acme", sub: "x7", ...claims });
  expect(await told(verify, await token({ employee: "ann" }))).toContain("acme · ann");
  expect(await told(verify, await token({ employee: 7 }))).toBe(
    refused("its employee is not text"),
  );
  expect(await told(verify, await token({}))).toContain("plasm-unauthenticated");
  const byMail = tokenVerifier([bySecret({ subjectClaim: "email" })], FETCHING);
  const mail = { email: "ann@mail.example" };
  expect(await told(byMail, await token({ ...mail, email_verified: true }))).toContain(
    "acme · ann@",
  );
  expect(await told(byMail, await token({ ...mail, email_verified: false }))).toBe(
    refused("its email is not verified, so that anybody could have taken it"),
  );
});

describe("SURF-23 tokens by a secret", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["tenant_id comes first", { tenant_id: "a", tid: "b", tenant: "c" }, "jwt|tenant|a · ann"],
    ["then tid", { tid: "b", tenant: "c" }, "jwt|tenant|b · ann"],
    ["then tenant", { tenant: "c" }, "jwt|tenant|c · ann"],
    ["an issuer is part of the scope", { iss: "i", tenant: "c" }, "i|tenant|c · ann"],
    ["none: a scope of its own", { iss: "i" }, "i|subject|ann · ann"],
    ["none: another subject's is another", { iss: "i", sub: "bob" }, "i|subject|bob · bob"],
    [
      "what parts a scope cannot be feigned",
      { iss: "i|tenant|x" },
      "i%7Ctenant%7Cx|subject|ann · ann",
    ],
    ["no exp", { exp: undefined }, refused("it has no exp")],
    ["no sub", { sub: undefined }, refused("it has no sub")],
    ["a blank sub", { sub: "" }, refused("its sub cannot be the name of a user")],
    ["18.19 a sub of blanks", { sub: "  " }, refused("its sub cannot be the name of a user")],
    [
      "18.19 a sub that looks like another one: a blank behind it",
      { sub: "ann " },
      refused("its sub cannot be the name of a user"),
    ],
    [
      "18.19 a sub with a letter that nobody sees",
      { sub: "a\u200bnn" },
      refused("its sub cannot be the name of a user"),
    ],
    ["a sub with a blank within", { sub: "ann lee", tenant: "acme" }, "jwt|tenant|acme · ann lee"],
    ["a sub that acts", { sub: "a\u001b[2J" }, refused("its sub cannot be the name of a user")],
    ["expired", { exp: past }, refused("it has expired")],
    ["not yet", { nbf: past + 3_600 }, refused("its nbf is not right here")],
    ["anonymous", { tenant: "anonymous" }, refused("its tenant cannot be the name of a tenant")],
    ["Anonymous", { tid: "Anonymous" }, refused("its tid cannot be the name of a tenant")],
    [
      "an issuer anonymous",
      { iss: "anonymous" },
      refused("its iss cannot be the name of an issuer"),
    ],
    [
      "a tenant that is no text",
      { tenant_id: 7 },
      refused("its tenant_id cannot be the name of a tenant"),
    ],
    ["a blank tenant", { tenant: " " }, refused("its tenant cannot be the name of a tenant")],
    [
      "a tenant that parts",
      { tenant: "a|b" },
      refused("its tenant cannot be the name of a tenant"),
    ],
    ["18.19 a sub that is a number", { sub: 7 }, refused("its sub is not text")],
    ["18.19 a sub that is a list", { sub: ["ann"] }, refused("its sub is not text")],
    ["18.19 an exp that is text", { exp: "4000000000" }, refused("its exp is not right here")],
    [
      "18.19 an exp years ahead",
      { exp: past + 4 * 365 * 86_400 },
      refused("its exp is more than 366 days ahead"),
    ],
    [
      "18.19 a tenant in another Unicode form",
      { tenant: "cafe\u0301" },
      "jwt|tenant|caf\u00e9 · ann",
    ],
    [
      "18.19 a tenant with a character that nobody sees",
      { tenant: "ac\u200bme" },
      refused("its tenant cannot be the name of a tenant"),
    ],
    [
      "18.19 anonymous in wide letters",
      { tenant: "\uff41nonymous" },
      refused("its tenant cannot be the name of a tenant"),
    ],
  ])("%s", async (_, claims, expected) => {
    const verify = tokenVerifier([bySecret()], FETCHING);
    expect(await told(verify, await signedBy(SECRET, claims))).toBe(expected);
  });

  test("18.19 an exp beyond all numbers is refused", async () => {
    const verify = tokenVerifier([bySecret()], FETCHING);
    const part = (text: string) => Buffer.from(text).toString("base64url");
    const said = `${part('{"alg":"HS256"}')}.${part('{"sub":"ann","exp":1e999}')}`;
    const token = `${said}.${createHmac("sha256", SECRET).update(said).digest("base64url")}`;
    expect(await told(verify, token)).toMatch(/^plasm-unauthenticated: .*its exp /);
  });

  test("iss and aud are checked where they are configured", async () => {
    const verify = tokenVerifier(
      [bySecret({ issuer: "us", audiences: ["plasm", "other"] })],
      FETCHING,
    );
    const good = { iss: "us", aud: ["x", "plasm"], tenant: "t" };
    expect(await told(verify, await signedBy(SECRET, good))).toBe("us|tenant|t · ann");
    const token = (more: object) => signedBy(SECRET, { ...good, ...more });
    expect(await told(verify, await token({ iss: "them" }))).toBe(
      refused("its iss is not right here"),
    );
    expect(await told(verify, await token({ iss: undefined }))).toBe(
      refused("its iss is not right here"),
    );
    expect(await told(verify, await token({ aud: "x" }))).toBe(
      refused("its aud is not right here"),
    );
    expect(await told(verify, await token({ aud: undefined }))).toBe(refused("it has no aud"));
  });

  test("another secret, algorithm, or no token at all is refused, and nothing of it is repeated", async () => {
    const verify = tokenVerifier([bySecret()], FETCHING);
    const other = new TextEncoder().encode("another secret of thirty-two bytes or so");
    const bytes = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = bytes({ sub: "ann", exp: past + 7_200 });
    const tokens = [
      await signedBy(other),
      await signedBy(SECRET, {}, "HS512"),
      `${bytes({ alg: "none" })}.${claims}.`,
      `${bytes({ alg: "HS256" })}.${claims}.`,
      "junk",
      "a.b.c",
    ];
    for (const token of tokens) {
      const answer = await told(verify, token);
      expect(answer).toMatch(/^plasm-unauthenticated: The token is not accepted: it/);
      expect(answer).not.toContain(token);
    }
  });

  test("act_as and service are the credential's to say (SURF-24)", async () => {
    const verify = tokenVerifier([bySecret()], FETCHING);
    const claims = { act_as: ["bob", 7, ""], service: true };
    expect((await verify(await signedBy(SECRET, claims))).caller).toMatchObject({
      actAs: ["bob"],
      service: true,
    });
    const { caller: plain } = await verify(
      await signedBy(SECRET, { act_as: "bob", service: "yes" }),
    );
    expect(plain).toEqual({
      scope: "jwt|subject|ann",
      subject: "ann",
      connection: null,
      credential: { kind: "token" },
    });
  });
});

describe("SURF-23 tokens by the keys of an issuer", () => {
  test.each(["RS256", "ES256"] as const)("%s", async (alg) => {
    const key = await signingKey("k", alg);
    const server = await keyServer(key);
    servers.push(server);
    const verify = tokenVerifier([byKeys(server, { issuer: "i" })], FETCHING);
    const token = await signed(key, { iss: "i", tenant: "t" });
    expect(await told(verify, token)).toBe("i|tenant|t · ann");
    expect(await told(verify, token)).toBe("i|tenant|t · ann");
    expect(server.requests).toBe(1);
  });

  test("another algorithm is refused, though its key is the issuer's", async () => {
    const key = await signingKey("k", "PS256");
    const server = await keyServer(key);
    servers.push(server);
    const verify = tokenVerifier([byKeys(server)], FETCHING);
    expect(await told(verify, await signed(key))).toBe(refused("its algorithm is not taken"));
  });

  test("a public key is no secret: what it signs by HS256 is refused", async () => {
    const { server, key } = await served("k");
    const verify = tokenVerifier([byKeys(server)], FETCHING);
    const secret = new TextEncoder().encode(JSON.stringify(key.publicJwk));
    expect(await told(verify, await signedBy(secret))).toBe(refused("its algorithm is not taken"));
  });

  test("a key that came since is fetched, once in a while at most", async () => {
    const { server, key } = await served("old");
    const fresh = await signingKey("new");
    const eager = tokenVerifier([byKeys(server)], { ...FETCHING, cooldownMs: 0 });
    const slow = tokenVerifier([byKeys(server)], { ...FETCHING, cooldownMs: 3_600_000 });
    for (const verify of [eager, slow])
      expect(await told(verify, await signed(key))).toMatch(/ann$/);
    expect(server.requests).toBe(2);
    server.keys = [fresh];
    const token = await signed(fresh);
    expect(await told(eager, token)).toMatch(/ann$/);
    expect(await told(eager, await signed(key))).toBe(refused("its key is none of the issuer's"));
    expect(server.requests).toBe(4);
    for (const one of [token, token, await signed(await signingKey("third"))]) {
      expect(await told(slow, one)).toBe(refused("its key is none of the issuer's"));
    }
    expect(server.requests).toBe(4);
  });

  test("keys that cannot be had say nothing of a token, and are not asked for all the time", async () => {
    const { server, key } = await served("k");
    server.broken = 500;
    const token = await signed(key);
    const verify = tokenVerifier([byKeys(server)], { ...FETCHING, cooldownMs: 3_600_000 });
    const unavailable =
      "plasm-upstream-error: The keys of the token's issuer cannot be had now. Try again.";
    expect(await told(verify, token)).toBe(unavailable);
    expect(await told(verify, token)).toBe(unavailable);
    expect(server.requests).toBe(1);
    const again = tokenVerifier([byKeys(server)], { ...FETCHING, cooldownMs: 0 });
    expect(await told(again, token)).toBe(unavailable);
    server.broken = null;
    expect(await told(again, token)).toMatch(/ann$/);
    await server.close();
    const gone = tokenVerifier([byKeys(server)], FETCHING);
    expect(await told(gone, token)).toBe(unavailable);
  });

  test("18.8 keys that could not be had are asked for again, though the clock was set back since", async () => {
    const { server, key } = await served("k");
    server.broken = 500;
    const token = await signed(key);
    const cooldownMs = 50;
    const verify = tokenVerifier([byKeys(server)], { ...FETCHING, cooldownMs });
    expect(await told(verify, token)).toMatch(/^plasm-upstream-error/);
    server.broken = null;
    const back = Date.now() - 1_800_000;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => back);
    await new Promise((resolve) => setTimeout(resolve, 2 * cooldownMs));
    expect(await told(verify, token)).toMatch(/ann$/);
    clock.mockRestore();
  });

  test("a redirect is not followed", async () => {
    const { server, key } = await served("k");
    server.broken = 302;
    const verify = tokenVerifier([byKeys(server)], FETCHING);
    expect(await told(verify, await signed(key))).toMatch(/^plasm-upstream-error/);
  });
});

describe("SURF-23 equal names of tenants", () => {
  test("of two issuers are two scopes, each with its own keys", async () => {
    const [one, two] = [await served("k"), await served("k")];
    const verify = tokenVerifier(
      [byKeys(one.server, { issuer: "one" }), byKeys(two.server, { issuer: "two" })],
      FETCHING,
    );
    const claims = (iss: string) => ({ iss, tenant: "acme" });
    expect(await told(verify, await signed(one.key, claims("one")))).toBe("one|tenant|acme · ann");
    expect(await told(verify, await signed(two.key, claims("two")))).toBe("two|tenant|acme · ann");
    expect(await told(verify, await signed(one.key, claims("two")))).toBe(
      refused("it is no token that was signed for this server"),
    );
    expect(await told(verify, await signed(one.key, claims("three")))).toBe(
      refused("its iss is not right here"),
    );
  });

  test("are one scope, that of keys, too, only where configuration says so", async () => {
    const other = new TextEncoder().encode("another secret of thirty-two bytes or so");
    const keys = { kind: "secret", secret: other } as const;
    const verify = tokenVerifier(
      [
        bySecret({ issuer: "one", tenants: "shared" }),
        bySecret({ issuer: "two", tenants: "shared", keys }),
      ],
      FETCHING,
    );
    for (const [secret, iss] of [
      [SECRET, "one"],
      [other, "two"],
    ] as const) {
      expect(await told(verify, await signedBy(secret, { iss, tid: "acme" }))).toBe("acme · ann");
      expect(await told(verify, await signedBy(secret, { iss }))).toBe(`${iss}|subject|ann · ann`);
    }
  });
});
