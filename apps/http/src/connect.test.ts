import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Host, openHost, openKeys } from "@plasm/host";
import { createMcpHandler } from "@plasm/mcp";
import { fixtureCatalogDir } from "@plasm/testkit";
import { OAUTH_CLIENT, type OAuthServer, startOAuthServer } from "@plasm/testkit/servers";
import type { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHttpApp } from "./create-http-app.ts";

type Fields = Readonly<Record<string, string>>;

let oauth: OAuthServer;
let directory: string;
let host: Host | null;
let app: Hono;

beforeEach(async () => {
  oauth = await startOAuthServer();
  directory = await mkdtemp(join(tmpdir(), "plasm-connect-"));
  const catalog = join(directory, "catalogs", "quay");
  await cp(fixtureCatalogDir("quay"), catalog, { recursive: true });
  const path = join(catalog, "domain.yaml");
  const auth = "scheme: oauth_bearer, env: QUAY_TOKEN";
  const declared = "\noauth: { provider: harbour-id, scopes: { boats.read: {} } }\n";
  const text = (await readFile(path, "utf8")).replace("scheme: none", auth);
  await writeFile(path, text + declared);
});
afterEach(async () => {
  await host?.close();
  host = null;
  await oauth.close();
  await rm(directory, { recursive: true, force: true });
});

const ORIGIN = "http://127.0.0.1";

/** Opens the server; `served` says whether people reach its pages. */
async function open(env: Fields = {}, mode = "off", served = true): Promise<void> {
  host = await openHost({
    dataDir: join(directory, "data"),
    catalogs: [join(directory, "catalogs")],
    env: {
      PLASM_OAUTH_HARBOUR_ID_ISSUER: oauth.url,
      PLASM_OAUTH_HARBOUR_ID_CLIENT_ID: OAUTH_CLIENT,
      PLASM_BACKEND_QUAY: oauth.url,
      ...env,
    },
    auth: { mode },
  });
  const { engine, connections, connect, auth } = host;
  if (served) connect.serveAt(ORIGIN);
  const mcp = createMcpHandler({ engine, connections });
  app = createHttpApp({ engine, mcp, connect, auth });
}

const send = (path: string, init: RequestInit = {}): Promise<Response> =>
  Promise.resolve(app.fetch(new Request(new URL(path, ORIGIN), init)));

/** An agent's session on boats. */
async function session(as: Fields = {}): Promise<string> {
  const body = JSON.stringify({ seeds: [{ api: "quay", entity: "Boat" }] });
  const headers = { "content-type": "application/json", ...as };
  const opened = await send("/execute", { method: "POST", headers, body });
  expect(opened.status).toBe(303);
  return opened.headers.get("location") ?? "";
}

const run = (at: string, program: string, as: Fields = {}) =>
  send(at, { method: "POST", headers: { "content-type": "text/plain", ...as }, body: program });

const runRef = (at: string, ref: string, as: Fields = {}) => {
  const headers = { "content-type": "application/json", ...as };
  return send(at, { method: "POST", headers, body: JSON.stringify({ plan_commit_ref: ref }) });
};

/** What an agent is told that runs without a credential: the link, and the ref that runs afterwards. */
async function asked(at: string, as: Fields = {}): Promise<{ link: string; ref: string }> {
  const answer = await run(at, "Boat.limit(1)", as);
  const { detail, code } = (await answer.json()) as { detail: string; code: string };
  expect([answer.status, code]).toEqual([502, "plasm-upstream-auth"]);
  expect(detail).toMatch(/^not run: nothing was sent\nquay is not connected\. /);
  return {
    link: /http:\/\/127\.0\.0\.1\/v1\/connect\/\S+/.exec(detail)?.[0] ?? detail,
    ref: /plan_commit_ref=(\w+)/.exec(detail)?.[1] ?? detail,
  };
}

/** Presses the button of the page, as a person whose key is the one given. */
function press(link: string, key?: string): Promise<Response> {
  const body = new URLSearchParams(key === undefined ? {} : { key });
  return send(link, { method: "POST", body, headers: { origin: ORIGIN } });
}

const cookieOf = (answer: Response): string =>
  answer.headers.get("set-cookie")?.split(";")[0] ?? "";

/** Consents at the provider, and returns where the browser is sent back to. */
const consented = (begun: Response, refuses = false): Promise<URL> =>
  oauth.visit(begun.headers.get("location") ?? "", { name: "ann", refuses });

describe("a run that lacks a sign-in (RUN-128)", () => {
  it("ends before anything is sent, with a link; after consent the same ref runs", async () => {
    await open();
    const at = await session();
    const { link, ref } = await asked(at);
    expect(oauth.calls).toEqual([]);
    const page = await send(link);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<button>")]);
    const begun = await press(link);
    expect(begun.status).toBe(303);
    const back = await consented(begun);
    expect(back.href).toMatch(/^http:\/\/127\.0\.0\.1\/v1\/connect\/callback\?/);
    const done = await send(back.href, { headers: { cookie: cookieOf(begun) } });
    expect([done.status, await done.text()]).toEqual([
      200,
      expect.stringContaining("You are signed in to quay"),
    ]);
    const rows = await runRef(at, ref);
    expect([rows.status, await rows.text()]).toEqual([200, expect.stringContaining("c1")]);
    expect(oauth.calls.map(({ person }) => person)).toEqual(["ann"]);
    // One use: neither the link nor the answer opens anything again.
    expect((await press(link)).status).toBe(410);
    const again = await send(back.href, { headers: { cookie: cookieOf(begun) } });
    expect([again.status, await again.text()]).toEqual([410, expect.stringContaining("used up")]);
  });

  it("no token, code or link is in the data directory", async () => {
    await open();
    const { link } = await asked(await session());
    const begun = await press(link);
    const back = await consented(begun);
    await send(back.href, { headers: { cookie: cookieOf(begun) } });
    await host?.engine.ping();
    const secrets = [
      link.split("/").at(-1),
      back.searchParams.get("code"),
      back.searchParams.get("state"),
    ];
    const entries = await readdir(join(directory, "data"), {
      recursive: true,
      withFileTypes: true,
    });
    const texts = await Promise.all(
      entries
        .filter((one) => one.isFile())
        .map((one) => readFile(join(one.parentPath, one.name), "latin1")),
    );
    expect(texts.some((text) => text.includes("plasm1."))).toBe(true);
    for (const secret of [...secrets, "refresh_token", "access_token"]) {
      expect(texts.filter((text) => text.includes(secret ?? "?"))).toEqual([]);
    }
  });

  it.each<[string, (begun: Response, back: URL) => Promise<Response>, number, string]>([
    ["in another browser", (_begun, back) => send(back.href), 403, "another person"],
    [
      "with another state",
      (begun, back) => {
        back.searchParams.set("state", "guessed");
        return send(back.href, { headers: { cookie: cookieOf(begun) } });
      },
      410,
      "used up",
    ],
    [
      "of another provider",
      (begun, back) => {
        back.searchParams.set("iss", "https://evil.example");
        return send(back.href, { headers: { cookie: cookieOf(begun) } });
      },
      502,
      "comes from another sign-in server",
    ],
  ])("an answer %s connects nothing, and says so", async (_name, answer, status, words) => {
    await open();
    const at = await session();
    const begun = await press((await asked(at)).link);
    const told = await answer(begun, await consented(begun));
    expect([told.status, await told.text()]).toEqual([status, expect.stringContaining(words)]);
    await asked(at);
    expect(oauth.calls).toEqual([]);
  });

  it("consent that is refused, and a provider that is down, are told; the latter costs no link", async () => {
    await open();
    const at = await session();
    const first = await press((await asked(at)).link);
    const back = await consented(first, true);
    const refused = await send(back.href, { headers: { cookie: cookieOf(first) } });
    expect([refused.status, await refused.text()]).toEqual([
      502,
      expect.stringContaining("Consent was refused"),
    ]);
    const { link } = await asked(at);
    oauth.down = true;
    const down = await press(link);
    expect([down.status, await down.text()]).toEqual([
      502,
      expect.stringContaining("publishes no metadata"),
    ]);
    oauth.down = false;
    expect((await press(link)).status).toBe(303);
  });

  it("nothing else is there, and a foreign page cannot press the button", async () => {
    await open();
    const { link } = await asked(await session());
    expect((await send("/v1/connect/made-up")).status).toBe(410);
    expect((await send("/v1/connect/..%2f..%2fx")).status).toBe(404);
    expect((await send(link, { method: "PUT" })).status).toBe(405);
    const foreign = await send(link, {
      method: "POST",
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    expect((await press(link)).status).toBe(303);
  });

  it("where people reach no page, the command is named", async () => {
    await open({}, "off", false);
    const answer = await run(await session(), "Boat.limit(1)");
    expect(await answer.text()).toContain("on the server run plasm auth login quay");
    expect(oauth.calls).toEqual([]);
  });
});

describe("links of several people (RUN-128)", () => {
  const keyOf = async (subject: string): Promise<string> =>
    (await host?.operators.keys.add({ tenant: "acme", subject, role: "agent" }))?.key ?? "";

  async function openFor(env: Fields): Promise<{ ann: string; bob: string }> {
    const keys = await openKeys(join(directory, "data"), {});
    await keys.keys.add({ tenant: "acme", subject: "first", role: "agent" });
    await keys.close();
    await open(env, "required");
    return { ann: await keyOf("ann"), bob: await keyOf("bob") };
  }

  it("a link opened by another connects nothing for either; its own person's serves that person alone", async () => {
    const { ann, bob } = await openFor({ PLASM_CREDENTIALS: "user" });
    const [asAnn, asBob] = [{ "x-api-key": ann }, { "x-api-key": bob }];
    const [ofAnn, ofBob] = [await session(asAnn), await session(asBob)];
    const { link, ref } = await asked(ofAnn, asAnn);
    const others = [await press(link, bob), await press(link, "made-up"), await press(link)];
    expect(others.map(({ status }) => status)).toEqual([403, 401, 401]);
    expect(await others[0]?.text()).toContain("made for another person");
    await asked(ofBob, asBob);
    const begun = await press(link, ann);
    const back = await consented(begun);
    expect((await send(back.href, { headers: { cookie: cookieOf(begun) } })).status).toBe(200);
    expect((await runRef(ofAnn, ref, asAnn)).status).toBe(200);
    await asked(ofBob, asBob);
    expect(oauth.calls).toHaveLength(1);
  });

  it("is good for nobody after five wrong keys", async () => {
    const { ann } = await openFor({ PLASM_CREDENTIALS: "user" });
    const as = { "x-api-key": ann };
    const { link } = await asked(await session(as), as);
    for (let n = 0; n < 5; n++) await press(link, `guess-${n}`);
    expect((await press(link, ann)).status).toBe(410);
  });

  it("where callers share credentials, none of them signs in for all", async () => {
    const { ann } = await openFor({});
    const as = { "x-api-key": ann };
    const answer = await run(await session(as), "Boat.limit(1)", as);
    expect(await answer.text()).toContain("on the server run plasm auth login quay");
  });
});
