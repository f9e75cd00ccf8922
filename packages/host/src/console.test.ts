import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "@plasm/agent-core";
import { createAuthenticator, fail, type KeyRing, roleHoldersOf } from "@plasm/agent-core/internal";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Console, createConsole } from "./console.ts";
import { consoleProviders } from "./console-providers.ts";
import {
  asked,
  AT,
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

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "plasm-console-"));
  await mkdir(join(directory, "assets"));
  await writeFile(join(directory, "index.html"), "<!doctype html><title>page</title>");
  await writeFile(join(directory, "assets", "a.js"), "export {};");
});
afterAll(() => rm(directory, { recursive: true }));

const consoleOf = (
  mode: Parameters<typeof consoleIn>[1],
  more: Parameters<typeof consoleIn>[2] = {},
): Console => consoleIn(directory, mode, more);

const HOLDER = {
  id: "k",
  hash: "",
  tenant: "acme",
  subject: "olga",
  role: "operator",
  createdAt: 0,
} as const;

describe("sign-in to the console (SURF-31, SURF-32)", () => {
  it("a link signs in once, and its successor is asked for", async () => {
    const console = consoleOf("off");
    let used = 0;
    console.onLinkUsed(() => (used += 1));
    const link = linkOf(console);
    const first = await signIn(console, PAGE, link);
    expect(first).toMatchObject({ status: 200 });
    expect(await signIn(console, PAGE, link)).toMatch(/has been used/);
    expect(used).toBe(1);
  });

  it("there is no link where callers have keys, nor without files", () => {
    expect(consoleOf("required").link(AT)).toBeNull();
    const auth = createAuthenticator({ mode: "off", keys: noKeys });
    const providers = consoleProviders([], { origin: undefined, now: () => 0 });
    const signedIn = async () => undefined;
    const bare = { auth, keys: noKeys, providers, signedIn, directory: undefined };
    expect(
      createConsole({ ...bare, store: memoryStore(), origin: undefined, now: () => 0 }).link(AT),
    ).toBeNull();
  });

  it("the cookie is the browser's alone, and no earlier one is taken up", async () => {
    const console = consoleOf("off");
    const chosen = { ...PAGE, cookie: "plasm_console_3000=chosen-by-another" };
    const answer = await signIn(console, chosen, linkOf(console));
    const cookie = typeof answer === "string" ? answer : answer.headers.get("set-cookie");
    expect(cookie).toMatch(
      /^plasm_console_3000=[0-9a-f]{16}\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
  });

  it("behind https the cookie is of this host alone", async () => {
    const console = consoleOf("off", { origin: "https://plasm.example" });
    const headers = { ...PAGE, origin: "https://plasm.example" };
    const answer = await signIn(console, headers, linkOf(console));
    const cookie = typeof answer === "string" ? answer : answer.headers.get("set-cookie");
    expect(cookie).toMatch(/^__Host-plasm_console=.*; Path=\/; .*; Secure$/);
  });

  it.each<[string, PageHeaders]>([
    ["another origin", { ...PAGE, origin: "http://127.0.0.1:9999" }],
    ["another site", { ...PAGE, "sec-fetch-site": "cross-site" }],
    ["another port of this host", { ...PAGE, "sec-fetch-site": "same-site" }],
    ["no origin", { "x-plasm-console": "sign-in" }],
    ["a form, which sets no header", { origin: AT }],
  ])("a sign-in from %s is refused, and costs no link", async (_, headers) => {
    const console = consoleOf("off");
    const link = linkOf(console);
    expect(await signIn(console, headers, link)).toMatchObject({ status: 403 });
    expect(await signIn(console, PAGE, link)).toMatchObject({ status: 200 });
  });

  it("a session ends after twelve hours, and when its key is removed", async () => {
    const store = memoryStore({ at: 0 });
    const removed = new Set<string>();
    const console = consoleOf("required", { keys: keysOf(removed), store });
    const key = { ...PAGE, authorization: "Bearer operator@acme" };
    const show = async (headers: PageHeaders) =>
      console.fetch(asked("GET", SESSION, headers)).catch((thrown: unknown) => String(thrown));
    const first = await signedIn(await signIn(console, key));
    expect(await show(first)).toMatchObject({ status: 200 });
    store.advance(12 * 3_600_000);
    expect(await show(first)).toMatch(/Nobody is signed in/);
    const second = await signedIn(await signIn(console, key));
    removed.add("operator@acme");
    expect(await show(second)).toMatch(/not good any more/);
  });

  it("SURF-40: who came from a provider is signed in for an hour, and audited", async () => {
    const store = memoryStore({ at: 0 });
    const now = (): number => store.now();
    const caller = { scope: "https://id|tenant|acme", subject: "lea", connection: null };
    const person = { caller, roles: ["agent", "operator"], issuer: "https://id" } as const;
    const made = consoleProviders([], { origin: undefined, now });
    const providers = {
      ...made,
      take: async () => ({ ...person, cookie: "away=; Max-Age=0" }),
      reading: () => "as it is set",
    };
    const tokens = {
      issuers: [],
      verify: async (text: string) =>
        made.holderOf(text) ?? Promise.reject(fail("plasm-unauthenticated", "no")),
    };
    const auth = createAuthenticator({ mode: "required", keys: noKeys, tokens });
    const keys = { ...noKeys, ...roleHoldersOf({ keys: noKeys, tokens }) };
    const noted: string[] = [];
    const console = createConsole({
      store,
      auth,
      keys,
      providers,
      directory,
      origin: undefined,
      now,
      signedIn: async (...facts) => void noted.push(facts.join(" ")),
    });
    const begun = await console.fetch(asked("POST", SESSION, PAGE, { provider: "state" }));
    expect(begun.headers.get("set-cookie")).toContain("Max-Age=3600");
    expect(begun.headers.getSetCookie()).toContain("away=; Max-Age=0");
    const { roles, page_token: token } = (await begun.json()) as Record<string, string>;
    expect(roles).toEqual({ agent: "lea", operator: "lea" });
    expect(noted).toEqual(["https://id|tenant|acme lea https://id"]);
    const cookie = begun.headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = { ...PAGE, cookie, "x-plasm-console": token ?? "" };
    const { headers } = await console.authorize(asked("GET", "/v1/approvals", page));
    const held = headers.get("authorization")?.replace("Bearer ", "") ?? "";
    expect(await keys.recordOf(held)).toMatchObject({ role: "operator", subject: "lea" });
    store.advance(3_600_000);
    expect(made.holderOf(held)).toBeNull();
    await expect(console.authorize(asked("GET", "/v1/approvals", page))).rejects.toThrow("Nobody");
  });

  it("another sign-in takes on no key that was removed meanwhile", async () => {
    const removed = new Set<string>();
    const console = consoleOf("required", { keys: keysOf(removed) });
    const first = await signedIn(
      await signIn(console, { ...PAGE, authorization: "Bearer operator@acme" }),
    );
    removed.add("operator@acme");
    const second = await signedIn(
      await signIn(console, { ...first, authorization: "Bearer agent@acme" }),
    );
    const shown = await console.fetch(asked("GET", SESSION, second));
    expect(await shown.json()).toMatchObject({ roles: { agent: "agent of acme" } });
    const request = asked("GET", "/v1/approvals", second);
    expect(await console.authorize(request)).toBe(request);
  });

  it("a credential of several roles stands for each of them", async () => {
    const both: KeyRing = {
      ...noKeys,
      recordOf: async () => ({ ...HOLDER, role: "operator", roles: ["operator", "admin"] }),
    };
    const console = consoleOf("required", { keys: both });
    const answer = await signIn(console, { ...PAGE, authorization: "Bearer of-both" });
    if (typeof answer === "string") throw new Error(answer);
    expect(await answer.json()).toMatchObject({ roles: { operator: "olga", admin: "olga" } });
  });

  it.each([
    ["plasm-unauthenticated", /not good any more/, /Nobody is signed in/],
    ["plasm-policy-denied", /not good any more/, /Nobody is signed in/],
    ["plasm-insufficient-scope", /not good any more/, /Nobody is signed in/],
    ["plasm-upstream-error", /cannot be asked/, /^shown$/],
  ] as const)("a token that is later met with %s: %s, then %s", async (code, text, later) => {
    let isRefused = false;
    const keys: KeyRing = {
      ...noKeys,
      recordOf: async () => {
        if (isRefused) throw fail(code, "Its issuer cannot be asked.");
        return HOLDER;
      },
    };
    const console = consoleOf("required", { keys });
    const headers = await signedIn(
      await signIn(console, { ...PAGE, authorization: "Bearer a.b.c" }),
    );
    const show = () => console.fetch(asked("GET", SESSION, headers)).then(() => "shown", String);
    isRefused = true;
    expect(await show()).toMatch(text);
    isRefused = false;
    expect(await show()).toMatch(later);
  });

  it("signing out ends the session for whoever has the cookie", async () => {
    const console = consoleOf("off");
    const headers = await signedIn(await signIn(console, PAGE, linkOf(console)));
    const out = await console.fetch(asked("DELETE", SESSION, headers));
    expect(out.headers.get("set-cookie")).toMatch(/Max-Age=0/);
    await expect(console.authorize(asked("GET", "/v1/audit", headers))).rejects.toThrow(
      /Nobody is signed in/,
    );
  });
});

describe("calls of the console's pages (SURF-32)", () => {
  it("carry the credential that their route takes, and MCP none", async () => {
    const console = consoleOf("required", { keys: keysOf(new Set()) });
    const operator = await signIn(console, { ...PAGE, authorization: "Bearer operator@acme" });
    const first = await signedIn(operator);
    const both = await signedIn(
      await signIn(console, { ...first, authorization: "Bearer agent@acme" }),
    );
    const sent = async (path: string, headers: PageHeaders = both) =>
      (await console.authorize(asked("POST", path, headers, {}))).headers.get("authorization");
    expect(await sent("/v1/approvals/u/approve")).toBe("Bearer operator@acme");
    expect(await sent("/execute")).toBe("Bearer agent@acme");
    expect(await sent("/v1/traces")).toBe("Bearer agent@acme");
    expect(await sent("/v1/admin/policy/acme")).toBeNull();
    expect(await sent("/mcp")).toBeNull();
    await expect(sent("/v1/approvals/u/approve", first)).rejects.toThrow(/Nobody is signed in/);
  });

  it.each([
    ["operator", "GET", "/v1/operations"],
    ["operator", "GET", "/v1/schedules"],
    ["operator", "POST", "/v1/schedules/u/pause"],
    ["operator", "DELETE", "/v1/schedules/u"],
    ["agent", "POST", "/v1/schedules"],
    ["agent", "POST", "/v1/schedules/u/resume"],
    ["agent", "GET", "/v1/programs"],
  ] as const)(
    "of both keys that of the %s goes with %s %s, and an agent's alone does",
    async (role, method, path) => {
      const console = consoleOf("required", { keys: keysOf(new Set()) });
      const agent = await signedIn(
        await signIn(console, { ...PAGE, authorization: "Bearer agent@acme" }),
      );
      const sent = async (headers: PageHeaders) =>
        (await console.authorize(asked(method, path, headers))).headers.get("authorization");
      expect(await sent(agent)).toBe("Bearer agent@acme");
      const both = await signedIn(
        await signIn(console, { ...agent, authorization: "Bearer operator@acme" }),
      );
      expect(await sent(both)).toBe(`Bearer ${role}@acme`);
    },
  );

  it("where nobody proves anything saved programs are those of the agent that all are", async () => {
    const console = consoleOf("off");
    const headers = await signedIn(await signIn(console, PAGE, linkOf(console)));
    const sent = async (path: string) =>
      (await console.authorize(asked("GET", path, headers))).headers.get("authorization");
    expect(await sent("/v1/programs")).toBeNull();
    expect(await sent("/v1/programs/moored")).toBeNull();
    expect(await sent("/v1/schedules")).toMatch(/^Bearer console_/);
  });

  it("a key of another tenant is not added to a session", async () => {
    const console = consoleOf("required", { keys: keysOf(new Set()) });
    const first = await signedIn(
      await signIn(console, { ...PAGE, authorization: "Bearer operator@a" }),
    );
    const other = await signedIn(
      await signIn(console, { ...first, authorization: "Bearer agent@b" }),
    );
    const { headers } = await console.authorize(asked("GET", "/v1/approvals", other));
    expect(headers.get("authorization")).toBeNull();
  });

  it("the cookie alone authorizes nothing", async () => {
    const console = consoleOf("off");
    const { cookie = "" } = await signedIn(await signIn(console, PAGE, linkOf(console)));
    const request = asked("POST", "/v1/approvals/u/approve", { cookie }, {});
    expect(await console.authorize(request)).toBe(request);
  });

  it.each<[string, (headers: PageHeaders) => PageHeaders]>([
    ["the cookie with a made-up token", (all) => ({ ...all, "x-plasm-console": "x" })],
    ["another origin", (all) => ({ ...all, origin: "http://127.0.0.1:8080" })],
    ["another site", (all) => ({ ...all, "sec-fetch-site": "cross-site" })],
    ["no cookie", (all) => ({ ...all, cookie: "" })],
  ])("%s is nobody's call", async (_, change) => {
    const console = consoleOf("off");
    const headers = change(await signedIn(await signIn(console, PAGE, linkOf(console))));
    const request = asked("POST", "/v1/approvals/u/approve", headers, {});
    await expect(console.authorize(request)).rejects.toThrow(/Nobody is signed in/);
  });

  it.each(["off", "optional"] as const)(
    "a sign-in that has ended makes nobody a caller without proof where callers may be: %s",
    async (mode) => {
      const console = consoleOf(mode, { keys: keysOf(new Set()) });
      for (const path of ["/execute", "/execute/h/s", "/v1/traces"])
        await expect(console.authorize(asked("POST", path, PAGE, {}))).rejects.toThrow(
          expect.objectContaining({
            problem: expect.objectContaining({ code: "plasm-unauthenticated", status: 401 }),
          }),
        );
      for (const path of ["/mcp", SESSION]) {
        const request = asked("POST", path, PAGE, {});
        expect(await console.authorize(request)).toBe(request);
      }
    },
  );

  it("a credential of the call's own goes before", async () => {
    const console = consoleOf("off");
    const headers = await signedIn(await signIn(console, PAGE, linkOf(console)));
    const request = asked("GET", "/v1/approvals", { ...headers, "x-api-key": "mine" });
    expect(await console.authorize(request)).toBe(request);
  });

  it("the body of a call goes on", async () => {
    const console = consoleOf("off");
    const headers = await signedIn(await signIn(console, PAGE, linkOf(console)));
    const request = await console.authorize(
      asked("POST", "/v1/approvals/u/reject", headers, { reason: "no" }),
    );
    expect([request.method, await request.json()]).toEqual(["POST", { reason: "no" }]);
    const key =
      /^Bearer (console_\S+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    expect(await console.keys.recordOf(key)).toMatchObject({
      role: "operator",
      subject: "console",
    });
  });
});

describe("the files of the console (SURF-31)", () => {
  const get = (path: string, headers: PageHeaders = {}, method = "GET") =>
    consoleOf("off").fetch(asked(method, path, headers));

  it.each([
    ["/console/", 200, /^<!doctype/, "no-cache"],
    ["/console/approvals/0f5c8a52", 200, /^<!doctype/, "no-cache"],
    ["/console/assets/a.js", 200, /^export/, "public, max-age=31536000, immutable"],
    ["/console/assets/b.js", 404, /no such file/, "no-store"],
    ["/console/assets/..%2f..%2fsecret.json", 404, /no such file/, "no-store"],
    ["/console", 308, /^$/, "no-store"],
  ])("%s: %i", async (path, status, text, cache) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([status, cache]);
    expect(await answer.text()).toMatch(text);
  });

  it("no answer can be framed, sniffed or run code of its own", async () => {
    for (const path of [
      "/console/",
      "/console/assets/a.js",
      "/console/assets/none.js",
      "/console",
    ]) {
      const { headers } = await get(path);
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toMatch(/default-src 'none'; script-src 'self'; style-src 'self';/);
      expect(policy).toMatch(/frame-ancestors 'none'/);
      expect(policy).not.toMatch(/unsafe|data:|\*/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
    }
  });

  it("are compressed for who takes that, and only looked at", async () => {
    const { headers } = await get("/console/", { "accept-encoding": "gzip, br" });
    expect(headers.get("content-encoding")).toBe("gzip");
    expect((await get("/console/", {}, "POST")).status).toBe(405);
    expect(await (await get("/console/", {}, "HEAD")).text()).toBe("");
  });
});
