import { ProtocolError } from "@modelcontextprotocol/client";
import type { Transport, TransportOutcome, TransportRequest } from "@plasm/runtime";
import { callFailure, type McpCallResult, type McpSource, McpSourceError } from "./mcp-source.ts";
import type { McpTool } from "./tool-drafts.ts";
import { ANSWER_HEADER, serverHost, TOOL_HEADER, toolFingerprint } from "./tools-catalog.ts";

const encoder = new TextEncoder();

type Block = McpCallResult["content"][number];

/** A block of an answer in words; of what is no text, what it is and how large. */
function blockText(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return `[${block.type} ${block.mimeType}, ${Math.floor((block.data.length * 3) / 4)} bytes, not shown]`;
    case "resource_link":
      return `[${block.uri}${block.mimeType === undefined ? "" : ` ${block.mimeType}`}] ${block.name}`;
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return resource.text;
      return `[${resource.uri}, ${Math.floor((resource.blob.length * 3) / 4)} bytes, not shown]`;
    }
  }
}

/** An answer as catalogs of tools expect it; `json` is one in JSON, with its numbers as they were written. */
const answered = (
  answer: string | { readonly json: string },
  more: { readonly failed?: true; readonly result?: unknown } = {},
): TransportOutcome => {
  const said = typeof answer === "string" ? JSON.stringify(answer) : answer.json;
  const rest = JSON.stringify(more).slice(1);
  return {
    ok: true,
    response: {
      status: 200,
      headers: [["content-type", "application/json"]],
      body: encoder.encode(`{"answer":${said}${rest === "}" ? "" : ","}${rest}`),
    },
  };
};

/** What is nested deeper is no data, and an answer as a whole may not be much deeper. */
const MOST_DEPTH = 60;

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((one) => isWithin(one, depth - 1));
}

/** A text that is an object or a list of JSON, without blanks around it; null for any other. */
function jsonText(text: string): string | null {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed)) return null;
  try {
    return isWithin(JSON.parse(trimmed), MOST_DEPTH) ? trimmed : null;
  } catch {
    return null;
  }
}

/**
 * The answer of a tool of which no schema says what it answers: what its text is as JSON, several such as a list, else
 * the text. Structured content stands for a text that says the same, and beside one that says something else (RUN-212).
 */
function freeAnswer({ content, structuredContent }: McpCallResult): string | { json: string } {
  const text = content.map(blockText).join("\n");
  const parts = content.map((block) => (block.type === "text" ? jsonText(block.text) : null));
  const [first = null] = parts;
  const isJson = parts.every((part) => part !== null);
  if (structuredContent !== undefined && !isText(structuredContent)) {
    const structured = JSON.stringify(structuredContent);
    if (text !== "" && !isJson)
      return { json: `{"text":${JSON.stringify(text)},"content":${structured}}` };
    return { json: structured };
  }
  if (first === null || !isJson) return text;
  return { json: parts.length === 1 ? first : `[${parts.join(",")}]` };
}

function demandSame(source: McpSource, name: string, known: string | undefined) {
  return (tool: McpTool | undefined): void => {
    if (tool === undefined)
      throw new McpSourceError(
        `the MCP server ${source.id} has no tool ${name} any more: restart plasm serve to learn those it has. Nothing was sent`,
      );
    if (known !== undefined && toolFingerprint(tool) !== known)
      throw new McpSourceError(
        `the MCP server ${source.id} has changed its tool ${name}: restart plasm serve to learn it anew. Nothing was sent`,
      );
  };
}

/** Structured content that says what the text says, and no more. */
function isText(content: unknown): boolean {
  if (typeof content !== "object" || content === null) return false;
  const [only, second] = Object.entries(content);
  return second === undefined && only?.[0] === "content" && typeof only[1] === "string";
}

function outcomeOf(result: McpCallResult, isFree: boolean): TransportOutcome {
  const { content, structuredContent, isError } = result;
  const text = content.map(blockText).join("\n");
  if (isError === true)
    return answered(text === "" ? "the tool says that it failed, and not why" : text, {
      failed: true,
    });
  if (isFree) return answered(freeAnswer(result));
  return answered(text, isText(structuredContent) ? {} : { result: structuredContent });
}

async function sendTo(source: McpSource, request: TransportRequest): Promise<TransportOutcome> {
  const { body, signal, timeoutMs, maxResponseBytes, headers } = request;
  const name = decodeURIComponent(new URL(request.url).pathname.replace(/^\/tools\//, ""));
  const valueOf = (wanted: string): string | undefined =>
    headers.find(([header]) => header.toLowerCase() === wanted)?.[1];
  const known = valueOf(TOOL_HEADER);
  const args: unknown = body === null ? {} : JSON.parse(new TextDecoder().decode(body));
  const fail = (
    kind: "timeout" | "lost" | "aborted" | "too_large",
    detail: string,
  ): TransportOutcome => ({
    ok: false,
    failure: { kind, sent: true, detail },
  });
  try {
    const given = args as Record<string, unknown>;
    const limits = { signal, timeoutMs };
    const outcome = outcomeOf(
      await source.call(name, given, demandSame(source, name, known), limits),
      valueOf(ANSWER_HEADER) === "json",
    );
    if (outcome.ok && outcome.response.body.length > maxResponseBytes)
      return fail("too_large", `more than ${maxResponseBytes} bytes`);
    return outcome;
  } catch (thrown) {
    // Nothing was sent, or the server has refused the call itself: that is an answer.
    if (thrown instanceof McpSourceError) return answered(thrown.message, { failed: true });
    if (thrown instanceof ProtocolError) return answered(thrown.message, { failed: true });
    if (signal?.aborted === true) return fail("aborted", "cancelled");
    const kind = callFailure(thrown);
    if (kind !== null) return fail(kind, kind === "timeout" ? `${timeoutMs} ms` : "");
    return fail("lost", "");
  }
}

/**
 * A transport that calls the tools of these MCP servers, and sends all other requests as `inner` does. A call is sent
 * once; whether one that got no answer has arrived, nobody knows, so that it counts as sent.
 */
export function withMcpServers(inner: Transport, sources: readonly McpSource[]): Transport {
  const byHost = new Map(sources.map((source) => [serverHost(source.id), source]));
  return Object.freeze({
    // Calls of tools have neither files nor streams.
    ...(inner.streams === true ? { streams: inner.streams } : {}),
    send: (request: TransportRequest) => {
      const source = byHost.get(new URL(request.url).hostname);
      return source === undefined ? inner.send(request) : sendTo(source, request);
    },
    close: async () => {
      await Promise.all(sources.map((source) => source.close()));
      await inner.close();
    },
  });
}
