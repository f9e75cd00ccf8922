import { Hono } from "hono";
import {
  type RecordedRequest,
  recordRequest,
  type RequestHook,
  type SampleApiName,
} from "../request-log.ts";

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
