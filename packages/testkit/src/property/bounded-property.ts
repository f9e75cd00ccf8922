import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import type { Property } from "./property.ts";
import type { TrialSaid } from "./serve-trials.ts";

/** What one input may take (issue 18, items 13 and 14). */
const MOST = Object.freeze({ cpuMs: 1_000, heapMb: 64 });

/** What a thread has loaded as a rule; starting one from sources takes seconds of CPU. */
const USUAL_MB = 64;

/** Tries before an input is said to take too much: what else the machine does only adds to it. */
const TRIES = 3;

/** A property of inputs that are tried in a thread: none takes more than 1 s of CPU or 64 MB, or throws. */
export interface BoundedParts<Input> {
  readonly key: string;
  readonly says: string;
  readonly runs: number;
  readonly inputs: fc.Arbitrary<Input>;
  /** the module that calls `serveTrials` */
  readonly thread: URL;
}

/** A thread whose heap has no more room than one input may take, besides what it has loaded. */
class TrialThread {
  readonly #module: URL;
  #worker: Worker | null = null;
  #loadedMb = USUAL_MB;

  constructor(module: URL) {
    this.#module = module;
  }

  /** Throws an error that says what trying an input took or threw that it must not. */
  async read(input: unknown): Promise<void> {
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < TRIES && least > MOST.cpuMs; attempt++)
      least = Math.min(least, await this.#cpuOf(input));
    if (least > MOST.cpuMs) throw new Error(`${Math.round(least)} ms of CPU`);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    if (worker !== null) await ended(worker);
  }

  async #cpuOf(input: unknown): Promise<number> {
    const worker = (this.#worker ??= await this.#limited());
    const answered = once(worker, "message");
    worker.postMessage({ input });
    let said: TrialSaid;
    try {
      [said] = (await answered) as [TrialSaid];
    } catch (error) {
      // Its heap was full: the next input is tried by another one.
      this.#worker = null;
      throw new Error(`more than ${MOST.heapMb} MB: ${String(error)}`, { cause: error });
    }
    if (said.kind === "tried") return said.ms;
    throw new Error(said.kind === "threw" ? said.error : "the thread started twice");
  }

  async #limited(): Promise<Worker> {
    const [worker, loadedMb] = await this.#started(this.#loadedMb + MOST.heapMb);
    if (loadedMb <= this.#loadedMb) return worker;
    // It has loaded more than was thought: the room of an input would be less.
    await ended(worker);
    this.#loadedMb = loadedMb;
    return this.#limited();
  }

  async #started(maxOldGenerationSizeMb: number): Promise<readonly [Worker, number]> {
    const worker = new Worker(this.#module, {
      execArgv: ["--conditions=@plasm/source", "--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb },
    });
    const [said] = (await once(worker, "message")) as [TrialSaid];
    if (said.kind !== "ready") throw new Error("The thread that tries inputs did not start.");
    return [worker, said.heapMb];
  }
}

/** Lets a thread close what it has open, and waits for its end. */
async function ended(worker: Worker): Promise<void> {
  const gone = once(worker, "exit");
  worker.postMessage({});
  await gone;
}

/** A property of how much inputs take, each tried by itself in a thread. */
export function boundedProperty<Input>(parts: BoundedParts<Input>): Property {
  const { inputs, thread: module, ...rest } = parts;
  const open = () => {
    const thread = new TrialThread(module);
    const holds = fc.asyncProperty(inputs, (input) => thread.read(input));
    return Promise.resolve({
      holds: holds as fc.IRawProperty<unknown, boolean>,
      close: () => thread.close(),
    });
  };
  return Object.freeze({ ...rest, served: false, open });
}
