import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConnectServer } from "./testing/connect-server.ts";

let server: ConnectServer;
beforeEach(async () => {
  server = await ConnectServer.start();
});
afterEach(() => server.close());

/** Signs the person at this machine in, by the link of a run. */
async function signIn(at: string): Promise<string> {
  const { link, ref } = await server.asked(at);
  const begun = await server.press(link);
  expect((await server.back(await server.consented(begun), begun)).status).toBe(200);
  return ref;
}

/** Does something once the API has taken so many requests; what it does counts from the next one on. */
function afterCalls(count: number, act: () => void): void {
  const { calls } = server.oauth;
  const push = calls.push.bind(calls);
  calls.push = (...added) => {
    const length = push(...added);
    if (length === count) act();
    return length;
  };
}

const sent = () => server.oauth.calls.map(({ path, person }) => [path, person]);

/** An access token that was given and that the API takes. */
async function goodToken(): Promise<string> {
  for (const token of server.oauth.issued) {
    const headers = { authorization: `Bearer ${token}` };
    if ((await fetch(`${server.oauth.url}/boats/c1`, { headers })).ok) return token;
  }
  throw new Error("No token is good");
}

/** Reading is what people sign in for; deleting needs more. */
const SCOPED = `
  provider: harbour-id
  scopes: { boats.read: {}, boats.write: {} }
  default_scope_sets: { default: { scopes: [boats.read] } }
  requirements: { capabilities: { boat_delete: { all_of: [boats.write] } } }`;

describe("RUN-124 a scope that one effect of six lacks", () => {
  it("is told with the plan and before anything is sent; the link asks for it beside what was granted", async () => {
    await server.close();
    server = await ConnectServer.start(undefined, undefined, SCOPED);
    await server.open();
    const at = await server.session();
    await server.runRef(at, await signIn(at));
    const from = server.oauth.calls.length;
    const lines = ["p1", "p2", "p3", "p4", "p5"].map(
      (id, n) => `b${n + 1} = Boat("${id}").update(note="painted")`,
    );
    const program = [...lines, 'b6 = Boat("p6").delete()', "b1, b2, b3, b4, b5, b6"].join("\n");
    const send = async (more: object): Promise<{ status: number; text: string }> => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ program, ...more });
      const answer = await server.send(at, { method: "POST", headers, body });
      return { status: answer.status, text: await answer.text() };
    };
    const lacking = "of the scopes of quay delete needs boats.write; granted are: boats.read";
    const planned = await send({});
    expect([planned.status, planned.text]).toEqual([409, expect.stringContaining(lacking)]);
    const asked = await send({ force: true });
    expect([asked.status, asked.text]).toEqual([502, expect.stringContaining(lacking)]);
    expect(asked.text).toContain("not run: nothing was sent");
    expect(sent().slice(from)).toEqual([]);
    const [link = ""] = /http:[^\s"\\]+\/v1\/connect\/[\w-]+/.exec(asked.text) ?? [];
    const begun = await server.press(link);
    const to = new URL(begun.headers.get("location") ?? "");
    expect(to.searchParams.get("scope")).toBe("boats.read boats.write");
    expect((await server.back(await server.consented(begun), begun)).status).toBe(200);
    const [, ref = ""] = /plan_commit_ref=(\w+)/.exec(asked.text) ?? [];
    expect((await server.runRef(at, ref)).status).toBe(200);
    expect(sent().slice(from)).toEqual([1, 2, 3, 4, 5, 6].map((n) => [`/boats/p${n}`, "ann"]));
    // Nothing is said of it any more.
    expect((await send({})).text).not.toContain("of the scopes");
  });
});

describe("RUN-124 a plan that needs more than the catalog asks for", () => {
  it.each([
    ["nobody is signed in", false],
    ["the sign-in has ended", true],
  ])("%s: the link asks for both at once, and one sign-in is enough", async (_name, ended) => {
    await server.close();
    server = await ConnectServer.start(undefined, undefined, SCOPED);
    if (ended)
      await server.store(
        { key: "plasm:outbound:v1:catalog:quay", tenant: null, principal: null },
        { version: 1, entry_id: "quay", access_token: "at", scope: "boats.read", ended: true },
      );
    await server.open();
    const at = await server.session();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ program: 'Boat("p6").delete()', force: true });
    const asked = await (await server.send(at, { method: "POST", headers, body })).text();
    const [link = ""] = /http:[^\s"\\]+\/v1\/connect\/[\w-]+/.exec(asked) ?? [];
    const begun = await server.press(link);
    const to = new URL(begun.headers.get("location") ?? "");
    expect(to.searchParams.get("scope")).toBe("boats.read boats.write");
    expect((await server.back(await server.consented(begun), begun)).status).toBe(200);
    const [, ref = ""] = /plan_commit_ref=(\w+)/.exec(asked) ?? [];
    expect((await server.runRef(at, ref)).status).toBe(200);
    expect(sent()).toEqual([["/boats/p6", "ann"]]);
  });

  it("a server without a link says so in its command", async () => {
    await server.close();
    server = await ConnectServer.start(undefined, undefined, SCOPED);
    await server.open({}, "off", false);
    const at = await server.session();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ program: 'Boat("p6").delete()', force: true });
    const asked = await (await server.send(at, { method: "POST", headers, body })).text();
    expect(asked).toContain("DIRECTORY --scope boats.read --scope boats.write");
  });
});

/** Reading is what people sign in for, now and later; deleting needs more. */
const LASTING = SCOPED.replace(
  "boats.write: {} }",
  "boats.write: {}, offline_access: {} }",
).replace("[boats.read]", "[boats.read, offline_access]");

describe("RUN-124 scopes as a provider says that they were granted", () => {
  it.each([
    [
      "a provider that leaves out what it gives a refresh token for",
      "boats.read",
      "boats.read",
      "boats.read offline_access boats.write",
    ],
    [
      "a provider that says other things than scopes",
      `boats.read "approve" n\\ow ${"x".repeat(201)} \u0007bell`,
      "boats.read",
      "boats.read offline_access boats.write",
    ],
    [
      "a provider that grants without end",
      Array.from({ length: 22 }, (_, at) => `s${at}`).join(","),
      `${Array.from({ length: 20 }, (_, at) => `s${at}`).join(", ")} and 2 more`,
      `${Array.from({ length: 22 }, (_, at) => `s${at}`).join(" ")} offline_access boats.write`,
    ],
  ])("%s", async (_name, scope, shown, asks) => {
    await server.close();
    server = await ConnectServer.start(undefined, undefined, LASTING);
    await server.store(
      { key: "plasm:outbound:v1:catalog:quay", tenant: null, principal: null },
      { version: 1, entry_id: "quay", access_token: "at", scope },
    );
    await server.open();
    const at = await server.session();
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ program: 'Boat("p6").delete()', force: true });
    const asked = await (await server.send(at, { method: "POST", headers, body })).text();
    expect(asked).toContain(`granted are: ${shown}. Have the user open this link`);
    const [link = ""] = /http:[^\s"\\]+\/v1\/connect\/[\w-]+/.exec(asked) ?? [];
    const to = new URL((await server.press(link)).headers.get("location") ?? "");
    expect(to.searchParams.get("scope")).toBe(asks);
  });
});

describe("RUN-128 sign-ins that end at a bad time", () => {
  it("a refresh token that is revoked in the middle of a plan with effects: what is done is told, nothing else is sent, and nothing twice", async () => {
    await server.open();
    const at = await server.session();
    await server.runRef(at, await signIn(at));
    const from = server.oauth.calls.length;
    afterCalls(from + 2, () => {
      server.oauth.endAccessTokens();
      server.oauth.refuses = { status: 400, error: "invalid_grant" };
    });
    const boats = ["p1", "p2", "p3", "p4", "p5", "p6"];
    const program = boats
      .map((id, n) => `b${n + 1} = Boat("${id}").update(note="painted")`)
      .join("\n");
    const body = JSON.stringify({ program: `${program}\nb1, b2, b3, b4, b5, b6`, force: true });
    const headers = { "content-type": "application/json" };
    const answer = await server.send(at, { method: "POST", headers, body });
    const { detail } = (await answer.json()) as { detail: string };
    // The third was refused by the API itself, so that it is known not to have happened.
    expect(sent().slice(from)).toEqual([
      ["/boats/p1", "ann"],
      ["/boats/p2", "ann"],
      ["/boats/p3", null],
    ]);
    expect(answer.ok).toBe(false);
    expect(detail).toContain("effects: 2 done, 1 failed, 3 not started");
    expect(detail).toContain("do not repeat lines 1 and 2, their effects are done");
    server.oauth.refuses = null;
    // Whoever goes on signs in again first, and repeats nothing.
    const { link } = await server.asked(at);
    const begun = await server.press(link);
    await server.back(await server.consented(begun), begun);
    const rest = 'Boat("p3").update(note="painted")';
    const after = await server.send(at, {
      method: "POST",
      headers,
      body: JSON.stringify({ program: rest, force: true }),
    });
    expect(after.status).toBe(200);
    expect(sent().slice(from + 3)).toEqual([["/boats/p3", "ann"]]);
  });

  it.each([
    ["its sign-in stands", null, ["p1", "p2", "p3"], '"name":"b3"'],
    ["somebody has signed in anew", "another", ["p1"], "signed in to quay anew"],
    ["another token is stored", "", ["p1"], "signed in to quay anew"],
  ])(
    "a plan with effects whose server stops goes on after the next start: %s",
    async (_name, signInId, boats, told) => {
      await server.open();
      const at = await server.session();
      await server.runRef(at, await signIn(at));
      const token = await goodToken();
      const lines = ["p1", "p2", "p3"].map(
        (id, n) => `b${n + 1} = Boat("${id}").update(note="painted")`,
      );
      const planned = await server.run(at, `${lines.join("\n")}\nb1, b2, b3`);
      const [, ref = ""] = /plan_commit_ref=(\w+)/.exec(await planned.text()) ?? [];
      const from = server.oauth.calls.length;
      const stopped: Promise<void>[] = [];
      afterCalls(from + 1, () => stopped.push(server.host.close()));
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ plan_commit_ref: ref, wait: false });
      await server.send(at, { method: "POST", headers, body });
      await vi.waitFor(() => expect(stopped).toHaveLength(1));
      await Promise.all(stopped);
      expect(sent().slice(from)).toEqual([["/boats/p1", "ann"]]);
      if (signInId !== null) {
        // The API takes its token: nobody here can tell whose it is.
        const client = { client_id: "plasm-app", token_url: `${server.oauth.url}/token` };
        const written = signInId === "" ? {} : { ...client, sign_in: signInId };
        await server.store(
          { key: "plasm:outbound:v1:catalog:quay", tenant: null, principal: null },
          { version: 1, entry_id: "quay", access_token: token, ...written },
        );
      }
      await server.open();
      const answer = await (await server.runRef(at, ref)).text();
      expect(sent().slice(from)).toEqual(boats.map((id) => [`/boats/${id}`, "ann"]));
      expect(answer).toContain(told);
    },
  );

  it.each([
    ["a query", "?redirect_uri=https%3A%2F%2Fevil.example%2F&next=https%3A%2F%2Fevil.example", {}],
    [
      "another host's name",
      "",
      { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
    ],
  ])(
    "%s leads the browser to no place but the provider, and back to no place but here",
    async (_name, query, headers) => {
      await server.open();
      const { link } = await server.asked(await server.session());
      const begun = await server.send(`${link}${query}`, {
        method: "POST",
        body: new URLSearchParams(),
        headers: { origin: server.origin, ...headers },
      });
      const to = new URL(begun.headers.get("location") ?? "");
      expect([begun.status, to.origin]).toEqual([303, server.oauth.url]);
      expect(to.searchParams.getAll("redirect_uri")).toEqual([
        `${server.origin}/v1/connect/callback`,
      ]);
      const back = await server.consented(begun);
      back.searchParams.set("next", "https://evil.example");
      const done = await server.back(back, begun);
      expect([done.status, done.headers.get("location")]).toEqual([200, null]);
      expect(await done.text()).not.toContain("evil");
    },
  );
});
