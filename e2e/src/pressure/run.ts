import { setTimeout as delay } from "node:timers/promises";
import {
  asList,
  asObject,
  asText,
  ask,
  callTool,
  openSession,
  type Answer,
  type PressureSession,
} from "./client.ts";

/** How the client asks: it waits for the answer, polls a handle, or speaks MCP. */
export type Way = "wait" | "poll" | "mcp";
export const WAYS: readonly Way[] = ["wait", "poll", "mcp"];

/** What an answer says became of one effect. */
export type Ending = "done" | "failed" | "in_doubt" | "skipped" | "started";

export interface ToldEffect {
  readonly name: string;
  readonly ending: Ending;
  readonly line: number;
  readonly status: number | null;
}

/** The last answer under a ref. */
export interface Final {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly effects: readonly ToldEffect[];
}

/** One program with effects, from its review to its last answer. */
export interface Run {
  readonly mark: string;
  readonly way: Way;
  /** by name, each with the line of the program that it is on */
  readonly expected: ReadonlyMap<string, number>;
  session: PressureSession | null;
  ref: string | null;
  /** whether its ref was ever sent to be run: until then nothing of it may be performed */
  sent: boolean;
  final: Final | null;
  /** what was answered before, for the report */
  last: string;
}

/** Counts over a whole trial. */
export interface Tally {
  answers: number;
  /** answers of status 500 */
  defects: string[];
  unavailable: number;
  refusedConnections: number;
  /** ways of the server to say that it cannot now, with how often */
  readonly codes: Map<string, number>;
}

export const newTally = (): Tally => ({
  answers: 0,
  defects: [],
  unavailable: 0,
  refusedConnections: 0,
  codes: new Map(),
});

const READS = 3;

/** Seven effects of all four kinds among reads, each with a name that nothing else has. */
export function newRun(mark: string, way: Way): Run {
  const expected = new Map<string, number>([
    [`create ${mark}-0`, 1],
    ...[0, 1, 2].map((row): [string, number] => [`create ${mark}-r${row}`, 4]),
    [`edit ${mark}-2`, 5],
    [`stamp ${mark}-3`, 6],
    [`delete ${mark}-d`, 8],
  ]);
  const idle = { session: null, ref: null, sent: false, final: null, last: "" };
  return { mark, way, expected, ...idle };
}

const programOf = ({ mark }: Run): string =>
  [
    `Entry.create(mark="${mark}-0")`,
    `r0 = Item("${mark}-a")`,
    `r1 = Item("${mark}-b")`,
    `Item{batch="${mark}"} => Entry.create(mark=_.mark)`,
    `Entry("${mark}-e").edit(mark="${mark}-2")`,
    `Entry("${mark}-e").stamp(mark="${mark}-3")`,
    `r2 = Item("${mark}-c")`,
    `Entry("${mark}-d").delete()`,
    Array.from({ length: READS }, (_, n) => `r${n}`).join(", "),
  ].join("\n");

function nameOf(effect: Readonly<Record<string, unknown>>): string {
  const mark = asText(asObject(effect["args"])["mark"]) || "?";
  const target = asText(effect["target"]).replace(/^Entry:/, "");
  switch (effect["capability"]) {
    case "entry_create":
      return `create ${mark}`;
    case "entry_edit":
      return `edit ${mark}`;
    case "entry_stamp":
      return `stamp ${mark}`;
    default:
      return `delete ${target}`;
  }
}

function effectsOf(meta: Readonly<Record<string, unknown>>, run: Run): readonly ToldEffect[] {
  return asList(meta["effects"]).map((one) => {
    const effect = asObject(one);
    const name = nameOf(effect);
    const status = effect["http_status"];
    return {
      name,
      ending: asText(effect["status"]) as Ending,
      line: run.expected.get(name) ?? 0,
      status: typeof status === "number" ? status : null,
    };
  });
}

/** Answers after which the same is asked again: it is not the run that they speak of, or it goes on. */
const AGAIN = new Set([
  "plasm-store-unavailable",
  "plasm-busy",
  "plasm-rate-limited",
  "plasm-too-many-operations",
  "plasm-overloaded",
  "plasm-unavailable",
  "plasm-shutting-down",
]);

/** `body` and meta of an answer, of whichever surface. */
interface Read {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

function read(answer: Answer, way: Way): Read {
  if (way !== "mcp" || answer.status !== 200) {
    const { body, status } = answer;
    const meta = asObject(asObject(body["_meta"])["plasm"]);
    const code = asText(body["code"]);
    return { status, code, text: asText(body["detail"] ?? body["text"]) || answer.text, meta };
  }
  const error = asObject(answer.body["error"]);
  if (error["message"] !== undefined) {
    return { status: 500, code: "json-rpc", text: JSON.stringify(error), meta: {} };
  }
  // A stream that ended before its answer is no answer.
  if (answer.body["result"] === undefined)
    return { status: 0, code: "", text: answer.text, meta: {} };
  const result = asObject(answer.body["result"]);
  const meta = asObject(asObject(result["_meta"])["plasm"]);
  const text = asList(result["content"])
    .map((part) => asText(asObject(part)["text"]))
    .join("\n");
  const problem = asObject(meta["error"]);
  const code = asText(problem["code"]);
  return {
    status: result["isError"] === true ? Number(problem["status"] ?? 400) : 200,
    code,
    text,
    meta,
  };
}

const goesOn = ({ meta, text }: Read): boolean => {
  const mark = asObject(meta["op"])["~"];
  return mark === "+" || mark === "~" || mark === "=" || /^wait\(\w+\)/.test(text);
};

function count(tally: Tally, answer: Answer, { status, code, text }: Read): void {
  if (status === 0) {
    tally.refusedConnections += 1;
    return;
  }
  tally.answers += 1;
  if (status === 503) tally.unavailable += 1;
  if (code !== "") tally.codes.set(code, (tally.codes.get(code) ?? 0) + 1);
  if (status === 500 || code === "plasm-internal" || answer.status === 500) {
    tally.defects.push(text.slice(0, 600));
  }
}

/** Opens a session and has the program reviewed; false if the server could not now. */
export async function review(
  url: string,
  run: Run,
  tally: Tally,
  api = "ledger",
): Promise<boolean> {
  run.session ??= await openSession(url, `write ${run.mark}`, api);
  if (run.session === null) return false;
  const body = { program: programOf(run), mode: "plan" };
  const answer = await ask(url + run.session.path, { body, limitMs: 90_000 });
  const seen = read(answer, "wait");
  count(tally, answer, seen);
  run.last = `${seen.status} ${seen.text.slice(0, 300)}`;
  const ref = seen.meta["plan_commit_ref"];
  if (seen.status !== 200 || typeof ref !== "string") return false;
  run.ref = ref;
  return true;
}

/** Sends the ref once; true if that was its last answer. */
export async function send(
  url: string,
  run: Run,
  tally: Tally,
  limitMs = 90_000,
): Promise<boolean> {
  if (run.session === null || run.ref === null) return false;
  run.sent = true;
  const answer =
    run.way === "mcp"
      ? await callTool(
          url,
          "plasm_run",
          { logical_session_ref: run.session.ref, plan_commit_ref: run.ref },
          limitMs,
        )
      : await ask(url + run.session.path, {
          body: { plan_commit_ref: run.ref, wait: run.way === "wait" },
          limitMs,
        });
  const seen = read(answer, run.way);
  count(tally, answer, seen);
  run.last = `${seen.status} ${seen.code} ${seen.text.slice(0, 300)}`;
  const { status, code, text } = seen;
  const effects = effectsOf(seen.meta, run);
  if (status === 0 || (goesOn(seen) && effects.length === 0)) return false;
  // A defect may be of this call alone: what counts is whether its ref ever answers.
  if (status === 500 && effects.length === 0) return false;
  if (AGAIN.has(code) && effects.length === 0) return false;
  // The store could not keep the end: the ref, sent again, says how it ended.
  if (status === 503) return false;
  run.final = { status, code, text, effects };
  return true;
}

/** Asks until the ref has its last answer, or the time is over. */
export async function settle(
  url: () => string,
  run: Run,
  tally: Tally,
  limitMs: number,
): Promise<void> {
  const until = performance.now() + limitMs;
  while (run.final === null && performance.now() < until) {
    const left = Math.max(1_000, until - performance.now());
    if (await send(url(), run, tally, left)) return;
    await delay(250);
  }
}
