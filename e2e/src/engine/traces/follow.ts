import {
  applyTracePatch,
  type TraceDetail,
  type TraceMessage,
  type TracePatch,
} from "@plasm/agent-core";

/** A reader of a trace's stream. */
export interface Follower {
  /** What it knows once it knows of the event of a number. */
  at(seq: number): Promise<TraceDetail>;
  readonly ended: Promise<void>;
}

/** Makes a detail of a snapshot and the patches after it, as a client does (SURF-29). */
export function follow(stream: AsyncIterable<TraceMessage>): Follower {
  let seen: TraceDetail | null = null;
  let over = false;
  let wake: () => void = () => undefined;
  const read = async (): Promise<void> => {
    for await (const { event, line } of stream) {
      const data = JSON.parse(line) as unknown;
      if (event === "snapshot") seen = data as TraceDetail;
      else if (seen !== null) seen = applyTracePatch(seen, data as TracePatch);
      wake();
    }
  };
  const ended = read().finally(() => {
    over = true;
    wake();
  });
  return {
    ended,
    at: async (seq) => {
      while (seen?.seq !== seq) {
        if (over) throw new Error(`the stream ended before ${seq}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return seen;
    },
  };
}
