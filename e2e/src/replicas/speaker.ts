import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { JsonObject } from "@plasm/core";
import type { ContextArguments, ProgramOptions } from "../harness/agent-client.ts";
import type { Recorder } from "./recorder.ts";

/** Everything an agent asks for, errors being answers like others. What it gives is the text. */
export interface Speaker {
  discover(intent: string): Promise<string>;
  context(args: ContextArguments & { readonly grafts?: JsonObject }): Promise<string>;
  plan(program: string): Promise<string>;
  explain(program: string): Promise<string>;
  run(program: string, options?: ProgramOptions): Promise<string>;
  /** The snapshot of a number, the tables, a graft: what the session keeps. */
  snapshot(n: number): Promise<string>;
  table(): Promise<string>;
  graft(id: string): Promise<string>;
  close(): Promise<void>;
}

export const WAYS = ["MCP 2025", "MCP 2026", "HTTP"] as const;

export type Way = (typeof WAYS)[number];

/** In a crowd on a busy machine a call waits for many others; nothing is judged by it. */
const PATIENCE = { timeout: 600_000 };

/** A slot nobody has: where programs go before a session is opened. */
const NO_REF = "s99";

async function mcpSpeaker(era: "2025" | "2026", recorder: Recorder): Promise<Speaker> {
  const mode = era === "2026" ? { pin: "2026-07-28" } : ("legacy" as const);
  const client = new Client({ name: "e2e", version: "1" }, { versionNegotiation: { mode } });
  const at = new URL("http://replica/mcp");
  await client.connect(new StreamableHTTPClientTransport(at, { fetch: recorder.fetch }));
  let ref = NO_REF;
  const call = async (name: string, args: object): Promise<string> => {
    const { content, _meta: meta } = await client.callTool(
      { name, arguments: { ...args } },
      PATIENCE,
    );
    const found = (meta?.["plasm"] as JsonObject | undefined)?.["logical_session_ref"];
    if (typeof found === "string") ref = found;
    const [block] = content;
    return block?.type === "text" ? block.text : "";
  };
  const read = async (path: string): Promise<string> => {
    const { contents } = await client.readResource(
      { uri: `plasm://session/${ref}/${path}` },
      PATIENCE,
    );
    const [first] = contents;
    return first !== undefined && "text" in first ? first.text : "";
  };
  const program = (tool: string, text: string, options: object = {}): Promise<string> =>
    call(tool, { logical_session_ref: ref, program: text, ...options });
  return {
    discover: (intent) => call("discover_capabilities", { intent }),
    context: (args) => call("plasm_context", args),
    plan: (text) => program("plasm", text),
    explain: (text) => program("plasm", text, { mode: "explain" }),
    run: (text, options = {}) => program("plasm_run", text, { wait: true, ...options }),
    snapshot: (n) => read(`r/${n}`),
    table: () => read("table"),
    graft: (id) => call("grafted_context_fetch", { graft_id: id, logical_session_ref: ref }),
    close: () => client.close(),
  };
}

const JSON_BODY = { accept: "application/json", "content-type": "application/json" };

function httpSpeaker({ fetch: send }: Recorder): Speaker {
  let place = `/execute/${"0".repeat(64)}/${"0".repeat(32)}`;
  const opened = new Map<string, string>();
  const get = async (path: string): Promise<string> => (await send(path)).text();
  const post = (path: string, body: object): Promise<Response> =>
    send(path, { method: "POST", headers: JSON_BODY, body: JSON.stringify(body) });
  const textOf = async (response: Response): Promise<string> => {
    const { text, detail } = (await response.json()) as { text?: string; detail?: string };
    return text ?? detail ?? "";
  };
  const run = async (body: object): Promise<string> => textOf(await post(place, body));
  return {
    discover: async (intent) => (await post("/v1/discover", { intent })).text(),
    context: async ({ intent, seeds, replay, notation, grafts }) => {
      const known = opened.get(intent);
      if (known !== undefined) {
        place = known;
        return textOf(await post(`${place}/context`, { seeds, replay, grafts }));
      }
      const response = await post("/execute", { intent, seeds, notation });
      place = response.headers.get("location") ?? place;
      opened.set(intent, place);
      if (grafts !== undefined) await post(`${place}/grafts`, { grafts });
      return get(place);
    },
    plan: (text) => run({ program: text, mode: "plan" }),
    explain: (text) => run({ program: text, mode: "explain" }),
    run: (text, options = {}) => run({ program: text, wait: true, ...options }),
    snapshot: (n) => get(`${place}/r/${n}`),
    table: () => get(place),
    graft: (id) => get(`${place}/grafts/${id}`),
    close: async () => undefined,
  };
}

/** Somebody who comes by this way, with a connection of their own if the way has any. */
export async function speakerBy(way: Way, recorder: Recorder): Promise<Speaker> {
  switch (way) {
    case "MCP 2025":
      return mcpSpeaker("2025", recorder);
    case "MCP 2026":
      return mcpSpeaker("2026", recorder);
    case "HTTP":
      return httpSpeaker(recorder);
  }
}
