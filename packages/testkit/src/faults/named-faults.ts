import { gzipSync } from "node:zlib";
import { type Answer, jsonAnswer, textAnswer } from "./answer.ts";
import type { Fault } from "./fault.ts";
import type { Received } from "./received.ts";

const says = (answer: Answer): Fault => ({ kind: "answer", answer: () => answer });

/** 429, with a `Retry-After` of seconds or of a date as given; none without. */
export const tooManyRequests = (retryAfter?: string, status = 429): Fault =>
  says(
    jsonAnswer(
      { message: "slow down" },
      status,
      retryAfter === undefined ? {} : { "retry-after": retryAfter },
    ),
  );

/** A status with an API's words. */
export const refusal = (status: number, message = "no"): Fault =>
  says(jsonAnswer({ message }, status));

/** A connection reset before a byte of the answer, or in the middle of its body. */
export const RESET: Fault = { kind: "reset" };
export const resetInBody = (sent = '{"items":[{"id":"a"}', missing = 100): Fault => ({
  kind: "cut",
  sent,
  missing,
});

/** A server that takes a request and says nothing. */
export const SILENCE: Fault = { kind: "silence" };
/** A body that never ends, a byte at a time. */
export const drip = (everyMs = 10): Fault => ({ kind: "drip", everyMs });

/** JSON that ends in the middle although the answer is complete as HTTP has it. */
export const TRUNCATED_JSON: Fault = says(
  textAnswer('{"items":[{"id":"a"},{"id":', 200, { "content-type": "application/json" }),
);
/** 200, and a body that says that nothing was done. */
export const ERRORS_BODY: Fault = says(jsonAnswer({ errors: [{ message: "no such shelf" }] }));
/** The page of a portal where JSON was asked for. */
export const htmlPage = (contentType = "text/html"): Fault =>
  says(
    textAnswer("<!doctype html><title>Sign in</title><p>Please sign in", 200, {
      "content-type": contentType,
    }),
  );
/** JSON under another name. */
export const jsonCalled = (contentType: string, value: unknown): Fault =>
  says(textAnswer(JSON.stringify(value), 200, { "content-type": contentType }));
/** JSON with bytes in its strings that are no UTF-8, between two texts. */
export const badUtf8 = (before: string, after: string): Fault =>
  says(
    textAnswer(
      Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(after)]),
      200,
      {
        "content-type": "application/json",
      },
    ),
  );

/** A redirect to another place. */
export const redirectTo = (location: string, status = 302): Fault =>
  says(textAnswer("", status, { location }));

/** Bytes of one member of a bomb, unpacked. */
const MEMBER = 16 * 1024 * 1024;

/** Blanks in gzip, a thousand times what is sent; as many MiB as told, in steps of 16. */
export function gzipBomb(mib: number): Fault {
  const member = gzipSync(Buffer.alloc(MEMBER, " "));
  const members = Array.from({ length: Math.ceil((mib * 1024 * 1024) / MEMBER) }, () => member);
  return says(
    textAnswer(Buffer.concat(members), 200, {
      "content-type": "application/json",
      "content-encoding": "gzip",
    }),
  );
}
/** A body of so many MiB, as fast as it is taken. */
export const hugeBody = (mib: number): Fault => ({ kind: "flood", bytes: mib * 1024 * 1024 });

/** Pages of a list, each made from the request and its number. */
export const pages = (page: (request: Received) => Answer): Fault => ({
  kind: "answer",
  answer: page,
});
