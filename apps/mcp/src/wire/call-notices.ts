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
  /** the call's own stream; null where events of operations go another way: the connection stands */
  readonly channel: Channel | null;
  /** the session that the call names, by ref or uuid */
  readonly session: string | null;
  readonly progressToken: string | number | undefined;
}

/**
 * Sends what happens during a call: events of the caller's operations, unless they go another way
 * (OPS-23), and each new step of its own run, if it gave a token (OPS-25). Delivery is best effort.
 */
export function callNotices(source: NoticeSource, notify: Notify): CallNotices {
  const { engine, caller, channel, session, progressToken } = source;
  const sent: Promise<void>[] = [];
  let ended = false;
  const send = (notification: Parameters<Notify>[0]): void => {
    if (!ended) sent.push(notify(notification).catch(() => undefined));
  };
  const tell = (note: OperationNote): void => {
    if (channel?.isChosen() === true) send(operationNotice(note));
  };
  const unlisten =
    channel === null ? async () => undefined : engine.onOperation(caller, tell, session);
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
      await unlisten();
      ended = true;
      await Promise.all(sent);
    },
  };
}

/** A stream on which a connection can be told of things. */
interface Channel {
  /** whether it is the one that carries notices now */
  isChosen(): boolean;
  close(): void;
}

/**
 * The streams of each connection. A notice goes on one of them, never on several (MCP: no broadcast): a
 * standing stream, the newest, else the call that is longest under way.
 */
export interface Channels {
  /** Opens one; a caller without a connection has nothing but its call. */
  open(connection: string | null, kind: "standing" | "call"): Channel;
}

interface Streams {
  readonly standing: Channel[];
  readonly calls: Channel[];
}

/** Channels of connections that this process serves. */
export function openChannels(): Channels {
  const connections = new Map<string, Streams>();
  return {
    open: (connection, kind) => {
      if (connection === null) return { isChosen: () => true, close: () => undefined };
      const streams = connections.get(connection) ?? { standing: [], calls: [] };
      connections.set(connection, streams);
      const mine = kind === "standing" ? streams.standing : streams.calls;
      const channel: Channel = {
        isChosen: () => (streams.standing.at(-1) ?? streams.calls[0]) === channel,
        close: () => {
          const index = mine.indexOf(channel);
          if (index >= 0) mine.splice(index, 1);
          const empty = streams.standing.length === 0 && streams.calls.length === 0;
          if (empty && connections.get(connection) === streams) connections.delete(connection);
        },
      };
      mine.push(channel);
      return channel;
    },
  };
}
