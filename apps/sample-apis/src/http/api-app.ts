import { Hono } from "hono";
import {
  recordRequest,
  type RecordedRequest,
  type RequestHook,
  type SampleApiName,
} from "../request-log.ts";
import { ApiError } from "./api-error.ts";

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
