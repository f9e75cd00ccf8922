import type { PeerTask, RestCall } from "./peer-task.ts";
import type { PeersWorld } from "./peers-world.ts";
import type { Side } from "./side.ts";
import { callText, type Exchange, rowsOf } from "./transcript.ts";

/** A tool call that stands for a request. */
export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Tools of which each is one request: how a request is called, and what then comes back. */
export interface RestTools {
  readonly name: string;
  readonly definitions: string;
  callOf(call: RestCall): ToolCall;
  call(call: ToolCall, of: RestCall): Promise<string>;
  close(): Promise<void>;
}

/** A request, and the call that stands for it. */
interface Asked {
  readonly of: RestCall;
  readonly call: ToolCall;
}

/** The data in a text that may say more than data. */
function dataIn(text: string): unknown {
  const start = text.search(/[[{]/);
  return start === -1 ? null : (JSON.parse(text.slice(start)) as unknown);
}

/** Does work for each, when the one before is done. */
async function oneByOne<W, T>(all: readonly W[], work: (each: W) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (const each of all) done.push(await work(each));
  return done;
}

/**
 * A side whose model makes every request itself, as many in a turn as do not wait for one another; those of a turn at once,
 * unless the host sends one call after the other.
 */
export const restSide = (world: PeersWorld, tools: RestTools, isOneByOne = false): Side => ({
  name: isOneByOne ? `${tools.name}, one by one` : tools.name,
  definitions: tools.definitions,
  play: async (task: PeerTask) => {
    const exchanges: Exchange[] = [];
    const send = ({ of, call }: Asked) => tools.call(call, of);
    const before = world.requests();
    const script = task.rest();
    let step = script.next([]);
    for (let turn = 0; step.done !== true; turn += 1) {
      const calls = step.value.map((of) => ({ of, call: tools.callOf(of) }));
      const texts = isOneByOne ? await oneByOne(calls, send) : await Promise.all(calls.map(send));
      for (const [at, text] of texts.entries()) {
        const { name = "", args = {} } = calls[at]?.call ?? {};
        exchanges.push({ phase: "work", turn, call: callText(name, args), text });
      }
      step = script.next(texts.map(dataIn));
    }
    const requests = world.requests() - before;
    const rows = await (task.after?.(world) ?? rowsOf(step.value));
    return { exchanges, rows, requests };
  },
  close: () => tools.close(),
});
