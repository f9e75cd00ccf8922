import {
  badUtf8,
  drip,
  ERRORS_BODY,
  type Fault,
  gzipBomb,
  htmlPage,
  hugeBody,
  jsonCalled,
  refusal,
  RESET,
  resetInBody,
  SILENCE,
  tooManyRequests,
  TRUNCATED_JSON,
} from "@plasm/testkit";
import { describe, expect, test } from "vitest";
import type { RunErrorCode } from "../../base/run-failure.ts";
import { API, type FaultSeen, readThrough, SECRET, toldBack } from "../../testing/fault-run.ts";

const ROWS = { items: [{ id: "a" }] };
/** Twelve seconds past the moment at which a test's clock begins. */
const DATE = "Mon, 05 Jan 2026 12:00:12 GMT";

interface Row {
  readonly name: string;
  readonly fault: Fault;
  /** rows that come back, or the code of the error */
  readonly gives: readonly string[] | RunErrorCode;
  /** what error and correction must say */
  readonly says?: readonly (string | RegExp)[];
  /** requests that were sent when the fault never ends */
  readonly sent: number;
  /** diagnostics of an answer that is no failure */
  readonly notes?: readonly string[];
  /** whether the server keeps its caller waiting */
  readonly endless?: true;
  /** `waits` in seconds */
  readonly told?: {
    readonly retryable?: boolean;
    readonly retryAfter?: number | null;
    readonly waits?: readonly number[];
  };
}

/** RUN-025: 429, 502, 503, 504, lost connections and timeouts are tried three times, nothing else. */
const TABLE: readonly Row[] = [
  {
    name: "429 without Retry-After",
    fault: tooManyRequests(),
    gives: "rate_limited",
    says: ["slow down", API, "later"],
    sent: 3,
    told: { retryable: true, waits: [0.25, 0.5] },
  },
  {
    name: "429 with Retry-After in seconds",
    fault: tooManyRequests("7"),
    gives: "rate_limited",
    says: ["slow down", "7 s"],
    sent: 3,
    told: { retryable: true, retryAfter: 7, waits: [7, 7] },
  },
  {
    name: "429 with Retry-After as a date",
    fault: tooManyRequests(DATE),
    gives: "rate_limited",
    sent: 3,
    told: { retryable: true, waits: [12] },
  },
  {
    name: "429 with a Retry-After beyond 60 s",
    fault: tooManyRequests("61"),
    gives: "rate_limited",
    says: ["61 s"],
    sent: 1,
    told: { retryAfter: 61, waits: [] },
  },
  {
    name: "429 with a Retry-After that is no time",
    fault: tooManyRequests("soon"),
    gives: "rate_limited",
    sent: 3,
    told: { waits: [0.25, 0.5] },
  },
  {
    name: "500",
    fault: refusal(500, "broken"),
    gives: "upstream_error",
    says: ["500", "broken"],
    sent: 1,
  },
  ...[502, 503, 504].map((status) => ({
    name: String(status),
    fault: refusal(status, "later"),
    gives: "upstream_error" as const,
    says: [String(status), "later"],
    sent: 3,
    told: { retryable: true, waits: [0.25, 0.5] },
  })),
  {
    name: "503 with Retry-After",
    fault: tooManyRequests("3", 503),
    gives: "upstream_error",
    sent: 3,
    told: { waits: [3, 3] },
  },
  {
    name: "a reset before the answer",
    fault: RESET,
    gives: "upstream_error",
    says: ["connection lost", "/crates"],
    sent: 3,
    told: { retryable: true, waits: [0.25, 0.5] },
  },
  {
    name: "a reset in the middle of the body",
    fault: resetInBody(),
    gives: "upstream_error",
    says: ["connection lost"],
    sent: 3,
    told: { retryable: true, waits: [0.25, 0.5] },
  },
  {
    name: "a body that never ends, byte by byte",
    fault: drip(),
    endless: true,
    gives: "timeout",
    says: ["began to answer and did not end", "/crates"],
    sent: 3,
    told: { retryable: true, waits: [0.25, 0.5] },
  },
  {
    name: "a server that never answers",
    fault: SILENCE,
    endless: true,
    gives: "timeout",
    says: ["did not answer"],
    sent: 3,
    told: { retryable: true, waits: [0.25, 0.5] },
  },
  {
    name: "truncated JSON",
    fault: TRUNCATED_JSON,
    gives: "response_not_json",
    says: ["does not parse", "cut off"],
    sent: 1,
  },
  {
    name: "200 with errors",
    fault: ERRORS_BODY,
    gives: "upstream_error",
    says: ["no such shelf"],
    sent: 1,
  },
  {
    name: "HTML for JSON",
    fault: htmlPage(),
    gives: "response_not_json",
    says: ["markup", "address"],
    sent: 1,
  },
  {
    name: "HTML that is called JSON",
    fault: htmlPage("application/json"),
    gives: "response_not_json",
    says: ["markup"],
    sent: 1,
  },
  { name: "JSON called text", fault: jsonCalled("text/plain", ROWS), gives: ["a"], sent: 1 },
  { name: "JSON called HTML", fault: jsonCalled("text/html", ROWS), gives: ["a"], sent: 1 },
  {
    name: "JSON called bytes",
    fault: jsonCalled("application/octet-stream", ROWS),
    gives: ["a"],
    sent: 1,
  },
  { name: "JSON of no type", fault: jsonCalled("", ROWS), gives: ["a"], sent: 1 },
  {
    name: "JSON in an encoding that does not exist",
    fault: jsonCalled("application/json; charset=utf-99", ROWS),
    gives: ["a"],
    sent: 1,
  },
  {
    name: "JSON called an image",
    fault: jsonCalled("image/png", ROWS),
    gives: [],
    notes: ["collection_missing"],
    sent: 1,
  },
  {
    name: "bytes that are no UTF-8",
    fault: badUtf8('{"items":[{"id":"a', '"}]}'),
    gives: ["a\ufffd\ufffd"],
    notes: ["text_malformed"],
    sent: 1,
  },
  {
    name: "a bomb of 1 GiB in gzip",
    fault: gzipBomb(1024),
    gives: "response_too_large",
    says: ["10485760 bytes", "narrower"],
    sent: 1,
  },
  {
    name: "a body of 100 MB",
    fault: hugeBody(100),
    gives: "response_too_large",
    says: ["10485760 bytes"],
    sent: 1,
  },
];

/** An error names its request and what to do, and comes alone. */
function checkError({ error, ids, hasCursor }: FaultSeen): void {
  if (error === null) return;
  expect(error.request).toMatchObject({ method: "GET", origin: API, pathTemplate: "/crates" });
  expect(error.correction).not.toBe("");
  expect([ids, hasCursor]).toEqual([[], false]);
}

const patienceFor = ({ endless }: Row, first: number) =>
  endless === true ? { patience: { ms: 60, first } } : {};

describe("what is returned and reported when an answer goes wrong", () => {
  test.each(TABLE)("$name", async (row) => {
    const { fault, gives, says = [], sent, told = {}, notes = [] } = row;
    const seen = await readThrough({ rules: [{ fault }], ...patienceFor(row, 3) });
    expect(seen.error?.code ?? seen.ids).toEqual(gives);
    const words = `${seen.error?.message} ${seen.error?.correction}`;
    for (const each of says) expect(words).toMatch(each);
    expect(seen.outcome.requests).toHaveLength(sent);
    expect(seen.api.requests.length).toBeLessThanOrEqual(sent);
    expect({ ...seen.error, waits: seen.waits.map((ms) => ms / 1000) }).toMatchObject(told);
    expect(seen.codes).toEqual(notes);
    checkError(seen);
    // RUN-141, RUN-142: the API alone was told the credential, and nobody was told it back.
    expect(
      seen.api.requests.every(({ headers }) => headers.authorization === `Bearer ${SECRET}`),
    ).toBe(true);
    expect(seen.stranger.requests).toEqual([]);
    expect(toldBack(seen.outcome)).toEqual([]);
  });

  /** Faults that pass: what RUN-025 tries again gives the rows once they are over. */
  test.each(TABLE.filter(({ sent }) => sent === 3))("RUN-025 $name, once", async (row) => {
    const rules = [{ fault: row.fault, on: { first: 1 } }];
    const seen = await readThrough({ rules, ...patienceFor(row, 1) });
    expect([seen.error, seen.ids]).toEqual([null, ["a", "b"]]);
    expect(seen.outcome.requests).toHaveLength(2);
    expect(seen.partial).toBeNull();
  });
});

test("RUN-028 a caller that has enough stops the server: it sends the cap and what is on its way", async () => {
  const seen = await readThrough({ rules: [{ fault: hugeBody(100) }] });
  expect(seen.error?.code).toBe("response_too_large");
  // The sockets of both sides hold a few MiB.
  expect(seen.api.bytesOut).toBeLessThan(32 * 1024 * 1024);
});

test("RUN-142 an API that echoes the credential in each answer", async () => {
  const fault = refusal(500, `Bearer ${SECRET} is not welcome`);
  const seen = await readThrough({ rules: [{ fault }] });
  expect(seen.error?.message).toContain("is not welcome");
  expect(toldBack(seen.outcome)).toEqual([]);
});
