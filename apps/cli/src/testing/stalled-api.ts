import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An API that takes every request and answers none. */
export interface StalledApi {
  readonly url: string;
  /** resolves when it was asked for the first time */
  readonly asked: Promise<void>;
  close(): Promise<void>;
}

export async function startStalledApi(): Promise<StalledApi> {
  let ask = (): void => undefined;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const server = createServer(() => ask());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
