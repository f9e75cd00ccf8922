import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import { getRequestListener } from "@hono/node-server";
import {
  type RecordedRequest,
  recordRequest,
  type RequestHook,
  type SampleApiName,
} from "../request-log.ts";
import { StartError } from "../start-error.ts";

type ApiErrorStatus = 400 | 404 | 422;

/** One thing wrong with a request: a parameter or member, and what it must be. */
export interface Complaint {
  readonly field: string;
  readonly message: string;
}

/** An answer other than the one asked for; the body is JSON with `message`, and `errors` on 422. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ApiErrorStatus;
  readonly complaints: readonly Complaint[];

  constructor(status: ApiErrorStatus, message: string, complaints: readonly Complaint[] = []) {
    super(message);
    this.status = status;
    this.complaints = complaints;
  }

  body(): Record<string, unknown> {
    const { message, complaints } = this;
    return complaints.length === 0 ? { message } : { message, errors: complaints };
  }
}

export const notFound = (what: string, key: string): ApiError =>
  new ApiError(404, `there is no ${what} ${key}`);

/** 422 naming every complaint at once, so that one answer is enough to mend the request. */
export const unprocessable = (complaints: readonly Complaint[]): ApiError =>
  new ApiError(
    422,
    complaints.map(({ field, message }) => `${field} ${message}`).join("; "),
    complaints,
  );

const answerError = (error: Error): Response => {
  if (error instanceof ApiError) return Response.json(error.body(), { status: error.status });
  return Response.json({ message: `the server failed: ${error.message}` }, { status: 500 });
};

/**
 * A server without routes: shows each request to `onRequest` before any route sees it, and answers
 * every error as JSON with a `message`.
 */
export const apiApp = (name: SampleApiName, onRequest: RequestHook): Hono => {
  const app = new Hono();
  app.use(async (c, next) => {
    const seen: RecordedRequest = recordRequest(name, c.req.raw, await c.req.text());
    const answer = await onRequest(seen);
    if (answer !== undefined) return answer;
    return next();
  });
  app.notFound((c) =>
    c.json({ message: `there is no ${c.req.method} ${new URL(c.req.url).pathname}` }, 404),
  );
  app.onError((error) => answerError(error));
  return app;
};

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
