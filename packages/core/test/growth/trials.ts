import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type DrawnText, drawnTexts, type Family, familyText } from "./families.ts";
import type { Suspect, TrialAnswer, TrialRequest } from "./trial.ts";

/** What one text may take (issue 18, items 13 and 14). */
const MOST = Object.freeze({ cpuMs: 1_000, heapMb: 64 });

/** So many texts are drawn and read at a time; each batch has a seed of its own. */
const BATCH = 1_000;

/** How long one text may be read at most, in milliseconds of the wall, before its thread is ended. */
const LONGEST = 120_000;

/** All steps that a template may take, none of them dear. */
const PLAIN_STEPS: TrialRequest = {
  kind: "one",
  reader: "template",
  text: "{% for r in rows %}{% for q in rows %}{% if r.id == q.id %}{% endif %}{% endfor %}{% endfor %}",
};

/** What many trials came to. */
export interface ManyTrials {
  readonly runs: number;
  /** the first text that takes or throws what it must not, named */
  readonly failure: string | null;
}

/** A thread that reads texts, in a heap that has no more room than one text may take. */
export class Trials {
  /** the one there is, if any */
  readonly #workers: Worker[] = [];
  /** which text of a batch is under way, told by the thread even where it dies of it */
  readonly #at = new Int32Array(new SharedArrayBuffer(4));
  #heapMb: number | null = null;

  /** Reads the text of a family; throws an error that names it if reading takes or throws what it must not. */
  async read(family: Family, size: number): Promise<void> {
    const text = familyText(family, size);
    const named = `${JSON.stringify(family)} of ${size} characters`;
    const request: TrialRequest = { kind: "one", reader: family.reader, text };
    const ms = await this.#cpu(request, named);
    if (ms <= MOST.cpuMs) return;
    // Where the machine does much else, all work takes more CPU: a million plain steps say how much.
    const most = Math.max(MOST.cpuMs, 4 * (await this.#cpu(PLAIN_STEPS, "plain steps")));
    const again = Math.min(ms, await this.#cpu(request, named));
    if (again > most)
      throw new Error(`${named}: ${Math.round(again)} of ${Math.round(most)} ms of CPU`);
  }

  /**
   * Reads as many drawn texts: the thread draws and reads them batch by batch. What looks as if it took too much is
   * read again by itself, which decides. Ends at the first that does.
   */
  async readMany(runs: number, seed: number): Promise<ManyTrials> {
    for (let done = 0; done < runs; done += BATCH) {
      const count = Math.min(BATCH, runs - done);
      const failed = await this.#batch(batchSeed(seed, done / BATCH), count);
      if (failed !== null) return { runs: done + failed.at + 1, failure: failed.why };
    }
    return { runs, failure: null };
  }

  async close(): Promise<void> {
    for (const worker of this.#workers.splice(0)) await worker.terminate();
  }

  async #batch(seed: number, count: number): Promise<{ at: number; why: string } | null> {
    for (let from = 0; from < count;) {
      this.#at[0] = from;
      const said = await this.#ask({
        kind: "many",
        seed,
        count,
        from,
        mostMs: MOST.cpuMs,
        at: this.#at,
      });
      // A thread that died did so of the text it was at, or of what those before it left.
      const died = said.kind === "threw";
      const last = Math.max(from, Atomics.load(this.#at, 0));
      const suspects: readonly Suspect[] = said.kind === "many" ? said.suspects : [];
      for (const at of [...suspects.map((suspect) => suspect.at), ...(died ? [last] : [])]) {
        const why = await this.#whyNot(drawnTexts(seed, count)[at]);
        if (why !== null) return { at, why: `seed ${seed}, text ${at}: ${why}` };
      }
      from = died ? last + 1 : count;
    }
    return null;
  }

  async #whyNot(text: DrawnText | undefined): Promise<string | null> {
    if (text === undefined) return "no text";
    try {
      await this.read(...text);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #cpu(request: TrialRequest, named: string): Promise<number> {
    const said = await this.#ask(request);
    if (said.kind === "threw") throw new Error(`${named}: ${said.error}`);
    if (said.kind !== "read") throw new Error(`${named}: no answer`);
    return said.ms;
  }

  async #ask(request: TrialRequest): Promise<TrialAnswer> {
    const worker = this.#workers[0] ?? (await this.#limited());
    this.#workers[0] = worker;
    const answered = once(worker, "message");
    worker.postMessage(request);
    const watch = this.#endIfStuck(worker);
    try {
      const [said] = (await answered) as [TrialAnswer];
      return said;
    } catch (error) {
      // Its heap was full: the next text is read by another one.
      this.#workers.length = 0;
      return { kind: "threw", error: `more than ${MOST.heapMb} MB: ${String(error)}` };
    } finally {
      clearInterval(watch);
    }
  }

  /** Ends a thread that reads one text for ever. */
  #endIfStuck(worker: Worker): NodeJS.Timeout {
    let [at, since] = [-1, performance.now()];
    return setInterval(() => {
      const now = Atomics.load(this.#at, 0);
      if (now !== at) [at, since] = [now, performance.now()];
      else if (performance.now() - since > LONGEST) {
        worker.emit("error", new Error(`nothing after ${LONGEST} ms`));
        void worker.terminate();
      }
    }, 5_000);
  }

  /** One that may take so much more than what it has loaded. */
  async #limited(): Promise<Worker> {
    if (this.#heapMb === null) {
      const [measured, heapMb] = await started();
      await measured.terminate();
      this.#heapMb = heapMb;
    }
    const [worker] = await started(this.#heapMb + MOST.heapMb);
    return worker;
  }
}

/** A seed for each batch of a seed. */
const batchSeed = (seed: number, batch: number): number => (seed + batch * 7_919) % 2 ** 31;

async function started(maxOldGenerationSizeMb?: number): Promise<readonly [Worker, number]> {
  const resourceLimits = maxOldGenerationSizeMb === undefined ? {} : { maxOldGenerationSizeMb };
  const worker = new Worker(new URL("trial.ts", import.meta.url), {
    execArgv: ["--conditions=@plasm/source", "--disable-warning=ExperimentalWarning"],
    resourceLimits,
  });
  const [said] = (await once(worker, "message")) as [TrialAnswer];
  if (said.kind !== "ready") throw new Error("The thread that reads texts did not start.");
  return [worker, said.heapMb];
}
