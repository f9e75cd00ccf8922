import type { JsonObject } from "@plasm/core";
import type { Client } from "@modelcontextprotocol/client";
import { AgentFailure, type ProblemMeta } from "./agent-failure.ts";
import { programMember, type McpAgentClient, type Resource } from "./agent-client.ts";
import type {
  AgentAnswer,
  AgentRun,
  ContextMeta,
  PlanMeta,
  ResultRows,
  RunMeta,
} from "./answers.ts";

interface SnapshotDocument {
  readonly label: string;
  readonly columns: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly JsonObject[];
}

/** Calls a tool; its text and `_meta.plasm` must be all there is (SURF-5). */
async function call<Meta>(client: Client, name: string, args: object): Promise<AgentAnswer<Meta>> {
  const result = await client.callTool({ name, arguments: { ...args } });
  const { content, _meta: meta = {} } = result;
  const [block] = content;
  if (content.length !== 1 || block?.type !== "text") {
    throw new Error(`${name} answered other content than one text: ${JSON.stringify(content)}`);
  }
  const plasm = meta["plasm"] as JsonObject;
  if (result.isError !== true) return { text: block.text, meta: plasm as Meta };
  const { error, ...rest } = plasm;
  throw new AgentFailure(block.text, error as unknown as ProblemMeta, rest);
}

async function read(client: Client, uri: string): Promise<Resource> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  if (contents.length !== 1 || first === undefined || !("text" in first)) {
    throw new Error(`${uri} is not one text`);
  }
  return { mimeType: first.mimeType ?? "", text: first.text };
}

/** A snapshot names all columns of its rows' type; results show those that some row has loaded. */
async function rowsOf(client: Client, uri: string): Promise<ResultRows> {
  const { text } = await read(client, uri);
  const { label, columns, rows } = JSON.parse(text) as SnapshotDocument;
  const names = columns.map(([name]) => name);
  const loaded = names.filter((name) => rows.length === 0 || rows.some((row) => name in row));
  return { name: label, columns: loaded, rows };
}

async function run(client: Client, args: object): Promise<AgentRun> {
  const answer = await call<RunMeta>(client, "plasm_run", args);
  const results: ResultRows[] = [];
  // What tells of an operation has no results yet.
  const { steps = [] } = answer.meta as Partial<RunMeta>;
  for (const { artifact_uri: uri } of steps) results.push(await rowsOf(client, uri));
  return { ...answer, results };
}

/** An agent behind a connected MCP client; rows come from the snapshots its runs leave. */
export function mcpAgent(
  client: Client,
  serverPid: number | null,
  close: () => Promise<void>,
): McpAgentClient {
  return {
    context: (args) => call<ContextMeta>(client, "plasm_context", args),
    plan: (ref, program, options = {}) =>
      call<PlanMeta>(client, "plasm", { logical_session_ref: ref, program, ...options }),
    run: (ref, program, options = {}) =>
      run(client, {
        logical_session_ref: ref,
        ...programMember(program),
        wait: true,
        ...options,
      }),
    discover: async (args) => (await call<object>(client, "discover_capabilities", args)).meta,
    readResource: (uri) => read(client, uri),
    callTool: (name, args) => call<object>(client, name, args),
    about: async () => ({
      instructions: client.getInstructions(),
      tools: (await client.listTools()).tools,
    }),
    serverPid,
    close,
  };
}
