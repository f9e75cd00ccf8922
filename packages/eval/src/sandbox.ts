import type { QuickJSContext, QuickJSRuntime, QuickJSSyncVariant } from "quickjs-emscripten-core";

/** What a program may use up: bytes, milliseconds of its own work and of all its calls, and calls. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_STACK = 256 * 1024;
const MOST_WORK_MS = 5_000;
const MOST_MS = 120_000;
const MOST_CALLS = 2_000;

/** A function outside that a program may call: JSON in, JSON out. */
export type HostFunction = (name: string, argument: unknown) => Promise<unknown>;

/** What came of a program: what it returned, or why it did not. */
export type CodeOutcome = { readonly value: unknown } | { readonly error: string };

/** Gives a program its functions, and nothing that leads outside: what passes between is text. */
const PRELUDE = `(names, call) => {
  const { parse, stringify } = JSON;
  const api = {};
  for (const name of names)
    api[name] = async (argument = {}) => {
      const { error, value } = parse(await call(name, stringify(argument)));
      if (error !== undefined) throw new Error(error);
      return value;
    };
  globalThis.api = Object.freeze(api);
  globalThis.console = { log: () => {}, error: () => {} };
}`;

/** A program that is one function, or the body of one. */
const asFunction = (program: string): string => {
  const text = program.trim().replace(/;$/, "");
  return /^(async\b|function\b|\()/.test(text) ? text : `async () => {${text}\n}`;
};

/** A program in a machine of its own. */
class Sandbox {
  readonly #context: QuickJSContext;
  readonly #runtime: QuickJSRuntime;
  #workLeft = MOST_WORK_MS;
  #callsLeft = MOST_CALLS;
  #until = Infinity;

  constructor(context: QuickJSContext) {
    this.#context = context;
    this.#runtime = context.runtime;
    this.#runtime.setMemoryLimit(MOST_BYTES);
    this.#runtime.setMaxStackSize(MOST_STACK);
    this.#runtime.setInterruptHandler(() => performance.now() > this.#until);
  }

  /** Lets it work, for as long as it may. */
  #work<T>(work: () => T): T {
    const began = performance.now();
    this.#until = began + this.#workLeft;
    try {
      return work();
    } finally {
      this.#workLeft -= performance.now() - began;
    }
  }

  /** Carries on what waits for an answer from outside. */
  #carryOn(): void {
    this.#work(() => this.#runtime.executePendingJobs()).dispose();
  }

  offer(names: readonly string[], host: HostFunction): void {
    const context = this.#context;
    const call = context.newFunction("call", (name, argument) => {
      const asked = [context.getString(name), context.getString(argument)] as const;
      const answer = context.newPromise();
      void this.#asked(host, ...asked).then((text) => {
        context.newString(text).consume((told) => answer.resolve(told));
        return this.#carryOn();
      });
      return answer.handle;
    });
    const prelude = context.unwrapResult(context.evalCode(PRELUDE));
    const list = context.unwrapResult(context.evalCode(JSON.stringify(names)));
    context.unwrapResult(context.callFunction(prelude, context.undefined, list, call)).dispose();
  }

  async #asked(host: HostFunction, name: string, argument: string): Promise<string> {
    this.#callsLeft -= 1;
    if (this.#callsLeft < 0) return JSON.stringify({ error: `more than ${MOST_CALLS} calls` });
    try {
      return JSON.stringify({ value: await host(name, JSON.parse(argument)) });
    } catch (thrown) {
      return JSON.stringify({ error: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }

  async run(program: string): Promise<CodeOutcome> {
    const context = this.#context;
    const code = `(${asFunction(program)})().then((value) => JSON.stringify(value) ?? "null")`;
    const started = this.#work(() => context.evalCode(code, "program.js"));
    if (started.error !== undefined) return this.#failed(context.dump(started.error));
    const ending = context.resolvePromise(started.value);
    this.#carryOn();
    const ended = await ending;
    if (ended.error !== undefined) return this.#failed(context.dump(ended.error));
    return { value: JSON.parse(context.getString(ended.value)) as unknown };
  }

  #failed(dumped: unknown): CodeOutcome {
    const { name, message } = dumped as { readonly name?: string; readonly message?: string };
    if (this.#workLeft <= 0) return { error: `it worked longer than ${MOST_WORK_MS / 1_000} s` };
    return { error: message === undefined ? String(dumped) : `${name ?? "Error"}: ${message}` };
  }
}

/** Comes when a program has had its time, or is stopped. */
function stopped(signal: AbortSignal): Promise<CodeOutcome> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ error: `it took longer than ${MOST_MS / 1_000} s` });
    setTimeout(end, MOST_MS).unref();
    signal.addEventListener("abort", end, { once: true });
  });
}

/** What a CommonJS module has as its default, however it was loaded. */
const variantIn = (loaded: { readonly default: unknown }): QuickJSSyncVariant =>
  "default" in (loaded.default as object)
    ? (loaded.default as { readonly default: QuickJSSyncVariant }).default
    : (loaded.default as QuickJSSyncVariant);

/**
 * Runs JavaScript that somebody else wrote, in QuickJS compiled to WebAssembly: it has the language, functions called `names` as members of
 * `api`, and nothing of this process. Memory, work, time and calls are limited.
 */
export async function runCode(
  program: string,
  names: readonly string[],
  host: HostFunction,
  signal: AbortSignal,
): Promise<CodeOutcome> {
  const [{ newQuickJSWASMModuleFromVariant }, variant] = await Promise.all([
    import("quickjs-emscripten-core"),
    import("@jitl/quickjs-singlefile-cjs-release-sync"),
  ]);
  // A machine for each program, which is dropped as a whole: what a program leaves behind is no other's.
  const machine = await newQuickJSWASMModuleFromVariant(variantIn(variant));
  signal.throwIfAborted();
  const sandbox = new Sandbox(machine.newContext());
  sandbox.offer(names, host);
  // What the machine itself gives up on ends the program, too.
  const run = sandbox.run(program).catch((thrown: unknown) => ({ error: String(thrown) }));
  const outcome = await Promise.race([run, stopped(signal)]);
  signal.throwIfAborted();
  return outcome;
}
