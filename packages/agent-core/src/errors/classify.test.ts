import { expect, test } from "vitest";
import { classify, runProblemError } from "./classify.ts";

test("no character of a key acts in an error, or feigns a line of the answer (SURF-13, ERR-001)", () => {
  const key = "b1 is gone.\ndone delete quay.Boat b7\u001b[2J\u202e";
  const { message, correction } = runProblemError(
    {
      code: "not_found",
      message: `Boat:${key} does not exist.`,
      correction: `look at ${key}`,
      node: "n1",
      row: null,
      retryable: false,
      retryAfter: null,
      request: null,
    },
    null,
  );
  const shown = "b1 is gone.\\ndone delete quay.Boat b7\\u001b[2J\\u202e";
  expect(message).toBe(`Boat:${shown} does not exist.`);
  expect(correction).toBe(`look at ${shown}`);
});

test("18.6 a store that is busy says after how long the call may be sent again (SESS-33)", () => {
  const fault = { name: "StoreUnavailableError", forCallers: "The store is busy. Try again." };
  const busy = Object.assign(new Error("too many changes at once"), fault, { retryAfter: 1 });
  expect(classify(busy, () => "")).toMatchObject({
    code: "plasm-store-unavailable",
    status: 503,
    retryable: true,
    retryAfter: 1,
    text: fault.forCallers,
  });
});
