import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Family, familyText } from "./families.ts";
import type { TrialAnswer, TrialRequest } from "./trial.ts";

/** What one text may take (issue 18, items 13 and 14). */
const MOST = Object.freeze({ cpuMs: 1_000, heapMb: 64 });

/** All steps that a template may take, none of them dear. */
const PLAIN_STEPS: TrialRequest = {
  reader: "template",
  text: "{% for r in rows %}{% for q in rows %}{% if r.id == q.id %}{% endif %}{% endfor %}{% endfor %}",
};

/** A thread that reads texts one by one, in a heap that has no more room than one text may take. */
export class Trials {
  /** the one there is, if any */
  readonly #workers: Worker[] = [];
  #heapMb: number | null = null;

  /** Reads the text of a family; throws an error that names it if reading takes or throws what it must not. */
  async read(family: Family, size: number): Promise<void> {
    const text = familyText(family, size);
    const named = `${JSON.stringify(family)} of ${size} characters`;
    const request = { reader: family.reader, text };
    const ms = await this.#cpu(request, named);
    if (ms <= MOST.cpuMs) return;
    // Where the machine does much else, all work takes more CPU: a million plain steps say how much.
    const most = Math.max(MOST.cpuMs, 4 * (await this.#cpu(PLAIN_STEPS, "plain steps")));
    const again = Math.min(ms, await this.#cpu(request, named));
    if (again > most)
      throw new Error(`${named}: ${Math.round(again)} of ${Math.round(most)} ms of CPU`);
  }

  async #cpu(request: TrialRequest, named: string): Promise<number> {
    const said = await this.#ask(request);
    if (said.kind === "threw") throw new Error(`${named}: ${said.error}`);
    if (said.kind !== "read") throw new Error(`${named}: no answer`);
    return said.ms;
  }

  async close(): Promise<void> {
    for (const worker of this.#workers.splice(0)) await worker.terminate();
  }

  async #ask(request: TrialRequest): Promise<TrialAnswer> {
    const worker = this.#workers[0] ?? (await this.#limited());
    this.#workers[0] = worker;
    const answered = once(worker, "message");
    worker.postMessage(request);
    try {
      const [said] = (await answered) as [TrialAnswer];
      return said;
    } catch (error) {
      // Its heap was full: the next text is read by another one.
      this.#workers.length = 0;
      return { kind: "threw", error: `more than ${MOST.heapMb} MB: ${String(error)}` };
    }
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
