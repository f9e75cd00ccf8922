import type { Caller, CancellableCall, Engine, Problem, ResourceAnswer } from "@plasm/agent-core";
import {
  type ClientDecisions,
  INSTRUCTIONS,
  parseResourceUri,
  plasmRun,
  plasmShow,
  problemDocument,
  REGISTRY_URI,
  TOOLS,
} from "@plasm/agent-core/internal";
import {
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  SdkError,
  SdkErrorCode,
  Server,
  type ServerContext as RequestContext,
  type Tool,
} from "@modelcontextprotocol/server";
import {
  type CallLog,
  type Connect,
  type ConnectionClient,
  type LoggedCall,
  type CallNote,
  logCall,
  notingCaller,
  VERSION,
  withinTrace,
} from "@plasm/host";
import { CARD_URI, CARDS_CAPABILITY, cardTool, readCard } from "./card.ts";
import { servePrompts } from "./prompts.ts";
import { OWN_SKILL_URI, readSkill, serveSkills, SKILLS_CAPABILITY } from "./skills.ts";
import { callTask, serveTasks, TASK_CAPABILITY, taskAsked } from "./tasks.ts";
import { serveTaskExtension, TASKS_CAPABILITY } from "./task-extension.ts";
import { callPlain } from "./tools/ask-person.ts";
import { callNotices, type Channels, openChannels, operationNotice } from "./wire/call-notices.ts";
import { serveSubscribing, type Subscriptions } from "./watches/subscriptions.ts";
import { declaredBy } from "./wire/declared-client.ts";
import { withOutputSchema } from "./wire/results.ts";
import { keepLegacyNotFound } from "./wire/outgoing-messages.ts";

/** Which of the two kinds of protocol is spoken: 2025-11-25 and older, or 2026-07-28 (SURF-1). */
export type Era = "legacy" | "modern";

export interface ServerContext {
  readonly engine: Engine;
  readonly caller: Caller;
  readonly era: Era;
  readonly log?: CallLog | undefined;
  /** the connection can be written to at any time, as stdio can (OPS-23) */
  readonly standing?: boolean;
  /** runs may be MCP tasks, where the protocol has them (OPS-26) */
  readonly tasks?: boolean | undefined;
  /** answers stand as data beside their text, too: the setting `structured_content` (SURF-5) */
  readonly structured?: boolean | undefined;
  /** the other streams of its connection, where there may be any */
  readonly channels?: Channels;
  /**
   * Makes a request cancellable by a message that another request brings, as over HTTP in the 2025
   * protocols; without it what cancels is the signal of the request itself (OPS-11)
   */
  readonly begin?: ((id: RequestId) => CancellableCall) | undefined;
  /** how long a call is held on a connection that stands while its person signs in, in ms (RUN-131) */
  readonly heldMs?: number | undefined;
  /** where people sign in to APIs; without it clients are asked to lead nobody there (RUN-131) */
  readonly connect?: Pick<Connect, "settled"> | undefined;
  /** what the person at the client decides on plans of its agent; without it nobody is asked there (OPS-65) */
  readonly decisions?: ClientDecisions | undefined;
  /** hears with what problem a call ends, before it is answered with it */
  readonly onProblem?: ((problem: Problem) => void) | undefined;
  /** the page that shows a plan to a person; without it none is offered (SURF-45) */
  readonly card?: (() => Promise<string>) | undefined;
  /** the watches that a connection that stands is told of (WATCH-06) */
  readonly watched?: Subscriptions;
  /** what the client of an HTTP request of the 2025 protocols said that it can do, when its connection began */
  readonly client?: () => Promise<ConnectionClient>;
}

/** Where a host says what it still has of tables: the mark of an earlier answer, or several (SESS-41). */
const KNOWN = "plasm/known";

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

type Read = { readonly answer: ResourceAnswer } | { readonly problem: Problem };

async function read({ engine, caller }: ServerContext, uri: string, note: CallNote): Promise<Read> {
  try {
    const answer = await engine.readResource(notingCaller(caller, note), uri);
    note.text = "text" in answer ? answer.text : answer.blob;
    return { answer };
  } catch (thrown) {
    const problem = engine.problemOf(thrown);
    note.outcome = problem.code;
    return { problem };
  }
}

/** What a read is named in the log, where it is what a tool or a route does, too (SURF-28). */
function readName(uri: string): LoggedCall | null {
  if (uri === REGISTRY_URI) return "list_registry";
  return parseResourceUri(uri)?.kind === "graft" ? "grafted_context_fetch" : null;
}

async function readResource(context: ServerContext, uri: string) {
  const done = await logCall(context.log, context.caller, readName(uri), (note) =>
    read(context, uri, note),
  );
  if ("answer" in done) return { contents: [{ ...done.answer }] };
  const { problem } = done;
  const { InvalidParams } = ProtocolErrorCode;
  throw new ProtocolError(InvalidParams, problem.text, problemDocument(problem));
}

/** What cancels a call: in the 2025 protocols a message alone, else the end of its connection, too. */
function cancellable(
  { era, begin }: ServerContext,
  request: { readonly id: RequestId; readonly signal: AbortSignal },
): CancellableCall {
  if (begin !== undefined) return begin(request.id);
  const signal = era === "legacy" ? cancelledOnly(request.signal) : request.signal;
  return { signal, end: () => undefined };
}

/** Tells events of the caller's operations as long as the connection stands (OPS-23). */
function tellOperations(server: Server, { engine, caller }: ServerContext): void {
  const unlisten = engine.onOperation(caller, (note) => {
    server.notification(operationNotice(note)).catch(() => undefined);
  });
  server.onclose = () => void unlisten();
}

/** The one tool that may be called as a task says so (OPS-26). */
const asTask = (definition: Tool): Tool =>
  definition === plasmRun.definition
    ? { ...definition, execution: { taskSupport: "optional" } }
    : definition;

/** The tools as this server offers them. */
const offered = (tasks: boolean, structured: boolean): Tool[] =>
  TOOLS.map(({ definition }) => (tasks ? asTask(definition) : definition)).map((one) =>
    structured ? withOutputSchema(one) : one,
  );

const MINUTE_MS = 60_000;
const forEverybody = (minutes: number) => ({
  ttlMs: minutes * MINUTE_MS,
  cacheScope: "public" as const,
});

/**
 * What clients of 2026-07-28 may keep: for a day what no version of a server changes, for ten minutes what a setting or an upgrade
 * does (SURF-1).
 */
const CACHE_HINTS = Object.freeze({
  "resources/list": forEverybody(1_440),
  "resources/templates/list": forEverybody(1_440),
  "tools/list": forEverybody(10),
  "server/discover": forEverybody(10),
});

/** How long a client of 2026-07-28 may keep what it has read: its own snapshots never change (SURF-1). */
function readHints(uri: string) {
  if (uri === OWN_SKILL_URI) return forEverybody(10);
  const kind = parseResourceUri(uri)?.kind;
  if (kind !== "snapshot" && kind !== "run" && kind !== "file") return {};
  return { ...forEverybody(1_440), cacheScope: "private" as const };
}

/** Makes the MCP server of one connection or one HTTP request; it holds no state of its own. */
export function makeServer(context: ServerContext): Server {
  const { engine, caller, log, standing = false, channels = openChannels(), card } = context;
  const { watched } = context;
  const modern = context.era === "modern";
  const tasks = context.tasks === true && !modern;
  const server = new Server(
    { name: "plasm", version: VERSION },
    {
      capabilities: {
        tools: {},
        // Over HTTP in the 2025 protocols nothing holds a subscription between requests.
        resources: modern || watched !== undefined ? { subscribe: true } : {},
        prompts: {},
        completions: {},
        extensions: {
          ...SKILLS_CAPABILITY,
          ...(card === undefined ? {} : CARDS_CAPABILITY),
          ...(modern ? TASKS_CAPABILITY : {}),
        },
        ...(tasks ? { tasks: TASK_CAPABILITY } : {}),
      },
      instructions: INSTRUCTIONS,
      cacheHints: CACHE_HINTS,
    },
  );
  serveSkills(server, engine, caller);
  servePrompts(server, engine, caller, modern);
  const { structured = false } = context;
  if (tasks) serveTasks(server, engine, caller, structured);
  if (modern) serveTaskExtension(server, engine, caller, structured);
  else keepLegacyNotFound(server);
  if (!modern && watched !== undefined) serveSubscribing(server, watched);
  if (standing) tellOperations(server, context);
  const told = { modern, standing, kept: context.client };
  const showsCard = async (request: RequestContext): Promise<boolean> =>
    card !== undefined && (await declaredBy(server, told, request)).showsCards;
  server.setRequestHandler("tools/list", async (_, request) => ({
    tools: [
      ...offered(tasks, structured),
      ...((await showsCard(request)) ? [cardTool(structured)] : []),
    ],
    // Where there is a card, whoever asks gets what their own client shows.
    ...(modern && card !== undefined ? { cacheScope: "private" } : {}),
  }));
  server.setRequestHandler("tools/call", async ({ params }, request) => {
    const { mcpReq } = request;
    const isCard = params.name === plasmShow.definition.name && (await showsCard(request));
    const callable = isCard ? [...TOOLS, plasmShow] : TOOLS;
    const tool = callable.find(({ definition }) => definition.name === params.name);
    if (tool === undefined) {
      const names = callable.map(({ definition }) => definition.name).join(", ");
      const text = `No tool ${params.name}. There are: ${names}.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, text);
    }
    const { signal, end } = cancellable(context, mcpReq);
    const { progressToken } = mcpReq._meta ?? {};
    const channel = standing ? null : channels.open(caller.connection, "call");
    const session = textOrNull(params.arguments?.["logical_session_ref"]);
    const source = { engine, caller, channel, session, progressToken };
    const notices = callNotices(source, (notification) => mcpReq.notify(notification));
    const { onProgress } = notices;
    try {
      const progress = onProgress ? { onProgress } : {};
      const { onProblem } = context;
      const { _meta: sent = {} } = mcpReq;
      const known = KNOWN in sent ? { known: sent[KNOWN] } : {};
      const call = { engine, caller, log, structured, signal, onProblem, ...progress, ...known };
      const args = params.arguments ?? {};
      const task = tasks ? taskAsked(params) : null;
      return await withinTrace(
        (field) => sent[field],
        () =>
          task === null
            ? callPlain(server, context, request, { tool, call, args })
            : callTask(tool, call, args, task),
      );
    } finally {
      end();
      await notices.end();
      channel?.close();
    }
  });
  server.setRequestHandler("resources/list", () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [...RESOURCE_TEMPLATES],
  }));
  const readAny = async (uri: string) => {
    if (uri.startsWith("skill://")) return readSkill(engine, caller, uri);
    return card !== undefined && uri === CARD_URI ? readCard(card) : readResource(context, uri);
  };
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => ({
    ...(await readAny(uri)),
    ...(modern ? readHints(uri) : {}),
  }));
  return server;
}

const isClosed = (reason: unknown): boolean =>
  reason instanceof SdkError && reason.code === SdkErrorCode.ConnectionClosed;

/**
 * The signal of a call without the end of its connection: in the 2025 protocols only a message
 * cancels, and a run whose client has gone goes on to its end (OPS-11).
 */
function cancelledOnly(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener("abort", () => {
    const reason: unknown = signal.reason;
    if (!isClosed(reason)) controller.abort(reason);
  });
  return controller.signal;
}

/** What `resources/list` shows (SURF-10). */
const RESOURCES = Object.freeze([
  {
    uri: REGISTRY_URI,
    name: "registry",
    description: "Catalogs you may use",
    mimeType: "application/json",
  },
]);

/** What `resources/templates/list` shows (SURF-10). */
const RESOURCE_TEMPLATES = Object.freeze([
  {
    uriTemplate: "plasm://session/{logical_session_ref}/r/{n}",
    name: "snapshot",
    description: "A result with all its rows",
    mimeType: "application/json",
  },
  {
    uriTemplate: "plasm://session/{logical_session_ref}/table",
    name: "table",
    description: "All symbol tables of a session",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: "plasm://session/{logical_session_ref}/g/{graft_id}",
    name: "graft",
    description: "An attached document",
  },
  {
    uriTemplate: "plasm://session/{logical_session_ref}/g",
    name: "grafts",
    description: "All attached documents of a session, a line each",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: "plasm://watch/{schedule_uuid}{?after}",
    name: "watch",
    description: "What a watch has found: the newest, or what came after an event",
    mimeType: "application/json",
  },
  {
    uriTemplate: "plasm://execute/{prompt_hash}/{session_id}/run/{run_id}",
    name: "run",
    description: "A result, by its run id",
    mimeType: "application/json",
  },
]);
