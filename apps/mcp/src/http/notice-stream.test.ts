import { LOCAL } from "@plasm/agent-core";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, realHost, temporaryDirectory } from "../testing/real-host.ts";
import { createMcpHandler, type McpHandler } from "./create-mcp-handler.ts";

afterEach(cleanUp);

const ACCEPT = { accept: "application/json, text/event-stream" };
const PROGRAM = "note = <<T\nhello\nT\nnote";

function post(handler: McpHandler, session: string, name: string, args: object) {
  const headers = { ...ACCEPT, "content-type": "application/json", "mcp-session-id": session };
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  };
  const body = JSON.stringify(message);
  return handler.fetch(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body }));
}

const open = (handler: McpHandler, session: string, intent = "spring") => {
  const seeds = [{ api: "quay", entity: "Boat" }];
  return post(handler, session, "plasm_context", { intent, seeds, notation: "names" });
};

/** What a stream has brought so far; `closed` once it has ended. */
function reading(response: Response) {
  const state = { text: "", closed: false };
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) state.text += decoder.decode(chunk);
    state.closed = true;
  };
  void read();
  return state;
}

const get = (handler: McpHandler, session: string) =>
  handler.fetch(
    new Request("http://127.0.0.1/mcp", {
      headers: { accept: "text/event-stream", "mcp-session-id": session },
    }),
  );

async function world() {
  const host = await realHost(await temporaryDirectory());
  const stop = new AbortController();
  const { engine, connections } = host;
  const handler = createMcpHandler({ engine, connections, stopping: stop.signal });
  const [mine, other] = await Promise.all([connections.issue(LOCAL), connections.issue(LOCAL)]);
  return { handler, mine, other, stop, connections };
}

const linesIn = (text: string): readonly string[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(
    ([, data = ""]) => (JSON.parse(data) as { params: { line: string } }).params.line,
  );

describe("the GET stream of a 2025 connection (SURF-1, OPS-23)", () => {
  it("tells of operations of its sessions, which the answer's stream then does not", async () => {
    const { handler, mine, other } = await world();
    const response = await get(handler, mine);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const [told, foreign] = [reading(response), reading(await get(handler, other))];
    await (await open(handler, mine)).text();
    await (await open(handler, other, "autumn")).text();
    const run = { logical_session_ref: "s0", program: PROGRAM, wait: false };
    const answer = await (await post(handler, mine, "plasm_run", run)).text();
    expect(answer).not.toContain("notifications/plasm/op");
    await expect.poll(() => linesIn(told.text).at(-1)).toBe("s0_o1 ! 1 rows");
    expect(linesIn(told.text)[0]).toBe("s0_o1 + pc0 ok");
    expect(linesIn(foreign.text)).toEqual([]);
  });

  it("is closed when the server stops", async () => {
    const { handler, mine, stop } = await world();
    const told = reading(await get(handler, mine));
    stop.abort();
    await expect.poll(() => told.closed).toBe(true);
    const late = reading(await get(handler, mine));
    await expect.poll(() => late.closed).toBe(true);
  });

  it("leaves calls to tell of their own operations once its reader has gone", async () => {
    const { handler, mine } = await world();
    const response = await get(handler, mine);
    await (await open(handler, mine)).text();
    await response.body?.cancel();
    const run = { logical_session_ref: "s0", program: PROGRAM, wait: false };
    const answer = await (await post(handler, mine, "plasm_run", run)).text();
    expect(answer).toContain('"line":"s0_o1 + pc0 ok"');
  });

  it("is there for no name that was not issued to the caller", async () => {
    const { handler, connections } = await world();
    const foreign = await connections.issue({ ...LOCAL, subject: "other" });
    for (const name of ["", "0".repeat(32), foreign]) {
      const response = await get(handler, name);
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });
});
