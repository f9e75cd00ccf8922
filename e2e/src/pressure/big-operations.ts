import { createHmac } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { asObject, asText, ask, openSession, type PressureSession } from "./client.ts";
import { startWorld } from "./world.ts";

/** How large operations are, and how small the heap of the server that runs them. */
export interface BigSize {
  readonly heapMb: number;
  /** lists that an operation reads */
  readonly lists: number;
  readonly rowsOfList: number;
  /** characters of a row's text */
  readonly width: number;
  /** limits of the server, where they are not those that it has unless set */
  readonly limits?: Readonly<Record<string, string>>;
}

/**
 * As many rows and bytes as a run may read unless its budgets are set, in answers as large as one may be: 9,996 of
 * 10,000 rows and 63.9 of 64 MiB.
 */
export const LARGEST: BigSize = { heapMb: 1_024, lists: 7, rowsOfList: 1_428, width: 6_600 };

/** The same in small: a run may read a list, and a few of the 32 fit the memory for rows at once. */
export const SMALL: BigSize = {
  heapMb: 128,
  lists: 1,
  rowsOfList: 300,
  width: 2_500,
  limits: { PLASM_BUDGET_ROWS: "310", PLASM_ROWS_MEMORY: "16000000" },
};

export interface BigSettings extends BigSize {
  readonly operations: number;
  readonly seed: number;
  readonly note: (text: string) => void;
}

export interface BigOutcome {
  readonly operations: number;
  readonly heapMb: number;
  readonly seconds: number;
  /** operations by how they ended */
  readonly ends: Readonly<Record<End, number>>;
  /** calls of the other tenant that were answered meanwhile, and how long they took, in ms */
  readonly beside: { readonly calls: number; readonly p50: number; readonly max: number };
  /** the most memory that the server ever had, where the system says so: buffers of answers are outside of the heap */
  readonly peakRssMb: number | null;
  readonly faults: readonly string[];
}

/** An answer with all its rows, with rows that are told to be some of them, or none for a limit that is named. */
type End = "whole" | "partial" | "refused";

/** As a server has them unless they are set. */
const PER_SESSION = 4;
const AT_ONCE = { PLASM_OPERATIONS_PER_SESSION: "4", PLASM_OPERATIONS_PER_TENANT: "32" };
const SECRET = "a secret of the pressure harness, of 32 bytes or more";
const WAIT_MS = 120_000;
const BETWEEN_MS = 100;
/** Each so many operations one reads a list more than it may. */
const OVER_EVERY = 4;
const MB = 1e6;

/** What a caller of a tenant sends. */
function callerOf(tenant: string): Readonly<Record<string, string>> {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1_000) + 86_400;
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: "ann", tenant, exp })}`;
  const signed = createHmac("sha256", SECRET).update(text).digest("base64url");
  return { authorization: `Bearer ${text}.${signed}` };
}

function programOf(mark: string, lists: number, { rowsOfList, width }: BigSize): string {
  const names = Array.from({ length: lists }, (_none, n) => `${n}`);
  return [
    ...names.map(
      (n) => `list${n} = Item{batch="${mark}p${n}", count=${rowsOfList}, width=${width}}`,
    ),
    ...names.map((n) => `last${n} = list${n}.sort(text, mark desc).limit(1)[id]`),
    names.map((n) => `last${n}`).join(", "),
  ].join("\n");
}

interface Operation {
  readonly session: PressureSession;
  readonly handle: string;
  readonly mark: string;
  readonly lists: number;
}

const MOST_LINE = 300;

/** How an operation ended, whatever it takes; a fault where that is no answer of its own. */
async function endOf(
  url: string,
  headers: Readonly<Record<string, string>>,
  { session, handle, mark, lists }: Operation,
): Promise<End | { readonly fault: string }> {
  for (;;) {
    const body = { program: `wait(${handle})`, wait: true };
    const asked = { body, headers, limitMs: WAIT_MS };
    const { status, text, body: told } = await ask(url + session.path, asked);
    if (status === 0) return { fault: `${mark}: no answer: ${text.slice(0, MOST_LINE)}` };
    const sign = asText(asObject(told["op"])["~"]);
    if (["+", "~", "="].includes(sign)) continue;
    if (status === 200) {
      const whole = Array.from({ length: lists }, (_none, n) => `${mark}p${n}-i`);
      if (whole.every((id) => asText(told["text"]).includes(id))) {
        return text.includes("partial:") ? "partial" : "whole";
      }
      if (text.includes("partial")) return "partial";
    }
    if (/budget_exceeded|PLASM_(BUDGET|ROWS|RESULT)_/.test(text)) return "refused";
    return { fault: `${mark}: ${status} ${text.slice(0, MOST_LINE)}` };
  }
}

/** The most memory that a process had, in MB. */
function peakOf(pid: number | null): number | null {
  const path = `/proc/${pid}/status`;
  if (pid === null || !existsSync(path)) return null;
  const [, kb] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(path, "utf8")) ?? [];
  return kb === undefined ? null : Math.round((Number(kb) * 1_024) / MB);
}

/**
 * As many operations of one tenant as it may have at once, each as large as it may be, on a server with a small heap,
 * while another tenant calls: each ends with an answer, and the other tenant's calls are answered.
 */
export async function runBigOperations(settings: BigSettings): Promise<BigOutcome> {
  const { operations, heapMb, lists, seed, note } = settings;
  const world = await startWorld({
    store: "sqlite",
    latency: 5,
    nodeOptions: `--max-old-space-size=${heapMb}`,
    env: { ...AT_ONCE, ...settings.limits, PLASM_AUTH: "required", PLASM_JWT_SECRET: SECRET },
  });
  const [big, other] = [callerOf("big"), callerOf("other")];
  const [server] = world.servers;
  const url = server?.url ?? "";
  const faults: string[] = [];
  const open = async (intent: string, headers: Readonly<Record<string, string>>) => {
    const session = await openSession(url, intent, "ledger", headers);
    if (session === null) throw new Error(`no session: ${server?.said()}`);
    return session;
  };
  try {
    const calm = await open("an item", other);
    let isOver = false;
    const took: number[] = [];
    const beside = (async () => {
      while (!isOver) {
        const body = { program: `Item("c${took.length}")[id]` };
        const { status, ms, text } = await ask(url + calm.path, { body, headers: other });
        took.push(ms);
        if (status !== 200) faults.push(`the other tenant: ${status} ${text.slice(0, MOST_LINE)}`);
        await delay(BETWEEN_MS);
      }
    })();
    const began = performance.now();
    const accepted: Operation[] = [];
    for (let first = 0; first < operations; first += PER_SESSION) {
      const session = await open(`items ${first}`, big);
      for (let at = first; at < Math.min(operations, first + PER_SESSION); at += 1) {
        const mark = `s${seed}o${at}`;
        const own = at % OVER_EVERY === OVER_EVERY - 1 ? lists + 1 : lists;
        const body = { program: programOf(mark, own, settings), wait: false };
        const answer = await ask(url + session.path, { body, headers: big, limitMs: WAIT_MS });
        const handle = asText(answer.headers["location"]).split("/").at(-1) ?? "";
        if (answer.status === 202) accepted.push({ session, handle, mark, lists: own });
        else faults.push(`not accepted: ${answer.status} ${answer.text.slice(0, MOST_LINE)}`);
      }
    }
    note(`${accepted.length} operations are under way`);
    const ends: Record<End, number> = { whole: 0, partial: 0, refused: 0 };
    await Promise.all(
      accepted.map(async (operation) => {
        const end = await endOf(url, big, operation);
        if (typeof end === "string") ends[end] += 1;
        else faults.push(end.fault);
      }),
    );
    isOver = true;
    await beside;
    const seconds = Math.round((performance.now() - began) / 1_000);
    const sorted = took.toSorted((a, b) => a - b);
    const [p50 = 0, max = 0] = [sorted[sorted.length >> 1], sorted.at(-1)].map((ms) =>
      Math.round(ms ?? 0),
    );
    if (ends.whole === 0) faults.push("no operation had all its rows");
    note(`${JSON.stringify(ends)} in ${seconds} s`);
    return {
      operations: accepted.length,
      heapMb,
      seconds,
      ends,
      beside: { calls: took.length, p50, max },
      peakRssMb: peakOf(server?.pid() ?? null),
      faults: [...faults.slice(0, 50), ...(server?.crashes ?? [])],
    };
  } finally {
    await world.end();
  }
}
