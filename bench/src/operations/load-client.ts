import { now } from "./now.ts";
import { stepBoat } from "./step-clock.ts";

/** When a follower first saw each step `k` of an operation, and its end. */
export interface Seen {
  readonly steps: ReadonlyMap<number, number>;
  readonly lines: number;
  readonly endedAt: number;
  /** the last line */
  readonly last: string;
}

export interface Accepted {
  readonly handle: string;
  /** path of the operation */
  readonly path: string;
  /** path of its session */
  readonly session: string;
  readonly startedAt: number;
  readonly acceptMs: number;
}

interface Told {
  readonly status: number;
  readonly location: string;
  readonly text: string;
}

/** As `fetch`, its failures with what was asked. */
async function ask(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (cause) {
    throw new Error(`${request.method ?? "GET"} ${url}: no answer`, { cause });
  }
}

async function post(url: string, body: object, accept: string): Promise<Told> {
  const headers = { "content-type": "application/json", accept };
  const request = {
    method: "POST",
    redirect: "manual",
    headers,
    body: JSON.stringify(body),
  } as const;
  const response = await ask(url, request);
  const location = response.headers.get("location") ?? "";
  return { status: response.status, location, text: await response.text() };
}

/** A program of `steps` reads, each a request that follows from the one before. */
export function programOf(operation: number, steps: number): string {
  const first = `b0 = Boat("${stepBoat(operation, 0)}").twin`;
  const rest = Array.from({ length: steps - 1 }, (_none, step) => `b${step + 1} = b${step}.twin`);
  return [first, ...rest, `b${steps - 1}`].join("\n");
}

/** Opens a session of its own and gives its path. */
export async function openSession(server: string, intent: string): Promise<string> {
  const seeds = [{ api: "quay", entity: "Boat" }];
  const body = { seeds, intent, notation: "names" };
  const { status, location, text } = await post(`${server}/execute`, body, "text/plain");
  if (status !== 303) throw new Error(`no session: ${status} ${text}`);
  return location;
}

/** Has a server accept an operation. */
export async function acceptOperation(
  server: string,
  session: string,
  program: string,
): Promise<Accepted> {
  const startedAt = now();
  const body = { program, force: true, wait: false };
  const { status, location, text } = await post(`${server}${session}`, body, "text/plain");
  if (status !== 202) throw new Error(`not accepted: ${status} ${text}`);
  const handle = location.split("/").at(-1) ?? "";
  return { handle, path: location, session, startedAt, acceptMs: now() - startedAt };
}

const STEP = /^\S+ [~=] step (\d+)\/\d+/;

function observer(): { readonly line: (text: string) => void; readonly seen: () => Seen } {
  const steps = new Map<number, number>();
  let lines = 0;
  let last = "";
  return {
    line: (text) => {
      const at = now();
      lines += 1;
      last = text;
      const k = Number(STEP.exec(text)?.[1] ?? 0);
      for (let step = k; step > 0 && !steps.has(step); step -= 1) steps.set(step, at);
    },
    seen: () => ({ steps, lines, endedAt: now(), last }),
  };
}

/** Follows an operation by its stream, to its end. */
export async function followStream(server: string, { path }: Accepted): Promise<Seen> {
  const headers = { accept: "text/event-stream" };
  const { status, body } = await ask(`${server}${path}/stream`, { headers });
  if (status !== 200 || body === null) throw new Error(`no stream: ${status}`);
  const { line, seen } = observer();
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const messages = `${rest}${text}`.split("\n\n");
    rest = messages.pop() ?? "";
    for (const message of messages) {
      const data = /^data: (.*)$/m.exec(message)?.[1];
      if (data !== undefined) line(data);
    }
  }
  return seen();
}

/** Follows an operation by `wait(h)`, again and again, to its end. */
export async function followPolls(server: string, accepted: Accepted): Promise<Seen> {
  const { session, handle } = accepted;
  const { line, seen } = observer();
  for (;;) {
    const program = `wait(${handle})`;
    const { status, text } = await post(`${server}${session}`, { program }, "text/plain");
    const [first = ""] = text.split("\n");
    if (status === 202 || new RegExp(`^${handle} [+~=]`).test(first)) line(first);
    else {
      line(status === 200 ? `${handle} !` : `${status} ${text}`);
      return seen();
    }
  }
}
