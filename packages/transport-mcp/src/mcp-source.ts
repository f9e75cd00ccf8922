import {
  Client,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { lastWords } from "./last-words.ts";
import type { McpTool } from "./tool-drafts.ts";

/** Which MCP server it is, and how it is reached. */
export interface McpSourceOptions {
  /** the id of its catalog */
  readonly id: string;
  readonly reach:
    | {
        readonly kind: "command";
        readonly command: string;
        readonly args: readonly string[];
        /** what the child has besides a few harmless variables: its secrets, by name */
        readonly env: Readonly<Record<string, string>>;
        readonly cwd: string;
      }
    | {
        readonly kind: "url";
        readonly url: string;
        readonly token?: string;
        /** `fetch` by way of the host's proxies */
        readonly fetch?: typeof fetch;
      };
  /** what it calls itself to servers */
  readonly version: string;
  /** until the server has answered for the first time; a minute if not given */
  readonly connectMs?: number;
}

/**
 * Why a server cannot be asked anything: nothing was sent to a tool. The message is for whoever calls a tool; `detail`,
 * which may hold what the server has printed, for whoever runs it alone.
 */
export class McpSourceError extends Error {
  override readonly name = "McpSourceError";
  readonly detail: string;

  constructor(message: string, options: ErrorOptions & { readonly detail?: string } = {}) {
    super(message, options);
    this.detail = options.detail ?? message;
  }
}

/** Programs from registries are fetched before they start. */
const CONNECT_MS = 60_000;
const LIST_MS = 30_000;
const MOST_TOOLS = 5_000;
const MOST_STDERR = 4_000;

interface Connected {
  readonly client: Client;
  readonly tools: ReadonlyMap<string, McpTool>;
}

/** The result of a call as the protocol has it, undecoded. */
export type McpCallResult = Awaited<ReturnType<Client["callTool"]>>;

/** One MCP server: a connection that comes up when it is needed, and again after it broke. */
export class McpSource {
  readonly options: McpSourceOptions;
  #connected: Promise<Connected> | null = null;
  /** the server said that its tools are others now */
  #stale = false;
  #closed = false;

  constructor(options: McpSourceOptions) {
    this.options = options;
  }

  get id(): string {
    return this.options.id;
  }

  #transport(): { readonly transport: Transport; readonly said: () => string } {
    const { reach } = this.options;
    if (reach.kind === "url") {
      const headers: Record<string, string> =
        reach.token === undefined ? {} : { authorization: `Bearer ${reach.token}` };
      const transport = new StreamableHTTPClientTransport(new URL(reach.url), {
        requestInit: { headers, redirect: "error" },
        ...(reach.fetch === undefined ? {} : { fetch: reach.fetch }),
      });
      return { transport, said: () => "" };
    }
    const { command, env, cwd } = reach;
    const args = [...reach.args];
    const transport = new StdioClientTransport({
      command,
      args,
      env: { ...env },
      cwd,
      stderr: "pipe",
    });
    let text = "";
    transport.stderr?.on("data", (chunk: Buffer) => {
      text = (text + chunk.toString("utf8")).slice(-MOST_STDERR);
    });
    return { transport, said: () => lastWords(text) };
  }

  async #connect(): Promise<Connected> {
    const { id, version, reach, connectMs = CONNECT_MS } = this.options;
    const { transport, said } = this.#transport();
    const client = new Client(
      { name: "plasm", version },
      {
        // What a server answers otherwise than it said is shown as it is, with a remark, not refused after it was done.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({
            valid: true,
            data: input as never,
            errorMessage: undefined,
          }),
        },
      },
    );
    client.onclose = () => {
      this.#connected = null;
    };
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.#stale = true;
    });
    try {
      await client.connect(transport, { timeout: connectMs });
      this.#stale = false;
      return { client, tools: await this.#list(client) };
    } catch (thrown) {
      await client.close().catch(() => undefined);
      const why = thrown instanceof Error ? thrown.message : String(thrown);
      const last = said() === "" ? "" : ` It said: ${said()}`;
      const where =
        reach.kind === "url" ? new URL(reach.url).origin : `the command ${reach.command}`;
      throw new McpSourceError(`the MCP server ${id} does not answer: ${why}`, {
        cause: thrown,
        detail: `the MCP server ${id} (${where}) does not answer: ${why}.${last}`,
      });
    }
  }

  async #list(client: Client): Promise<ReadonlyMap<string, McpTool>> {
    const found = new Map<string, McpTool>();
    let cursor: string | undefined;
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, {
        timeout: LIST_MS,
      });
      for (const tool of page.tools) found.set(tool.name, tool);
      cursor = page.nextCursor;
      if (found.size > MOST_TOOLS)
        throw new McpSourceError(`it lists more than ${MOST_TOOLS} tools`);
    } while (cursor !== undefined);
    return found;
  }

  async #ready(): Promise<Connected> {
    if (this.#closed) throw new McpSourceError(`the MCP server ${this.id} was let go`);
    if (this.#connected === null) {
      const connecting = this.#connect();
      this.#connected = connecting;
      connecting.catch(() => {
        if (this.#connected === connecting) this.#connected = null;
      });
    }
    const ready = await this.#connected;
    if (!this.#stale) return ready;
    this.#stale = false;
    const tools = await this.#list(ready.client).catch((thrown: unknown) => {
      this.#stale = true;
      throw new McpSourceError(`the MCP server ${this.id} does not list its tools`, {
        cause: thrown,
      });
    });
    const renewed = { client: ready.client, tools };
    this.#connected = Promise.resolve(renewed);
    return renewed;
  }

  /** The tools that the server has now. Throws McpSourceError. */
  async tools(): Promise<readonly McpTool[]> {
    return [...(await this.#ready()).tools.values()];
  }

  /** What the server calls itself. */
  async label(): Promise<string> {
    const { client } = await this.#ready();
    const { title, name } = client.getServerVersion() ?? {};
    return title ?? name ?? this.id;
  }

  /**
   * Calls a tool once. `demand` sees the tool as it is now, before anything is sent, and throws where it is not what
   * was meant. Throws McpSourceError where nothing was sent, else what the SDK throws.
   */
  async call(
    name: string,
    args: Record<string, unknown>,
    demand: (tool: McpTool | undefined) => void,
    limits: { readonly signal?: AbortSignal | undefined; readonly timeoutMs: number },
  ): Promise<McpCallResult> {
    const { client, tools } = await this.#ready();
    demand(tools.get(name));
    const { signal, timeoutMs } = limits;
    return client.callTool(
      { name, arguments: args },
      {
        timeout: timeoutMs,
        maxTotalTimeout: timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      },
    );
  }

  /** Ends the server's process, or its session. */
  async close(): Promise<void> {
    this.#closed = true;
    const connected = await this.#connected?.catch(() => null);
    await connected?.client.close();
  }
}

/** Why a call that was sent has no answer. */
export function callFailure(thrown: unknown): "timeout" | "lost" | null {
  if (!(thrown instanceof SdkError)) return null;
  if (thrown.code === SdkErrorCode.RequestTimeout) return "timeout";
  const lost = [SdkErrorCode.ConnectionClosed, SdkErrorCode.SendFailed, SdkErrorCode.NotConnected];
  return lost.some((code) => code === thrown.code) ? "lost" : null;
}
