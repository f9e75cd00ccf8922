import { memoryStore } from "@plasm/agent-core";
import { createAuthenticator, fail, roleHoldersOf, sweep } from "@plasm/agent-core/internal";
import { describe, expect, it } from "vitest";
import { type Console, createConsole } from "./console.ts";
import { consoleProviders } from "./console-providers.ts";
import {
  asked,
  consoleIn,
  keysOf,
  linkOf,
  noKeys,
  PAGE,
  type PageHeaders,
  SESSION,
  signedIn,
  signIn,
} from "./testing/console-browser.ts";

/** No test here reads a file of the page. */
const directory = "nowhere";
const consoleOf = (
  mode: Parameters<typeof consoleIn>[1],
  more: Parameters<typeof consoleIn>[2] = {},
): Console => consoleIn(directory, mode, more);

describe("sign-ins that outlast a process (SURF-69)", () => {
  const show = (console: Console, headers: PageHeaders) =>
    console.fetch(asked("GET", SESSION, headers)).then(async (answer) => answer.json(), String);
  const KEY = { ...PAGE, authorization: "Bearer operator@acme" };

  it("are known to another process on the store, and end in all", async () => {
    const store = memoryStore({ at: 0 });
    const [one, other] = [0, 1].map(() =>
      consoleOf("required", { keys: keysOf(new Set()), store }),
    ) as [Console, Console];
    const headers = await signedIn(await signIn(one, KEY));
    expect(await show(other, headers)).toMatchObject({ roles: { operator: "operator of acme" } });
    const sent = await other.authorize(asked("GET", "/v1/approvals", headers));
    expect(sent.headers.get("authorization")).toBe("Bearer operator@acme");
    expect(await other.fetch(asked("DELETE", SESSION, headers))).toMatchObject({ status: 200 });
    expect(await show(one, headers)).toMatch(/Nobody is signed in/);
  });

  it("by a link hold after a restart, with that process's own keys, and not where callers have to prove who they are", async () => {
    const store = memoryStore({ at: 0 });
    const first = consoleOf("off", { store });
    const headers = await signedIn(await signIn(first, PAGE, linkOf(first)));
    const next = consoleOf("off", { store });
    const sent = await next.authorize(asked("GET", "/v1/approvals", headers));
    const key = sent.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    expect(await next.keys.recordOf(key)).toMatchObject({ role: "operator", subject: "console" });
    expect(await first.keys.recordOf(key)).toBeNull();
    expect(await show(consoleOf("required", { store }), headers)).toMatch(/Nobody is signed in/);
  });

  it("are in no copy of the store: neither a credential nor what opens one stands there", async () => {
    const store = memoryStore({ at: 0 });
    const console = consoleOf("required", { keys: keysOf(new Set()), store });
    const { cookie = "", "x-plasm-console": token = "" } = await signedIn(
      await signIn(console, KEY),
    );
    const kept = await store.list("consoleSession", "", "");
    expect(kept).toHaveLength(1);
    const text = JSON.stringify(kept);
    const secret = cookie.split(".").at(-1) ?? "";
    for (const one of ["operator@acme", "operator of", secret, token]) {
      expect(text).not.toContain(one);
    }
  });

  it("are ten of one person at most, the oldest of which ends", async () => {
    const store = memoryStore({ at: 0 });
    const console = consoleOf("required", { keys: keysOf(new Set()), store });
    const all: PageHeaders[] = [];
    for (let n = 0; n < 11; n += 1) all.push(await signedIn(await signIn(console, KEY)));
    const other = { ...PAGE, authorization: "Bearer operator@b" };
    all.push(await signedIn(await signIn(console, other)));
    expect(await show(console, all[0] ?? {})).toMatch(/Nobody is signed in/);
    for (const one of all.slice(1)) {
      expect(await show(console, one)).toMatchObject({ auth: "required" });
    }
  });

  it("are gone from the store once they are over", async () => {
    const store = memoryStore({ at: 0 });
    const console = consoleOf("required", { keys: keysOf(new Set()), store });
    await signIn(console, KEY);
    store.advance(11 * 3_600_000);
    await sweep(store);
    expect(store.held()["consoleSession"]).toBe(1);
    store.advance(2 * 3_600_000);
    await sweep(store);
    expect(store.held()["consoleSession"]).toBeUndefined();
  });

  it("of somebody whom a provider signed in hold as long as its people are read as they were", async () => {
    const store = memoryStore({ at: 0 });
    const now = (): number => store.now();
    const caller = { scope: "acme", subject: "lea", connection: null };
    const person = { caller, roles: ["operator"], issuer: "https://id" } as const;
    const processOf = (reading: string) => {
      const made = consoleProviders([], { origin: undefined, now });
      const tokens = {
        issuers: [],
        verify: async (text: string) =>
          made.holderOf(text) ?? Promise.reject(fail("plasm-unauthenticated", "no")),
      };
      return createConsole({
        store,
        auth: createAuthenticator({ mode: "required", keys: noKeys, tokens }),
        keys: { ...noKeys, ...roleHoldersOf({ keys: noKeys, tokens }) },
        providers: {
          ...made,
          take: async () => ({ ...person, cookie: "" }),
          reading: () => reading,
        },
        directory,
        origin: undefined,
        now,
        signedIn: async () => undefined,
      });
    };
    const begun = await signIn(processOf("operators are approvers"), PAGE, { provider: "state" });
    const headers = await signedIn(begun);
    expect(await show(processOf("operators are approvers"), headers)).toMatchObject({
      roles: { operator: "lea" },
    });
    expect(await show(processOf("operators are others"), headers)).toMatch(/Nobody is signed in/);
  });
});
