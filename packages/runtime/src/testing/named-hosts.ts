import type { Transport } from "../ports.ts";
import { createHttpTransport } from "../transport/http-transport.ts";

/** How long answers are awaited: of the first so many requests, the others as long as they may take. */
export interface Patience {
  readonly ms: number;
  readonly first: number;
}

/**
 * Real sockets, with public origins that lead to loopback servers as a hosts file would have it. What
 * is not named goes where it says, under the rules for private addresses.
 */
export function namedHosts(
  hosts: Readonly<Record<string, string>>,
  patience: Patience = { ms: 0, first: 0 },
): Transport {
  const http = createHttpTransport();
  let number = 0;
  return {
    send: (request) => {
      const { origin, pathname, search } = new URL(request.url);
      const to = hosts[origin];
      const there = to === undefined ? {} : { url: to + pathname + search, allowPrivate: true };
      number += 1;
      const brief = number > patience.first ? {} : { timeoutMs: patience.ms };
      return http.send({ ...request, ...there, ...brief });
    },
    close: () => http.close(),
  };
}
