import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/** One turn of a conversation with a model. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** What a model said, and what its provider counted, where it says so. */
export interface Said {
  readonly text: string;
  readonly tokensIn?: number;
  readonly tokensOut?: number;
}

/** Something that answers a conversation. */
export interface Model {
  readonly name: string;
  /** Throws ModelError where it gives no answer. */
  answer(turns: readonly Turn[], signal: AbortSignal): Promise<Said>;
}

/** A model gave no answer: what it was asked for is not judged. */
export class ModelError extends Error {
  override readonly name = "ModelError";
}

/** The conversation as one text, the way a command reads it. */
const asText = (turns: readonly Turn[]): string =>
  turns.length === 1
    ? (turns[0]?.text ?? "")
    : turns.map(({ role, text }) => `--- ${role} ---\n${text}`).join("\n\n");

const MOST_SHOWN = 500;
/** An answer is a program, and what a model says beside it. */
const MOST_BYTES = 1_000_000;

/** A model that is a command: it gets the conversation on standard input and prints its answer. `command` is what a shell runs. */
export function commandModel(command: string, cwd: string): Model {
  const answer = (turns: readonly Turn[], signal: AbortSignal): Promise<Said> =>
    new Promise((resolve, reject) => {
      const child = spawn(command, { shell: true, cwd, signal, stdio: "pipe" });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      let bytes = 0;
      child.stdout.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BYTES) child.kill();
        else out.push(chunk);
      });
      child.stderr.on("data", (chunk: Buffer) => void err.push(chunk));
      child.on("error", (cause) => reject(new ModelError(`${command}: ${cause.message}`)));
      child.on("close", (code, ended) => {
        if (code === 0) return resolve({ text: Buffer.concat(out).toString() });
        const why =
          bytes > MOST_BYTES ? `more than ${MOST_BYTES} bytes` : (ended ?? `exit ${code}`);
        const told = Buffer.concat(err).toString().trim().slice(-MOST_SHOWN);
        return reject(new ModelError(`${command}: ${why}${told === "" ? "" : `: ${told}`}`));
      });
      // A command that has read enough need not read all.
      child.stdin.on("error", () => undefined);
      child.stdin.end(asText(turns));
    });
  return { name: command, answer };
}

/** Where a model is asked over HTTP. */
export interface Endpoint {
  /** whose way of asking it understands */
  readonly like: "openai" | "anthropic";
  /** such as `https://api.openai.com/v1` */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly maxTokens: number;
  /** `fetch` by way of proxies */
  readonly fetch?: typeof fetch;
}

const REPEATABLE = new Set([408, 425, 429, 500, 502, 503, 504, 529]);
const PAUSES_MS = [1_000, 4_000, 15_000];
const ASK_MS = 300_000;
const VERSION = "2023-06-01";

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members =>
  typeof value === "object" && value !== null ? (value as Members) : {};
const first = (value: unknown): Members => membersOf(Array.isArray(value) ? value[0] : null);
const counted = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** The text of a part of an answer; nothing for a part of another kind. */
function textOf(part: unknown): string {
  const { text } = membersOf(part);
  return typeof text === "string" ? text : "";
}

/** What stands in the answer of an endpoint; null where it has no text. */
function saidIn({ like }: Endpoint, body: unknown): Said | null {
  const { choices, content, usage } = membersOf(body);
  const text =
    like === "openai"
      ? membersOf(first(choices)["message"])["content"]
      : Array.isArray(content)
        ? (content as readonly unknown[]).map(textOf).join("")
        : undefined;
  if (typeof text !== "string") return null;
  const told = membersOf(usage);
  const tokensIn = counted(told["prompt_tokens"] ?? told["input_tokens"]);
  const tokensOut = counted(told["completion_tokens"] ?? told["output_tokens"]);
  return {
    text,
    ...(tokensIn === undefined ? {} : { tokensIn }),
    ...(tokensOut === undefined ? {} : { tokensOut }),
  };
}

function requestOf({ like, url, model, key, maxTokens }: Endpoint, turns: readonly Turn[]) {
  const messages = turns.map(({ role, text }) => ({ role, content: text }));
  const base = url.replace(/(?<!\/)\/+$/, "");
  return like === "openai"
    ? {
        address: `${base}/chat/completions`,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        body: { model, messages, max_tokens: maxTokens },
      }
    : {
        address: `${base}/messages`,
        headers: {
          "anthropic-version": VERSION,
          ...(key === undefined ? {} : { "x-api-key": key }),
        },
        body: { model, messages, max_tokens: maxTokens },
      };
}

/** How long to wait before a request is sent again: as the server says, else longer each time. */
function pauseOf(response: Response, tried: number): number {
  const seconds = Number(response.headers.get("retry-after") ?? "");
  const usual = PAUSES_MS[tried] ?? 0;
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, 60_000) : usual;
}

/** A model behind an endpoint that is asked as OpenAI's or Anthropic's are. What is busy is asked again, three times at most. */
export function endpointModel(endpoint: Endpoint): Model {
  const { key, fetch: outbound = fetch } = endpoint;
  /** Some servers repeat what they were sent. */
  const hidden = (text: string): string =>
    key === undefined || key === "" ? text : text.replaceAll(key, "[key]");
  const answer = async (turns: readonly Turn[], signal: AbortSignal): Promise<Said> => {
    const { address, headers, body } = requestOf(endpoint, turns);
    for (let tried = 0; ; tried += 1) {
      const response = await outbound(address, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]),
      }).catch((cause: unknown) => {
        signal.throwIfAborted();
        const { message, cause: below } = cause instanceof Error ? cause : new Error("unknown");
        const why = below instanceof Error ? `${message} (${below.message})` : message;
        throw new ModelError(`${address} gives no answer: ${hidden(why)}`);
      });
      const text = await response.text();
      if (response.ok) {
        const said = saidIn(endpoint, jsonOrNull(text));
        if (said !== null) return said;
        throw new ModelError(
          `${address} answers without a text where ${endpoint.like} has one: ${hidden(text.slice(0, MOST_SHOWN))}`,
        );
      }
      if (!REPEATABLE.has(response.status) || tried >= PAUSES_MS.length)
        throw new ModelError(
          `${address} answers ${response.status}: ${hidden(text.slice(0, MOST_SHOWN))}`,
        );
      await delay(pauseOf(response, tried), undefined, { signal });
    }
  };
  return { name: endpoint.model, answer };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
