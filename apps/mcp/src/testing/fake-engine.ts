import { Failure, type Answer, type Caller, type Engine, type RunAnswer } from "@plasm/agent-core";
import { fail, problem } from "@plasm/agent-core/internal";

/** A call the wire layer made: the engine's method, who called, and what with. */
export interface SeenCall {
  readonly method: keyof Engine;
  readonly caller: Caller;
  readonly args: readonly unknown[];
}

export interface FakeEngine {
  readonly engine: Engine;
  readonly calls: SeenCall[];
  /** what the next call throws instead of answering */
  failNext(thrown: unknown): void;
}

const ANSWER: Answer = { text: "the text", meta: { n: 1 } };
const RUN_ANSWER: RunAnswer = { ...ANSWER, results: [] };

const absent = (): never => {
  throw new Error("this test expects no such call");
};

/** An engine that answers every call alike, for tests of what goes in and out over a wire. */
export function fakeEngine(): FakeEngine {
  const calls: SeenCall[] = [];
  const underWay = new Map<string, AbortController>();
  let failure: unknown;
  const seen = <T>(
    method: keyof Engine,
    caller: Caller,
    args: readonly unknown[],
    answer: unknown,
  ): T => {
    calls.push({ method, caller, args });
    if (failure === undefined) return answer as T;
    const thrown = failure;
    failure = undefined;
    throw thrown;
  };
  const engine: Engine = {
    context: async (caller, ...args) => seen("context", caller, args, ANSWER),
    plan: async (caller, ...args) => seen("plan", caller, args, ANSWER),
    explain: async (caller, ...args) => seen("explain", caller, args, RUN_ANSWER),
    run: async (caller, ...args) => seen("run", caller, args, RUN_ANSWER),
    discover: async (caller, ...args) => seen("discover", caller, args, ANSWER),
    registry: async (caller) => seen("registry", caller, [], []),
    registryEntry: async (caller, ...args) => seen("registryEntry", caller, args, {}),
    describe: async (caller, ...args) => seen("describe", caller, args, {}),
    status: async (caller, ...args) => seen("status", caller, args, {}),
    symbols: async (caller, ...args) => seen("symbols", caller, args, {}),
    runs: async (caller, ...args) => seen("runs", caller, args, {}),
    artifact: async (caller, ...args) => seen("artifact", caller, args, "{}"),
    fetchGraft: async (caller, ...args) => seen("fetchGraft", caller, args, ANSWER),
    attachGrafts: absent,
    grafts: absent,
    graft: absent,
    operation: async (caller, ...args) =>
      seen("operation", caller, args, { line: "s0_o1 =", op: { n: 1, "~": "=" } }),
    watchOperation: async (caller, ...args) =>
      seen("watchOperation", caller, args, (async function* none() {})()),
    onOperation: () => async () => undefined,
    tasks: {
      start: absent,
      adopt: absent,
      get: absent,
      result: absent,
      list: absent,
      cancel: absent,
    },
    beginCall: (name) => {
      const controller = new AbortController();
      underWay.set(JSON.stringify(name), controller);
      return { signal: controller.signal, end: () => undefined };
    },
    cancelCall: async (name) => underWay.get(JSON.stringify(name))?.abort(),
    readResource: async (caller, uri) =>
      seen("readResource", caller, [uri], { uri, mimeType: "text/markdown", text: "the table" }),
    programs: {
      save: absent,
      import: absent,
      list: absent,
      find: absent,
      remove: absent,
      open: absent,
    },
    schedules: {
      create: absent,
      list: absent,
      find: absent,
      pause: absent,
      resume: absent,
      remove: absent,
      events: absent,
      told: absent,
      follow: absent,
    },
    operations: absent,
    operationOf: absent,
    cancelOperation: absent,
    traces: async () => ({ traces: [], omitted: 0 }),
    trace: () => Promise.reject(fail("plasm-unknown-trace", "No such trace.")),
    watchTrace: () => Promise.reject(fail("plasm-unknown-trace", "No such trace.")),
    storage: async () => null,
    ping: async () => undefined,
    noteRefusal: async () => undefined,
    problemOf: (thrown) =>
      thrown instanceof Failure ? thrown.problem : problem("plasm-internal", "Internal error 1."),
    drain: async () => undefined,
    close: async () => undefined,
  };
  return { engine, calls, failNext: (thrown) => void (failure = thrown) };
}
