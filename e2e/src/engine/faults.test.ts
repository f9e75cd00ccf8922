import {
  type FaultRule,
  htmlPage,
  redirectTo,
  refusal,
  RESET,
  resetInBody,
  tooManyRequests,
} from "@plasm/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FaultyQuay, startFaultyQuay } from "./faulty/faulty-quay.ts";

let quay: FaultyQuay;
beforeAll(async () => {
  quay = await startFaultyQuay();
});
beforeEach(async () => {
  await quay.apis.reset();
});
afterAll(() => quay.close());

interface Row {
  readonly name: string;
  readonly program: string;
  readonly rules: readonly FaultRule[];
  /** rows of the last result, or the code of the error */
  readonly gives: number | string;
  readonly partial?: string;
  /** words of the text, and of the diagnostics in the meta */
  readonly says: readonly string[];
  readonly notes?: readonly string[];
  /** requests that reached the proxy */
  readonly sent: number;
  /** requests by which quay itself was changed */
  readonly writes?: readonly string[];
}

const B2 = /^\/boats\/b2$/;
const SECOND_PAGE = { path: "/boats", after: 1, first: 1 };
const SEEN = 'lost = Boat{state=lost}.limit(3)\nlost => Boat(_.id).update(note="seen")';

/** Whole sessions against quay, while single requests of a run go wrong. */
const TABLE: readonly Row[] = [
  {
    name: "RUN-058 one of ten gets fails: its field is missing, its row is not",
    program: "Boat.limit(10)[id, note]",
    rules: [{ fault: refusal(500, "out of order"), on: { path: B2 } }],
    gives: 10,
    partial: "hydration_failed",
    says: ["10 rows, partial (hydration_failed)"],
    notes: ["500", "out of order"],
    sent: 11,
  },
  {
    name: "RUN-025 one of ten gets is reset once: nobody notices",
    program: "Boat.limit(10)[id, note]",
    rules: [{ fault: RESET, on: { path: B2, first: 1 } }],
    gives: 10,
    says: [],
    sent: 12,
  },
  {
    name: "RUN-054 one of three sources of a relation fails",
    program: "boats = Boat.limit(3)\nboats.visits",
    rules: [{ fault: resetInBody(), on: { path: "/boats/b3/visits" } }],
    gives: 24,
    partial: "source_failed",
    says: ["24 rows, partial (source_failed)"],
    notes: ["connection lost", "/boats/{boat}/visits"],
    sent: 7,
  },
  {
    name: "RUN-054 all sources fail",
    program: "boats = Boat.limit(3)\nboats.visits",
    rules: [{ fault: htmlPage(), on: { path: /visits$/ } }],
    gives: "response_not_json",
    says: ["markup", "/boats/{boat}/visits"],
    sent: 4,
  },
  {
    name: "a page in the middle is limited once: the list is whole",
    program: "Boat.sort(length, desc)[id]",
    rules: [{ fault: tooManyRequests("5"), on: SECOND_PAGE }],
    gives: 67,
    says: [],
    sent: 5,
  },
  {
    name: "a page in the middle fails",
    program: "Boat.sort(length, desc)[id]",
    rules: [{ fault: refusal(500), on: SECOND_PAGE }],
    gives: "upstream_error",
    says: ["500", "GET"],
    sent: 2,
  },
  {
    name: "PLAN-071 a read before effects fails: nothing is sent",
    program: SEEN,
    rules: [{ fault: refusal(500), on: { path: "/boats" } }],
    gives: "upstream_error",
    says: ["500"],
    sent: 1,
  },
  {
    name: "RUN-025 the second of three effects is lost after it was done: it is in doubt, the third not sent",
    program: SEEN,
    rules: [{ fault: RESET, on: { method: "PATCH", after: 1, first: 1 }, when: "after" }],
    gives: "effect_in_doubt",
    says: ["1 done", "1 in doubt", "1 not started"],
    sent: 3,
    writes: ["/boats/b3", "/boats/b5"],
  },
  {
    name: "RUN-027 an effect is sent elsewhere: refused, nothing happened",
    program: 'Boat("b2").update(note="x")',
    rules: [{ fault: redirectTo("https://stranger.example/", 307), on: { method: "PATCH" } }],
    gives: "origin_refused",
    says: ["https://stranger.example", "no effect was performed"],
    sent: 1,
  },
];

test.each(TABLE)("$name", async (row) => {
  const { program, rules, gives, partial, says, notes = [], sent, writes = [] } = row;
  quay.proxy.follow(rules);
  const told = await quay.run(program);
  expect(told.code ?? told.rows.length, told.text).toBe(gives);
  expect(told.partial).toBe(partial ?? null);
  for (const words of says) expect(told.text).toContain(words);
  for (const words of notes) expect(told.diagnostics).toContain(words);
  expect(quay.proxy.requests).toHaveLength(sent);
  const changed = quay.apis.requests.filter(({ method }) => method !== "GET");
  expect(changed.map(({ path }) => path)).toEqual(writes);
});

test("SESS-31 a page that fails leaves its handle where it was", async () => {
  quay.proxy.follow([]);
  const first = await quay.run("Boat[id]");
  quay.proxy.follow([{ fault: RESET, on: { first: 3 } }]);
  const page = `page(${first.next})`;
  const lost = await quay.more(page);
  expect([lost.code, quay.proxy.requests.length]).toEqual(["upstream_error", 3]);
  const second = await quay.more(page);
  const ids = [...first.rows, ...second.rows].map((row) => row["id"]);
  expect([second.code, new Set(ids).size, ids.length]).toEqual([null, 40, 40]);
});
