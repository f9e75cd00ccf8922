import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { inspect, inspectorArguments } from "../harness/inspector-talk.ts";
import { runProcess } from "../harness/run-process.ts";
import type { ToolResult } from "../harness/tool-talk.ts";
import { pathWithCurl } from "./path-with-curl.ts";
import { STEPS, type Step } from "./session-steps.ts";

/** What was sent, as one of this client's users writes it, and the text that came back. */
interface Exchange {
  readonly what: string;
  readonly sent: string;
  readonly language: "sh" | "ts";
  readonly text: string;
}

const SCRIPT = join(import.meta.dirname, "../../../docs/transcripts/session.sh");

function textOf({ content, isError }: ToolResult): string {
  const [block] = content;
  if (isError === true || content.length !== 1 || block?.text === undefined) {
    throw new Error(JSON.stringify(content));
  }
  return block.text;
}

const written = ({ tool, args }: Step): string =>
  `await client.callTool({\n  name: ${JSON.stringify(tool)},\n  arguments: ${JSON.stringify(args)},\n});`;

/** Calls one after another, each on what the ones before have left. */
async function exchanges(call: (step: Step) => Promise<Omit<Exchange, "what">>) {
  const made: Exchange[] = [];
  for (const step of STEPS) made.push({ what: step.what, ...(await call(step)) });
  return made;
}

async function byInspector(url: URL): Promise<readonly Exchange[]> {
  const home = await mkdtemp(join(tmpdir(), "inspector-home-"));
  const quoted = (text: string): string => (/^[\w:/.-]+$/.test(text) ? text : `'${text}'`);
  try {
    return await exchanges(async ({ tool, args }) => {
      const given = inspectorArguments([url.href], tool, args);
      const sent = ["npx @modelcontextprotocol/inspector", ...given.map(quoted)].join(" ");
      return { sent, language: "sh", text: textOf(await inspect(home, given)) };
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function bySdkV1(url: URL): Promise<readonly Exchange[]> {
  const client = new ClientV1({ name: "transcript", version: "1" });
  // Its optional members are declared in a way that exactOptionalPropertyTypes does not accept.
  await client.connect(new TransportV1(url) as Transport);
  const made = await exchanges(async (step) => {
    const result = await client.callTool({ name: step.tool, arguments: { ...step.args } });
    return { sent: written(step), language: "ts", text: textOf(result as ToolResult) };
  });
  await client.close();
  return made;
}

async function bySdkV2(url: URL, era: "2025" | "2026"): Promise<readonly Exchange[]> {
  const mode = era === "2025" ? ("legacy" as const) : { pin: "2026-07-28" };
  const client = new Client({ name: "transcript", version: "2" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url));
  const made = await exchanges(async (step) => {
    const result = await client.callTool({ name: step.tool, arguments: { ...step.args } });
    return { sent: written(step), language: "ts", text: textOf(result as ToolResult) };
  });
  await client.close();
  return made;
}

/** A fence longer than any in the text. */
function fenced(text: string, language: string): string {
  const runs = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

const page = (title: string, made: readonly Exchange[]): string =>
  [
    `# ${title}`,
    ...made.flatMap(({ what, sent, language, text }) => [
      `## ${what}`,
      fenced(sent, language),
      fenced(text, "text"),
    ]),
  ].join("\n\n");

async function byCurl(origin: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "curl-"));
  try {
    const env = { PATH: await pathWithCurl(directory) };
    const script = { command: "bash", args: [SCRIPT, origin], env };
    const { code, stdout, stderr } = await runProcess(script);
    if (code !== 0) throw new Error(stderr);
    return `# A session by curl\n\n${fenced(stdout, "text")}`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export const CLIENTS = ["inspector", "sdk-v1", "sdk-v2-2025", "sdk-v2-2026", "curl"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** Holds the session with a server on which nobody was before, and writes down what was said. */
export async function holdSession(name: ClientName, origin: string): Promise<string> {
  const url = new URL("/mcp", origin);
  switch (name) {
    case "inspector":
      return page("A session by the Inspector, in CLI mode", await byInspector(url));
    case "sdk-v1":
      return page("A session by the TypeScript SDK v1", await bySdkV1(url));
    case "sdk-v2-2025":
      return page("A session by the TypeScript SDK v2, 2025-11-25", await bySdkV2(url, "2025"));
    case "sdk-v2-2026":
      return page("A session by the TypeScript SDK v2, 2026-07-28", await bySdkV2(url, "2026"));
    case "curl":
      return byCurl(origin);
  }
}
