import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** A server of the test's own. */
export interface OwnServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens on a port of the system's choice, and answers by `listener`. */
export async function answerWith(listener: RequestListener): Promise<OwnServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, close };
}
