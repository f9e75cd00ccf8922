import { createHttpTransport, type Ports } from "@plasm/runtime";

/** Long for a loopback server, short for a test that waits for it to be silent. */
const TIMEOUT_MS = 200;

/** Real sockets, but nothing takes long: answers are awaited briefly, and back-off passes at once. */
export function impatientPorts(): Pick<Ports, "transport" | "clock"> {
  const http = createHttpTransport();
  let slept = 0;
  return {
    transport: {
      send: (request) =>
        http.send({ ...request, timeoutMs: Math.min(request.timeoutMs, TIMEOUT_MS) }),
      close: () => http.close(),
    },
    clock: {
      now: () => Date.now() + slept,
      sleep: async (ms) => {
        slept += ms;
      },
    },
  };
}
