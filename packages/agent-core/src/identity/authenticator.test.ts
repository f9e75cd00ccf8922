import { describe, expect, test } from "vitest";
import { fail, Failure } from "../errors/problem.ts";
import { testStore } from "../../test/test-store.ts";
import { type Authenticator, createAuthenticator, noAuthentication } from "./authenticator.ts";
import { type Caller, LOCAL } from "./caller.ts";
import { type KeyOwner, keysIn } from "./keys.ts";

const keys = keysIn(testStore());
const keyOf = async (owner: Partial<KeyOwner> = {}): Promise<string> =>
  (await keys.add({ tenant: "acme", subject: "ann", role: "agent", ...owner })).key;

const TOKEN: Caller = { scope: "i|tenant|acme", subject: "tom", connection: null };
const tokens = {
  issuers: ["https://id.example"],
  verify: async (token: string) => {
    if (token === "good.token") return { caller: TOKEN, roles: ["agent" as const] };
    throw fail("plasm-unauthenticated", "The token is not accepted.");
  },
};
const of = (mode: Authenticator["mode"]): Authenticator =>
  createAuthenticator({ mode, keys, tokens });

async function refusal(auth: Authenticator, headers: Readonly<Record<string, string>>) {
  try {
    await auth.agentOf(new Headers(headers));
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.problem;
  }
  throw new Error("it was not refused");
}
const codeOf = async (auth: Authenticator, headers: Readonly<Record<string, string>>) =>
  refusal(auth, headers).then(
    ({ code }) => code,
    () => "taken",
  );

describe("SURF-23 modes of authentication", () => {
  test("off: nobody is asked, whatever they send", async () => {
    for (const headers of [{}, { "x-api-key": "junk" }, { authorization: "Basic eA==" }]) {
      const told = await noAuthentication().identify(new Headers(headers));
      expect(told).toEqual({ caller: LOCAL, method: "none", role: "agent" });
    }
  });

  test.each(["optional", "required"] as const)("%s: a bad credential is refused", async (mode) => {
    const key = await keyOf();
    const bad = [
      { "x-api-key": "" },
      { "x-api-key": "junk" },
      { "x-api-key": `${key}x` },
      { "x-api-key": key.replace(/.$/, (last) => (last === "A" ? "B" : "A")) },
      { authorization: "Basic YTpi" },
      { authorization: "Bearer" },
      { authorization: "Bearer bad.token" },
      { authorization: `Bearer ${key.slice(0, -3)}AAA` },
      { "x-api-key": "junk", authorization: "Bearer good.token" },
    ];
    for (const headers of bad) {
      expect(await codeOf(of(mode), headers), JSON.stringify(headers)).toBe(
        "plasm-unauthenticated",
      );
    }
  });

  test("no credential: required refuses, optional makes a caller that shares nothing (SESS-8)", async () => {
    expect(await codeOf(of("required"), {})).toBe("plasm-unauthenticated");
    const { caller } = await of("optional").agentOf(new Headers());
    expect(caller).toMatchObject({ subject: null, anonymous: true });
    // Nothing that a server without authentication kept is its own.
    expect(caller.scope).not.toBe(LOCAL.scope);
  });

  test("X-API-Key comes first, then Bearer, which may hold a key, too", async () => {
    const [ann, bob] = [await keyOf(), await keyOf({ subject: "bob", tenant: "other" })];
    const subject = async (headers: Readonly<Record<string, string>>) => {
      const { caller, method } = await of("required").identify(new Headers(headers));
      return [caller.scope, caller.subject, method];
    };
    expect(await subject({ "x-api-key": ann })).toEqual(["acme", "ann", "api_key"]);
    expect(await subject({ authorization: `bearer ${bob}` })).toEqual(["other", "bob", "api_key"]);
    expect(await subject({ authorization: "Bearer good.token" })).toEqual([
      TOKEN.scope,
      "tom",
      "jwt",
    ]);
    const both = { "x-api-key": ann, authorization: "Bearer good.token" };
    expect(await subject(both)).toEqual(["acme", "ann", "api_key"]);
  });

  test("a key of an operator or administrator calls nothing as an agent, and is known", async () => {
    for (const role of ["operator", "admin"] as const) {
      const headers = { "x-api-key": await keyOf({ role }) };
      expect(await codeOf(of("required"), headers)).toBe("plasm-policy-denied");
      expect((await of("required").identify(new Headers(headers))).role).toBe(role);
    }
  });

  test("a key of callers that prove nothing is no agent's", async () => {
    for (const tenant of ["anonymous", "anonymous|nobody"]) {
      const headers = { "x-api-key": await keyOf({ tenant }) };
      expect(await codeOf(of("optional"), headers)).toBe("plasm-unauthenticated");
    }
  });

  test("a key says for whom its bearer may act (SURF-24)", async () => {
    const key = await keyOf({ actAs: ["bob"], service: true });
    const { caller } = await of("required").agentOf(new Headers({ "x-api-key": key }));
    expect(caller).toMatchObject({ subject: "ann", actAs: ["bob"], service: true });
  });
});

describe("SURF-23 keys", () => {
  test("one that has ended is unknown; one without effects says so; its last use is kept", async () => {
    const store = testStore();
    const ring = keysIn(store);
    const expiresAt = store.now() + 90_000;
    const owner = { tenant: "acme", subject: "ann", role: "agent", expiresAt } as const;
    const { key, record } = await ring.add({ ...owner, scopes: ["read"] });
    const auth = createAuthenticator({ mode: "required", keys: ring });
    const readsOnly = async () =>
      (await auth.agentOf(new Headers({ "x-api-key": key }))).caller.readsOnly;
    expect(await readsOnly()).toEqual({ lacks: "effects", stepUp: null });
    const used = async () => (await ring.list()).find(({ id }) => id === record.id)?.lastUsedAt;
    expect(await used()).toBe(store.now());
    const first = store.now();
    store.advance(59_000);
    await readsOnly();
    expect(await used()).toBe(first);
    store.advance(2_000);
    await readsOnly();
    expect(await used()).toBe(store.now());
    store.advance(30_000);
    expect(await codeOf(auth, { "x-api-key": key })).toBe("plasm-unauthenticated");
    const whole = await ring.add({
      tenant: "acme",
      subject: "ann",
      role: "agent",
      scopes: ["read", "effects"],
    });
    expect(
      (await auth.agentOf(new Headers({ "x-api-key": whole.key }))).caller.readsOnly,
    ).toBeUndefined();
  });

  test("are refused once rotated or removed, at once", async () => {
    const { key, record } = await keys.add({ tenant: "acme", subject: "eve", role: "agent" });
    const as = (one: string) => codeOf(of("required"), { "x-api-key": one });
    expect(await as(key)).toBe("taken");
    const rotated = await keys.rotate(record.id);
    expect(rotated?.record).toMatchObject({ id: record.id, subject: "eve", tenant: "acme" });
    expect(await as(key)).toBe("plasm-unauthenticated");
    expect(await as(rotated?.key ?? "")).toBe("taken");
    expect(await keys.remove(record.id)).toBe(true);
    expect(await as(rotated?.key ?? "")).toBe("plasm-unauthenticated");
    expect(await keys.rotate(record.id)).toBeNull();
    expect(await keys.remove(record.id)).toBe(false);
  });

  test("are kept as hashes alone", async () => {
    const { key, record } = await keys.add({ tenant: "acme", subject: "eve", role: "agent" });
    // A secret may hold the sign that parts a key.
    const secret = key.split("_").slice(2).join("_");
    expect(JSON.stringify(await keys.list())).not.toContain(secret);
    expect(record.hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
