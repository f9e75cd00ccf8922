import type { JsonObject } from "@plasm/core";

/** The two surfaces of the gate's table. */
export const GATE_SURFACES = ["MCP", "HTTP"] as const;
export type GateSurface = (typeof GATE_SURFACES)[number];

/** What a call came to: `code` is null for a result. */
export interface Told {
  readonly code: string | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly text: string;
  readonly meta: JsonObject;
}

export interface GateRun {
  readonly plan_commit_ref?: string;
  readonly force?: boolean;
  readonly wait?: boolean;
}

/** An agent in one session on quay's boats. */
export interface GateAgent {
  plan(program: string): Promise<Told>;
  /** null is no program: the ref stands for it (OPS-3) */
  run(program: string | null, more?: GateRun): Promise<Told>;
}

const programIn = (program: string | null): object => (program === null ? {} : { program });

export type Fetch = (request: Request) => Promise<Response>;

const ORIGIN = "http://127.0.0.1";
const SEEDS = [{ api: "quay", entity: "Boat" }];

export function requestOf(
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Request {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const accept = { accept: "application/json, text/event-stream" };
  return new Request(`${ORIGIN}${path}`, {
    method,
    headers: { ...accept, ...type, ...headers },
    ...sent,
  });
}

/** An object that a value has by that name; an empty one where it has none. */
export const jsonMember = (value: unknown, name: string): JsonObject => {
  const found = (value as JsonObject | null | undefined)?.[name];
  return typeof found === "object" && found !== null ? (found as JsonObject) : {};
};
const textIn = (value: JsonObject, name: string): string | null => {
  const found = value[name];
  return typeof found === "string" ? found : null;
};

/** The answer of MCP to a method, in the one message that it sends, or the last of its stream. */
export async function mcpCall(fetch: Fetch, method: string, params: object): Promise<JsonObject> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  const text = await (await fetch(requestOf("POST", "/mcp", body))).text();
  const data = text.split("\n").filter((line) => line.startsWith("data: "));
  return JSON.parse(data.at(-1)?.slice("data: ".length) ?? text) as JsonObject;
}

export async function callTool(fetch: Fetch, name: string, args: object): Promise<Told> {
  const result = jsonMember(
    await mcpCall(fetch, "tools/call", { name, arguments: args }),
    "result",
  );
  const meta = jsonMember(jsonMember(result, "_meta"), "plasm");
  const [block] = (result["content"] ?? []) as readonly JsonObject[];
  const text = textIn(block ?? {}, "text") ?? "";
  if (result["isError"] !== true) return { code: null, status: null, reason: null, text, meta };
  const error = jsonMember(meta, "error");
  const status = typeof error["status"] === "number" ? error["status"] : null;
  return { code: textIn(error, "code"), status, reason: textIn(error, "reason"), text, meta };
}

/** What a route of programs and contexts answered. */
export async function httpTold(response: Response): Promise<Told> {
  const body = (await response.json()) as JsonObject;
  const meta = jsonMember(jsonMember(body, "_meta"), "plasm");
  const { status } = response;
  if (status < 400) {
    return { code: null, status: null, reason: null, text: textIn(body, "text") ?? "", meta };
  }
  const reason = textIn(jsonMember(meta, "error"), "reason");
  return { code: textIn(body, "code"), status, reason, text: textIn(body, "detail") ?? "", meta };
}

async function overMcp(fetch: Fetch, intent: string): Promise<GateAgent> {
  const opened = await callTool(fetch, "plasm_context", {
    intent,
    seeds: SEEDS,
    notation: "names",
  });
  const ref = textIn(opened.meta, "logical_session_ref");
  if (ref === null) throw new Error(opened.text);
  const at = { logical_session_ref: ref };
  return {
    plan: (program) => callTool(fetch, "plasm", { ...at, program }),
    run: (program, more = {}) =>
      callTool(fetch, "plasm_run", { ...at, ...programIn(program), ...more }),
  };
}

async function overHttp(fetch: Fetch, intent: string): Promise<GateAgent> {
  const opened = await fetch(
    requestOf("POST", "/execute", { intent, seeds: SEEDS, notation: "names" }),
  );
  const path = opened.headers.get("location");
  if (path === null) throw new Error(await opened.text());
  const post = async (body: object) => httpTold(await fetch(requestOf("POST", path, body)));
  return {
    plan: (program) => post({ program, mode: "plan" }),
    run: (program, more = {}) => post({ ...programIn(program), ...more }),
  };
}

/** Opens a session for an intent over one of the surfaces. */
export const gateAgent = (surface: GateSurface, fetch: Fetch, intent: string): Promise<GateAgent> =>
  surface === "MCP" ? overMcp(fetch, intent) : overHttp(fetch, intent);

/** The ref that an answer carries. */
export function refIn({ meta, text }: Told): string {
  const ref = textIn(meta, "plan_commit_ref");
  if (ref === null) throw new Error(`no ref in: ${text}`);
  return ref;
}

/** The uuid by which operators decide on the plan of an answer. */
export const uuidIn = ({ meta }: Told): string =>
  textIn(jsonMember(meta, "approval"), "commit_uuid") ?? "";
