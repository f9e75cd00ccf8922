import type { RunAnswer, StreamEvent } from "@plasm/agent-core";
import { describe, expect, it } from "vitest";
import { problemIn, send } from "../testing/app-for.ts";

const PAIR = `${"a".repeat(64)}/${"b".repeat(32)}`;
const ADDRESS = { kind: "pair", promptHash: "a".repeat(64), sessionId: "b".repeat(32) };
const PLACE = `/execute/${PAIR}/operations/s0_o1`;

const EVENTS: readonly StreamEvent[] = [
  { event: "snapshot", id: 1, line: "s0_o1 + pc0 review" },
  { event: "progress", id: 7, line: "s0_o1 ~ step 3/8 · issues · 42 rows" },
  { event: "terminal", id: 8, line: "s0_o1 ! 120 rows" },
];

describe("GET …/operations/{handle} (SURF-16)", () => {
  it("answers the block of the operation without waiting", async () => {
    const view = { line: "s0_o1 ! 3 rows", op: { n: 4, "~": "!", r: 3 } };
    const asked: unknown[] = [];
    const operation = async (_: unknown, ...given: unknown[]) => {
      asked.push(given);
      return view;
    };
    const response = await send({ operation }, PLACE);
    expect([response.status, await response.json()]).toEqual([200, view]);
    expect(asked).toEqual([[ADDRESS, "s0_o1"]]);
  });
});

describe("GET …/operations/{handle}/stream (OPS-22, L40)", () => {
  const streamOf = (events: readonly StreamEvent[], seen: object[] = []) => ({
    watchOperation: async (...[, , , reader]: readonly unknown[]) => {
      seen.push({ after: (reader as { after: number | null }).after });
      return (async function* follow() {
        yield* events;
      })();
    },
  });

  it("sends each event with its number and its plain line, and closes after the last", async () => {
    const response = await send(streamOf(EVENTS), `${PLACE}/stream`);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toBe(
      "event: snapshot\nid: 1\ndata: s0_o1 + pc0 review\n\n" +
        "event: progress\nid: 7\ndata: s0_o1 ~ step 3/8 · issues · 42 rows\n\n" +
        "event: terminal\nid: 8\ndata: s0_o1 ! 120 rows\n\n",
    );
  });

  it.each([
    ["7", 7],
    ["x", null],
  ])("Last-Event-ID %s is the reader's last event: %s", async (id, after) => {
    const seen: object[] = [];
    const headers = { "last-event-id": id, accept: "text/event-stream" };
    await (await send(streamOf([], seen), `${PLACE}/stream`, { headers })).text();
    expect(seen).toEqual([{ after }]);
  });

  it("is an event stream or nothing", async () => {
    const headers = { accept: "application/json" };
    const response = await send(streamOf([]), `${PLACE}/stream`, { headers });
    expect(await problemIn(response)).toMatchObject({ status: 406 });
  });
});

describe("POST of a program that is accepted (OPS-13, L26)", () => {
  const answer: RunAnswer = {
    text: "wait(s0_o1) · verdict review · plan `pc0`",
    meta: { plan_commit_ref: "pc0", dry_verdict: "review", op: { n: 1, "~": "+" } },
    results: [],
    accepted: "s0_o1",
  };
  const run = async (): Promise<RunAnswer> => answer;

  it("is 202 with the place of its operation, in every format", async () => {
    for (const accept of ["application/json", "text/plain", "application/x-ndjson"]) {
      const sent = { json: { program: "Boat", wait: false }, headers: { accept } };
      const response = await send({ run }, `/execute/${PAIR}`, sent);
      expect([response.status, response.headers.get("location")]).toEqual([202, PLACE]);
    }
  });

  it("has its block beside the results (SURF-17)", async () => {
    const response = await send({ run }, `/execute/${PAIR}`, { json: { program: "Boat" } });
    const { op } = answer.meta;
    expect(await response.json()).toEqual({
      results: [],
      op,
      text: answer.text,
      _meta: { plasm: answer.meta },
    });
  });
});
