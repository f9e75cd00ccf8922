import { once } from "node:events";
import { type ResourceLimits, Worker, type WorkerOptions } from "node:worker_threads";
import {
  type FromTextOptions,
  type ImportAnswer,
  type ImportRequest,
  type MadeCatalog,
  OpenApiError,
  type TextToTake,
} from "@plasm/importers";

/** The program in one file opens threads of its parts itself (docs/adr/0070). */
type OpenPart = (part: string, call: string, options: WorkerOptions) => Worker;

function openThread(resourceLimits: ResourceLimits): Worker {
  const { thread, resolve } = import.meta as ImportMeta & { readonly thread?: OpenPart };
  if (thread !== undefined) return thread("@plasm/importers", "answerImport", { resourceLimits });
  const module = JSON.stringify(resolve("@plasm/importers"));
  const code = `import(${module}).then((m) => m.answerImport(require("node:worker_threads").parentPort));`;
  return new Worker(code, { resourceLimits, eval: true });
}

/**
 * Room for young objects, of which V8 takes three times as much by itself and is no faster for it; and of JSON, which
 * takes some eight times its characters, twice that for what is no longer used.
 */
const limitsOf = (text: string): ResourceLimits => ({
  maxYoungGenerationSizeMb: 24,
  ...(/^\uFEFF?\s*[{[]/.test(text)
    ? { maxOldGenerationSizeMb: 200 + (12 * text.length) / 1e6 }
    : {}),
});

const isOutOfMemory = (thrown: unknown): boolean =>
  (thrown as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";

/**
 * As `catalogFromText` does, in a thread of its own, with which goes all that the document takes. Throws OpenApiError.
 * What needs more than the `limits` has them no longer.
 */
export async function catalogFromThread(
  source: TextToTake,
  options: FromTextOptions,
  limits?: ResourceLimits,
): Promise<MadeCatalog> {
  const text = source.take();
  try {
    return await answered({ text, options }, limits ?? limitsOf(text));
  } catch (thrown) {
    if (!isOutOfMemory(thrown)) throw thrown;
    return answered({ text, options }, {});
  }
}

async function answered(request: ImportRequest, limits: ResourceLimits): Promise<MadeCatalog> {
  const thread = openThread(limits);
  try {
    thread.postMessage(request);
    const [answer] = (await once(thread, "message")) as [ImportAnswer];
    if (answer.kind === "refused") throw new OpenApiError(answer.message);
    return answer.made;
  } finally {
    await thread.terminate();
  }
}
