import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort } from "node:worker_threads";

/** What a thread says that tries inputs: milliseconds of its CPU, or what trying threw. */
export type TrialSaid =
  | { readonly kind: "ready"; readonly heapMb: number }
  | { readonly kind: "tried"; readonly ms: number }
  | { readonly kind: "threw"; readonly error: string };

/** What such a thread is asked. */
export type TrialAsked<Input> = { readonly input: Input } | { readonly input?: never };

/**
 * The thread's side of `boundedProperty`: tries every input that it is sent, and says what that took. What `tried`
 * throws is a failure. It is warm after `first`, what all inputs need loaded; `close` ends what it has open.
 */
export async function serveTrials<Input>(
  tried: (input: Input) => unknown,
  first: readonly Input[],
  close: () => Promise<void>,
): Promise<void> {
  for (const input of first) await tried(input);
  const one = async (input: Input): Promise<TrialSaid> => {
    const before = process.threadCpuUsage();
    try {
      await tried(input);
    } catch (error) {
      return { kind: "threw", error: error instanceof Error ? (error.stack ?? "") : String(error) };
    }
    const { user, system } = process.threadCpuUsage(before);
    return { kind: "tried", ms: (user + system) / 1_000 };
  };
  const say = (said: TrialSaid): void => parentPort?.postMessage(said);
  const answer = async ({ input }: TrialAsked<Input>): Promise<void> => {
    if (input !== undefined) return say(await one(input));
    await close();
    parentPort?.close();
  };
  parentPort?.on("message", (asked: TrialAsked<Input>) => void answer(asked));
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  say({ kind: "ready", heapMb: Math.ceil(process.memoryUsage().heapUsed / 2 ** 20) });
}
