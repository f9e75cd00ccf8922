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

/** The data in a text that may say more than data. */
function dataIn(text: string): unknown {
  const start = text.search(/[[{]/);
  return start === -1 ? null : (JSON.parse(text.slice(start)) as unknown);
}

/** A side whose model makes every request itself, as many in a turn as do not wait for one another. */
export const restSide = (world: PeersWorld, tools: RestTools): Side => ({
  name: tools.name,
  definitions: tools.definitions,
  play: async (task: PeerTask) => {
    const exchanges: Exchange[] = [];
    const before = world.requests();
    const script = task.rest();
    let step = script.next([]);
    for (let turn = 0; step.done !== true; turn += 1) {
      const calls = step.value.map((of) => ({ of, call: tools.callOf(of) }));
      const texts = await Promise.all(calls.map(({ of, call }) => tools.call(call, of)));
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
