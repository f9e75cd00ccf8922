import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { StartError } from "../start-error.ts";

export interface Listening {
  readonly url: string;
  /** Stops accepting, lets answers under way end (2 s at most), closes every connection. */
  close(): Promise<void>;
}

interface ListenOptions {
  /** Whose server it is, for messages. */
  readonly name: string;
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

const graceMilliseconds = 2_000;

const explain = (error: NodeJS.ErrnoException, { name, host, port }: ListenOptions): StartError => {
  const place = `${name} cannot listen on ${host}:${port}`;
  const remedy = `choose another port with --${name}-port`;
  if (error.code === "EADDRINUSE") {
    return new StartError(
      `${place}: the port is taken, perhaps by another npm start. End the program that holds it, or ${remedy}.`,
    );
  }
  return new StartError(`${place}: ${error.message}. Check the host, or ${remedy}.`);
};

/** Serves an app on one address; throws StartError if it cannot be had. */
export const listen = async (app: Hono, options: ListenOptions): Promise<Listening> => {
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  // A client that is slow to notice would send an effect on a connection that was closed under it.
  const server = createServer(
    { keepAliveTimeout: 75_000 },
    (incoming, outgoing) => void handle(incoming, outgoing),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      const force = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      server.close(() => {
        clearTimeout(force);
        resolve();
      });
      server.closeIdleConnections();
    });
  return { url: `http://${options.host}:${port}`, close };
};
