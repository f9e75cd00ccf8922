import { setTimeout as sleep } from "node:timers/promises";
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
  UrlElicitationRequiredError,
} from "@modelcontextprotocol/client";
import type { CallLog } from "@plasm/host";
import { connectTransport } from "@plasm/mcp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConnectServer } from "./testing/connect-server.ts";

type Way = "2026-07-28 over HTTP" | "2025-11-25 on a connection that stands";
const WAYS: readonly Way[] = ["2026-07-28 over HTTP", "2025-11-25 on a connection that stands"];

/** What a client's user does who is asked to open a page. */
type User = (url: string) => Promise<"accept" | "decline" | "cancel">;

let server: ConnectServer;
const clients: Client[] = [];
beforeEach(async () => {
  server = await ConnectServer.start();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await server.close();
});

/** A real MCP client; without a user it declares no elicitation. `sent` are the texts that a model would see. */
async function connect(
  way: Way | "2025-11-25 over HTTP",
  user: User | null,
  key?: string,
  more: { readonly heldMs?: number; readonly log?: CallLog } = {},
) {
  const asked: { url: string; message: string; elicitationId?: string }[] = [];
  const completed: string[] = [];
  const client = new Client(
    { name: "test", version: "1" },
    {
      capabilities: user === null ? {} : { elicitation: { url: {} } },
      versionNegotiation: { mode: way === WAYS[0] ? { pin: "2026-07-28" } : "legacy" },
    },
  );
  clients.push(client);
  if (user !== null) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      if (params.mode !== "url") throw new Error("A page is asked for, and nothing else");
      asked.push(params);
      return { action: await user(params.url) };
    });
    client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => {
      completed.push(params.elicitationId);
    });
  }
  if (way === WAYS[1] || more.log !== undefined) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    connectTransport(far, { ...server.host, ...more });
    await client.connect(near);
  } else {
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", server.origin), {
      fetch: (url, init) => server.send(new URL(url).pathname, init),
      requestInit: { headers: key === undefined ? {} : { "x-api-key": key } },
    });
    await client.connect(transport);
  }
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content;
    return { text: first?.type === "text" ? first.text : "", isError: isError === true };
  };
  await call("plasm_context", { intent: "look", seeds: [{ api: "quay", entity: "Boat" }] });
  const run = (more: Record<string, unknown> = { program: "Boat.limit(1)" }) =>
    call("plasm_run", { logical_session_ref: "s0", ...more });
  return { run, asked, completed };
}

/** Signs in by a link, as the person at the browser. */
async function signIn(link: string, key?: string): Promise<number> {
  const begun = await server.press(link, key);
  return (await server.back(await server.consented(begun), begun)).status;
}

const people = (): readonly (string | null)[] => server.oauth.calls.map(({ person }) => person);

describe("RUN-131: a client that leads its user to the page", () => {
  it.each(WAYS)("%s: the call that lacked a sign-in goes on by itself", async (way) => {
    await server.open();
    const { run, asked, completed } = await connect(way, async (url) => {
      expect(people()).toEqual([]);
      expect(await signIn(url)).toBe(200);
      return "accept";
    });
    expect(await run()).toEqual({ text: expect.stringContaining("c1"), isError: false });
    expect(people()).toEqual(["ann"]);
    const legacy = way === WAYS[1];
    expect(asked).toMatchObject([{ message: expect.stringContaining("quay is not connected") }]);
    expect([asked[0]?.elicitationId !== undefined, completed]).toEqual([
      legacy,
      legacy ? [asked[0]?.elicitationId] : [],
    ]);
    // It knows its user now.
    expect((await run()).isError).toBe(false);
    expect(asked).toHaveLength(1);
  });

  it.each(WAYS)("%s: opening the page is not signing in, which is waited for", async (way) => {
    await server.open();
    const signingIn: Promise<number>[] = [];
    const { run, asked } = await connect(way, async (url) => {
      signingIn.push(sleep(300).then(() => signIn(url)));
      return "accept";
    });
    expect((await run()).text).toContain("c1");
    expect([await Promise.all(signingIn), asked.length, people()]).toEqual([[200], 1, ["ann"]]);
  });

  it.each(WAYS)("%s: a user who does not agree is asked once, and nothing runs", async (way) => {
    await server.open();
    let says: "decline" | "cancel" = "decline";
    const { run, asked } = await connect(way, async (url) => {
      // Even if somebody else signs in meanwhile.
      if (says === "cancel") await signIn(url);
      return says;
    });
    const refused = { text: expect.stringContaining("did not agree"), isError: true };
    expect(await run()).toEqual(refused);
    says = "cancel";
    expect(await run()).toEqual(refused);
    expect([asked.length, people()]).toEqual([2, []]);
  });

  it.each(WAYS)(
    "%s: who says no at the provider is asked no more, and told in words",
    async (way) => {
      await server.open();
      const { run, asked, completed } = await connect(way, async (url) => {
        const begun = await server.press(url);
        await server.back(await server.consented(begun, true), begun);
        return "accept";
      });
      const refused = {
        text: expect.stringContaining("Have the user open this link"),
        isError: true,
      };
      expect([await run(), asked.length, people()]).toEqual([refused, 1, []]);
      // Nothing was completed.
      expect(completed).toEqual([]);
    },
  );

  it.each(WAYS)("%s: what a user does not agree to is in the call log", async (way) => {
    await server.open();
    const outcomes: string[] = [];
    const log: CallLog = ({ name, ref, outcome }) => outcomes.push(`${name} ${ref} ${outcome}`);
    const { run } = await connect(way, async () => "decline", undefined, { log });
    expect((await run()).text).toContain("did not agree");
    const refused = "plasm_run s0 plasm-upstream-auth";
    expect(outcomes).toEqual(["plasm_context s0 ok", refused, refused]);
  });

  it.each<[string, User]>([
    ["who does not answer", () => new Promise(() => undefined)],
    ["who opens the page and goes away", async () => "accept"],
  ])("a call on a connection that stands does not wait for one %s", async (_, user) => {
    await server.open();
    const { run, completed } = await connect(
      "2025-11-25 on a connection that stands",
      user,
      undefined,
      { heldMs: 300 },
    );
    const began = performance.now();
    const { text, isError } = await run();
    expect([isError, performance.now() - began < 30_000, completed]).toEqual([true, true, []]);
    const [link = ""] = /http:\S+\/v1\/connect\/\S+/.exec(text) ?? [];
    expect(await signIn(link)).toBe(200);
    expect((await run({ plan_commit_ref: "pc0" })).text).toContain("c1");
  });

  it("a plan that is run by its ref is the one that runs afterwards", async () => {
    await server.open();
    const { run, asked } = await connect(WAYS[0] ?? "2025-11-25 over HTTP", async (url) => {
      await signIn(url);
      return "accept";
    });
    const program = 'Boat("c1").update(note="painted")';
    const blocked = await run({ program });
    const [ref = ""] = /pc\d+/.exec(blocked.text) ?? [];
    expect([asked.length, people()]).toEqual([0, []]);
    expect((await run({ plan_commit_ref: ref })).text).toContain("update");
    expect([asked.length, people()]).toEqual([1, ["ann"]]);
  });

  it("the page stays that of the user who was asked: another's key connects nothing", async () => {
    const { ann, bob } = await server.openFor();
    const statuses: number[] = [];
    const user: User = async (url) => {
      statuses.push((await server.press(url, bob)).status, await signIn(url, ann));
      // It is used up.
      statuses.push((await server.press(url, ann)).status);
      return "accept";
    };
    const { run } = await connect(WAYS[0] ?? "2025-11-25 over HTTP", user, ann);
    expect((await run()).isError).toBe(false);
    expect([statuses, people()]).toEqual([[403, 200, 410], ["ann"]]);
    const other = await connect(WAYS[0] ?? "2025-11-25 over HTTP", async () => "decline", bob);
    expect((await other.run()).isError).toBe(true);
    expect(people()).toEqual(["ann"]);
  });

  it("2025-11-25 over HTTP: the error of the specification names the page, with the whole text", async () => {
    await server.open();
    const { run } = await connect("2025-11-25 over HTTP", async () => "accept");
    const thrown: unknown = await run().catch((error: unknown) => error);
    if (!(thrown instanceof UrlElicitationRequiredError)) throw thrown;
    const [page] = thrown.elicitations;
    expect(thrown.message).toMatch(/not run: nothing was sent[^]*plan_commit_ref=pc0/);
    expect(thrown.message).toContain(page?.url);
    expect([people(), await signIn(page?.url ?? "")]).toEqual([[], 200]);
    expect((await run({ plan_commit_ref: "pc0" })).text).toContain("c1");
    expect(people()).toEqual(["ann"]);
  });

  it.each([...WAYS, "2025-11-25 over HTTP" as const])(
    "%s: a client that declares no elicitation is told in words",
    async (way) => {
      await server.open();
      const { run } = await connect(way, null);
      const { text, isError } = await run();
      expect([isError, text]).toEqual([
        true,
        expect.stringContaining("Have the user open this link"),
      ]);
      const [link = ""] = /http:\S+\/v1\/connect\/\S+/.exec(text) ?? [];
      expect(await signIn(link)).toBe(200);
      expect((await run()).text).toContain("c1");
    },
  );

  it.each([
    // As if it had never been asked: it is asked now.
    ["no state", undefined, '"resultType":"input_required"'],
    ["a state that is none", "{}", "nothing was sent"],
    [
      "pages that were never shown",
      JSON.stringify({ until: 9e15, urls: ["http://127.0.0.1/v1/connect/x"] }),
      "nothing was sent",
    ],
  ])("what a client brings back with %s lets nothing run", async (_name, requestState, told) => {
    await server.open();
    // The session that it is about is open.
    await connect("2026-07-28 over HTTP", null);
    const at = performance.now();
    const answer = await server.send("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "plasm_run",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          name: "plasm_run",
          arguments: { logical_session_ref: "s0", program: "Boat.limit(1)" },
          inputResponses: { "sign-in-1": { action: "accept" } },
          ...(requestState === undefined ? {} : { requestState }),
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } },
          },
        },
      }),
    });
    expect(await answer.text()).toContain(told);
    expect([people(), performance.now() - at < 30_000]).toEqual([[], true]);
  });
});
