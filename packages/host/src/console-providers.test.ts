import { memoryStore } from "@plasm/agent-core";
import { type OAuthServer, startOAuthServer } from "@plasm/testkit/servers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { providersFrom } from "./token-issuers.ts";
import { type ConsoleProviders, consoleProviders } from "./console-providers.ts";

const AT = "http://127.0.0.1:4000";
const BEGIN = `${AT}/v1/console/sign-in/default`;
const MINUTE_MS = 60_000;

let oauth: OAuthServer;
beforeAll(async () => {
  oauth = await startOAuthServer({
    redirectUris: [`${BEGIN}/callback`],
    claimsOf: () => ({ tid: "acme" }),
  });
});
afterAll(() => oauth.close());

/** What replicas share. */
const store = memoryStore();

function opened(now: () => number): ConsoleProviders {
  const env = {
    PLASM_JWT_ISSUER: oauth.url,
    PLASM_JWT_JWKS_URL: `${oauth.url}/jwks`,
    PLASM_JWT_CLIENT_ID: "plasm-app",
    PLASM_JWT_CLIENT_SCOPE: "openid",
  };
  return consoleProviders(providersFrom(env, AT), { origin: AT, now });
}

const begun = async (providers: ConsoleProviders) => {
  const answer = await providers.fetch(new Request(BEGIN), store);
  const cookie = /^[^;]+/.exec(answer.headers.get("set-cookie") ?? "")?.[0] ?? "";
  return { to: answer.headers.get("location") ?? "", cookie };
};

const back = (providers: ConsoleProviders, answer: URL, cookie: string): Promise<Response> =>
  providers.fetch(new Request(answer, { headers: { cookie } }), store);

describe("SURF-40 a sign-in that is under way", () => {
  it("stays, however many others are begun, whose provider is asked once for its addresses", async () => {
    const asked = vi.spyOn(globalThis, "fetch");
    const providers = opened(Date.now);
    const others = Array.from({ length: 50 }, () => begun(providers));
    const { to, cookie } = await begun(providers);
    await Promise.all(others);
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
    for (let n = 0; n < 10_000; n += 1) await providers.fetch(new Request(BEGIN), store);
    const answer = await oauth.visit(to, { name: "lea" });
    const led = await back(providers, answer, cookie);
    expect(led.headers.get("location")).toMatch(/\/console\/#signed-in=/);
  });

  it("is one of a few that a browser keeps, and leaves it when somebody is signed in", async () => {
    const providers = opened(Date.now);
    const jar = new Map<string, string>();
    const cookies = (): string => [...jar].map((pair) => pair.join("=")).join("; ");
    const begin = async (): Promise<string> => {
      const request = new Request(BEGIN, { headers: { cookie: cookies() } });
      const answer = await providers.fetch(request, store);
      const [, name = "", value = ""] =
        /^([^=]+)=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "") ?? [];
      jar.set(name, value);
      return answer.headers.get("location") ?? "";
    };
    const to = [await begin(), await begin(), await begin()];
    for (const each of to) {
      const answer = await oauth.visit(each, { name: "lea" });
      const led = (await back(providers, answer, cookies())).headers.get("location") ?? "";
      const state = led.slice(led.indexOf("=") + 1);
      const request = new Request(`${AT}/v1/console/session`, { headers: { cookie: cookies() } });
      const { cookie } = await providers.take(request, state, store);
      expect(cookie).toContain("Max-Age=0");
      expect(jar.delete(cookie.slice(0, cookie.indexOf("=")))).toBe(true);
    }
    expect(jar.size).toBe(0);
    for (let n = 0; n < 40; n += 1) await begin();
    expect(cookies().length).toBeLessThan(4_000);
    const answer = await oauth.visit(await begin(), { name: "lea" });
    expect((await back(providers, answer, cookies())).status).toBe(303);
  });

  it("can be brought once more where its provider could not be reached", async () => {
    let now = Date.now();
    const providers = opened(() => now);
    await begun(providers);
    now += 5 * MINUTE_MS;
    const { to, cookie } = await begun(providers);
    const answer = await oauth.visit(to, { name: "lea" });
    // The provider's addresses are too old now, and are asked for anew.
    now += 6 * MINUTE_MS;
    const asked = vi.spyOn(globalThis, "fetch").mockRejectedValueOnce(new TypeError("no network"));
    expect((await back(providers, answer, cookie)).status).toBe(502);
    asked.mockRestore();
    expect((await back(providers, answer, cookie)).status).toBe(303);
  });

  it("SURF-69: is finished by another process, once, and taken by a third", async () => {
    const { to, cookie } = await begun(opened(Date.now));
    const answer = await oauth.visit(to, { name: "lea" });
    const led = await back(opened(Date.now), answer, cookie);
    expect(led.status).toBe(303);
    expect((await back(opened(Date.now), answer, cookie)).status).toBe(410);
    const state = (led.headers.get("location") ?? "").split("#signed-in=")[1] ?? "";
    expect(JSON.stringify(await store.list("consoleSession", "", "back/"))).not.toContain("lea");
    const take = (brought: string) => {
      const request = new Request(`${AT}/v1/console/session`, { headers: { cookie: brought } });
      return opened(Date.now).take(request, state, store);
    };
    await expect(take("")).rejects.toThrow("used up");
    const taken = await Promise.allSettled([take(cookie), take(cookie)]);
    expect(taken.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await back(opened(Date.now), answer, cookie)).status).toBe(410);
  });

  it("is the browser's own: no later time opens it, nor does anybody read it", async () => {
    let now = Date.now();
    const providers = opened(() => now);
    const { to, cookie } = await begun(providers);
    expect(cookie.length).toBeLessThan(1_000);
    const parts = cookie.slice(cookie.indexOf("=") + 1).split(".");
    const read = parts.map((part) => Buffer.from(part, "base64url").toString()).join(" ");
    expect(read).toContain("A256GCM");
    expect(read).not.toMatch(/verifier|redirectUri|callback/);
    const answer = await oauth.visit(to, { name: "lea" });
    now += 11 * MINUTE_MS;
    expect((await back(providers, answer, cookie)).status).toBe(410);
    now -= 11 * MINUTE_MS;
    const cut = cookie.slice(0, -8);
    expect((await back(providers, answer, cut)).status).toBe(410);
    expect((await back(providers, answer, cookie)).status).toBe(303);
    expect((await back(providers, answer, cookie)).status).toBe(410);
  });
});
