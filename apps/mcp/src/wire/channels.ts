/** A stream on which a connection can be told of things. */
export interface Channel {
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
