import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectServer, cookieOf } from "./testing/connect-server.ts";

const MINUTE = 60_000;

let server: ConnectServer;
beforeEach(async () => {
  server = await ConnectServer.start();
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

/** From now on it is so many minutes after the time the test began. */
function atMinute(): (minute: number) => void {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  return (minute) => vi.setSystemTime(start + minute * MINUTE);
}

const status = async (answer: Promise<Response>): Promise<number> => (await answer).status;

describe("how long a link, a sign-in and the ref beside them last (RUN-128)", () => {
  it("a ref that would end soon lasts as long as its person may take", async () => {
    const at = atMinute();
    await server.open();
    const session = await server.session();
    const { ref: planned } = await server.asked(session);
    at(9);
    const { link, ref } = await server.asked(session);
    expect(ref).toBe(planned);
    at(18);
    const begun = await server.press(link);
    expect(begun.status).toBe(303);
    at(27);
    expect(await status(server.back(await server.consented(begun), begun))).toBe(200);
    expect(await status(server.runRef(session, ref))).toBe(200);
  });

  it("a link that is older than ten minutes opens nothing", async () => {
    const at = atMinute();
    await server.open();
    const { link } = await server.asked(await server.session());
    at(10);
    expect(await status(server.send(link))).toBe(410);
    expect(await status(server.press(link))).toBe(410);
    expect(server.oauth.asked).toEqual([]);
  });

  it("nor does an answer that comes ten minutes after the sign-in was begun", async () => {
    const at = atMinute();
    await server.open();
    const session = await server.session();
    const begun = await server.press((await server.asked(session)).link);
    const back = await server.consented(begun);
    at(10);
    expect(await status(server.back(back, begun))).toBe(410);
    await server.asked(session);
  });
});

it("a person has ten links to one API that wait, however many labels are named (RUN-128)", async () => {
  await server.open();
  const links: string[] = [];
  for (let n = 0; n < 11; n += 1) {
    const at = await server.session({}, `label${n}`, `see label${n}`);
    links.push((await server.asked(at)).link);
  }
  const statuses = await Promise.all(links.map((link) => status(server.send(link))));
  expect(statuses).toEqual([410, ...Array.from({ length: 10 }, () => 200)]);
});

describe("a provider that is down (RUN-128)", () => {
  it("while the person comes back costs no link: it opens the sign-in again", async () => {
    await server.open();
    const session = await server.session();
    const { link, ref } = await server.asked(session);
    const begun = await server.press(link);
    const back = await server.consented(begun);
    server.oauth.down = true;
    const down = await server.back(back, begun);
    const text = await down.text();
    expect([down.status, text]).toEqual([502, expect.stringContaining("answered 503")]);
    const [, again = ""] = /<form method="get" action="([^"]+)"/.exec(text) ?? [];
    expect(new URL(again, link).href).toBe(link);
    // The answer itself counts once.
    expect(await status(server.back(back, begun))).toBe(410);
    server.oauth.down = false;
    expect(await status(server.send(again))).toBe(200);
    const second = await server.press(link);
    expect(await status(server.back(await server.consented(second), second))).toBe(200);
    expect(await status(server.press(link))).toBe(410);
    expect(await status(server.runRef(session, ref))).toBe(200);
  });

  it("gives a link no longer life than it had", async () => {
    const at = atMinute();
    await server.open();
    const { link } = await server.asked(await server.session());
    at(9);
    const begun = await server.press(link);
    const back = await server.consented(begun);
    at(11);
    server.oauth.down = true;
    expect(await (await server.back(back, begun)).text()).not.toContain("<form");
    expect(await status(server.press(link))).toBe(410);
  });
});

describe("a sign-in that the provider has ended (RUN-128)", () => {
  /** Signs ann in, and gives the session. */
  async function signedIn(): Promise<string> {
    await server.open();
    const session = await server.session();
    const { link, ref } = await server.asked(session);
    const begun = await server.press(link);
    await server.back(await server.consented(begun), begun);
    expect(await status(server.runRef(session, ref))).toBe(200);
    return session;
  }

  it("is found out before anything is sent where the token has ended, and a link is given", async () => {
    const at = atMinute();
    const session = await signedIn();
    at(30);
    server.oauth.refuses = { status: 400, error: "invalid_grant" };
    const calls = server.oauth.calls.length;
    await server.asked(session);
    expect(server.oauth.calls).toHaveLength(calls);
  });

  it("a provider that is out of order ends none", async () => {
    const at = atMinute();
    const session = await signedIn();
    at(30);
    server.oauth.refuses = { status: 503, error: "down" };
    expect(await (await server.run(session, "Boat.limit(1)")).text()).toContain("answered 503");
    server.oauth.refuses = null;
    expect(await status(server.run(session, "Boat.limit(1)"))).toBe(200);
  });

  it("is found out by the run whose token the API refuses; the next one gets a link", async () => {
    const session = await signedIn();
    server.oauth.endAccessTokens();
    server.oauth.refuses = { status: 400, error: "invalid_grant" };
    const failed = await server.run(session, "Boat.limit(1)");
    expect(await failed.text()).toContain("refuses the refresh token of quay");
    server.oauth.refuses = null;
    const calls = server.oauth.calls.length;
    const { link, ref } = await server.asked(session);
    expect(server.oauth.calls).toHaveLength(calls);
    const begun = await server.press(link);
    await server.back(await server.consented(begun), begun);
    expect(await status(server.runRef(session, ref))).toBe(200);
  });
});

describe("links and browsers (RUN-128)", () => {
  it("two sign-ins in one browser do not disturb each other", async () => {
    const { ann, bob } = await server.openFor();
    const [asAnn, asBob] = [{ "x-api-key": ann }, { "x-api-key": bob }];
    const [ofAnn, ofBob] = [await server.session(asAnn), await server.session(asBob)];
    const [first, second] = [await server.asked(ofAnn, asAnn), await server.asked(ofBob, asBob)];
    const one = await server.press(first.link, ann);
    const two = await server.press(second.link, bob);
    expect(cookieOf(one).split("=")[0]).not.toBe(cookieOf(two).split("=")[0]);
    const [backOne, backTwo] = [await server.consented(one), await server.consented(two)];
    // The browser sends both cookies with each.
    expect(await status(server.back(backTwo, one, two))).toBe(200);
    await server.asked(ofAnn, asAnn);
    expect(await status(server.back(backOne, one, two))).toBe(200);
    expect(await status(server.runRef(ofAnn, first.ref, asAnn))).toBe(200);
    expect(await status(server.runRef(ofBob, second.ref, asBob))).toBe(200);
  });

  it("the cookie of one sign-in is no use for another", async () => {
    await server.open();
    const session = await server.session();
    const one = await server.press((await server.asked(session)).link);
    const two = await server.press((await server.asked(session)).link);
    const [name] = cookieOf(two).split("=");
    const [, value] = cookieOf(one).split("=");
    const back = await server.consented(two);
    const swapped = await server.send(back.href, { headers: { cookie: `${name}=${value}` } });
    expect(swapped.status).toBe(403);
    await server.asked(session);
  });

  it("of two that press one link one begins a sign-in", async () => {
    await server.open();
    const { link } = await server.asked(await server.session());
    const both = await Promise.all([server.press(link), server.press(link)]);
    expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([303, 410]);
  });

  it("a key of another tenant with the same name opens nothing", async () => {
    const { ann } = await server.openFor();
    const as = { "x-api-key": ann };
    const { link } = await server.asked(await server.session(as), as);
    const other = await server.host.operators.keys.add({
      tenant: "other",
      subject: "ann",
      role: "agent",
    });
    expect(await status(server.press(link, other.key))).toBe(403);
    expect(await status(server.press(link, ann))).toBe(303);
  });

  it.each([
    "https://evil.example/v1/connect/callback",
    "http://127.0.0.1/v1/connect/callback?next=https://evil.example",
    "http://127.0.0.1:9/v1/connect/callback",
  ])("nothing that a request says moves where the browser comes back to: %s", async (redirect) => {
    await server.open();
    const { link } = await server.asked(await server.session());
    const query = new URLSearchParams({ redirect_uri: redirect, next: redirect, origin: redirect });
    const begun = await server.send(`${link}?${query.toString()}`, {
      method: "POST",
      body: query,
      headers: { origin: server.origin, "x-forwarded-host": "evil.example" },
    });
    const to = new URL(begun.headers.get("location") ?? "");
    expect([begun.status, to.origin]).toEqual([303, server.oauth.url]);
    expect(to.searchParams.getAll("redirect_uri")).toEqual([
      "http://127.0.0.1/v1/connect/callback",
    ]);
    const back = await server.consented(begun);
    back.searchParams.set("next", redirect);
    back.searchParams.set("redirect_uri", redirect);
    const done = await server.back(back, begun);
    expect([done.status, done.headers.get("location")]).toEqual([200, null]);
    expect(await done.text()).not.toContain("evil.example");
  });

  it("a provider that does not know the redirect address leads the browser nowhere", async () => {
    await server.close();
    server = await ConnectServer.start("http://127.0.0.1", []);
    await server.open();
    server.host.connect.serveAt("https://elsewhere.example");
    const session = await server.session();
    const { detail } = (await (await server.run(session, "Boat.limit(1)")).json()) as {
      detail: string;
    };
    const link = /https:\/\/elsewhere\.example(\/v1\/connect\/\S+)/.exec(detail)?.[1] ?? "";
    const begun = await server.press(link);
    expect((await server.consented(begun)).origin).toBe(server.oauth.url);
  });

  it("over https the cookie is this host's alone", async () => {
    await server.close();
    server = await ConnectServer.start("https://plasm.example");
    await server.open();
    const { link, ref } = await server.asked(await server.session());
    const begun = await server.press(link);
    const cookie = begun.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^__Host-plasm_connect_[0-9a-f]{16}=/);
    const parts = cookie.split("; ").slice(1);
    expect(parts).toEqual(expect.arrayContaining(["Path=/", "Secure", "HttpOnly", "SameSite=Lax"]));
    expect(parts.some((part) => part.startsWith("Domain"))).toBe(false);
    const back = await server.consented(begun);
    expect(back.origin).toBe("https://plasm.example");
    expect(await status(server.back(back, begun))).toBe(200);
    expect(ref).toMatch(/^pc/);
  });
});

describe("a catalog that changes while a person signs in (RUN-127)", () => {
  it("sends what comes back to the server that the person was sent to", async () => {
    await server.open();
    const session = await server.session();
    const begun = await server.press((await server.asked(session)).link);
    const back = await server.consented(begun);
    const path = join(server.directory, "catalogs", "quay", "domain.yaml");
    const text = await readFile(path, "utf8");
    const evil = "provider: harbour-id, issuer: 'https://evil.example'";
    await writeFile(path, text.replace("provider: harbour-id", evil));
    await server.host.reloadCatalogs();
    expect(await status(server.back(back, begun))).toBe(200);
    expect(server.oauth.asked.filter((asked) => asked === "POST /token")).toHaveLength(1);
  });
});

describe("the document by which this deployment is a client (RUN-127)", () => {
  const NO_ID = { PLASM_OAUTH_HARBOUR_ID_CLIENT_ID: "" };
  /** A server at an address, with a provider that reads documents of clients. */
  async function at(origin: string): Promise<void> {
    await server.close();
    server = await ConnectServer.start(origin, [], undefined, (url) =>
      server.send(new URL(url).pathname),
    );
    await server.open(NO_ID);
  }

  it("is its id at a server that reads such documents, which registers nothing", async () => {
    await at("https://plasm.example");
    const session = await server.session();
    const { link, ref } = await server.asked(session);
    const begun = await server.press(link);
    const sent = new URL(begun.headers.get("location") ?? "").searchParams;
    expect(sent.get("client_id")).toBe("https://plasm.example/v1/connect/client.json");
    const back = await server.consented(begun);
    expect(back.href).toMatch(/^https:\/\/plasm\.example\/v1\/connect\/callback\?/);
    expect(await status(server.back(back, begun))).toBe(200);
    expect(await status(server.runRef(session, ref))).toBe(200);
    // Its token is refreshed as that, too.
    server.oauth.endAccessTokens();
    expect(await status(server.run(session, "Boat.limit(1)"))).toBe(200);
    expect(server.oauth.asked.filter((path) => path.endsWith(" /reg"))).toEqual([]);
  });

  it.each([
    "http://127.0.0.1",
    "http://plasm.example",
    "https://127.0.0.1",
    "https://plasm.internal",
    "https://plasm",
  ])("is not there at %s, where an application is registered instead", async (origin) => {
    await at(origin);
    expect(await status(server.send("/v1/connect/client.json"))).toBe(404);
    const begun = await server.press((await server.asked(await server.session())).link);
    const id = new URL(begun.headers.get("location") ?? "").searchParams.get("client_id");
    expect([id?.startsWith("http"), server.oauth.asked.includes("POST /reg")]).toEqual([
      false,
      true,
    ]);
  });
});
