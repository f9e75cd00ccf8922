import type { Caller, Engine, OperationNote, RunProgress } from "@plasm/agent-core";

/** Sends one notification on the channel of a call, or of a connection. */
export type Notify = (notification: {
  readonly method: string;
  readonly params: Record<string, unknown>;
}) => Promise<void>;

/** `notifications/plasm/op` (OPS-23). */
export const operationNotice = ({ line, n, c }: OperationNote) => ({
  method: "notifications/plasm/op",
  params: { line, n, ...(c === undefined ? {} : { c }) },
});

/** What a call says before its answer, on the answer's own stream. */
export interface CallNotices {
  readonly onProgress?: (progress: RunProgress) => void;
  /** Resolves when all of it was handed over; nothing is said afterwards. */
  end(): Promise<void>;
}

export interface NoticeSource {
  readonly engine: Engine;
  readonly caller: Caller;
  /** events of operations go another way: the connection has a standing channel */
  readonly standing: boolean;
  readonly progressToken: string | number | undefined;
}

/**
 * Sends what happens during a call: events of the caller's operations, unless they go another way
 * (OPS-23), and each new step of its own run, if it gave a token (OPS-25). Delivery is best effort.
 */
export function callNotices(source: NoticeSource, notify: Notify): CallNotices {
  const { engine, caller, standing, progressToken } = source;
  const sent: Promise<void>[] = [];
  let ended = false;
  const send = (notification: Parameters<Notify>[0]): void => {
    if (!ended) sent.push(notify(notification).catch(() => undefined));
  };
  const unlisten = standing
    ? () => undefined
    : engine.onOperation(caller, (note) => send(operationNotice(note)));
  let last = 0;
  const onProgress = ({ k, of, line }: RunProgress): void => {
    if (k <= last) return;
    last = k;
    const params = { progressToken, progress: k, total: of, message: line };
    send({ method: "notifications/progress", params });
  };
  return {
    ...(progressToken === undefined ? {} : { onProgress }),
    end: async () => {
      unlisten();
      ended = true;
      await Promise.all(sent);
    },
  };
}
