import { actingIn, HOSTILE_TEXTS } from "@plasm/testkit";
import { pino } from "pino";
import { expect, it } from "vitest";
import { LOCAL } from "@plasm/agent-core";
import { type CallRecord, logCall } from "./call-log.ts";
import { plainRecords } from "./logger.ts";

it("a record is one line of JSON in which nothing acts, and which says the same", () => {
  const lines: string[] = [];
  const logger = pino({ base: null }, plainRecords({ write: (line) => void lines.push(line) }));
  for (const { text } of HOSTILE_TEXTS) logger.warn({ err: new Error(text), tenant: text }, text);
  expect(lines).toHaveLength(HOSTILE_TEXTS.length);
  for (const [at, line] of lines.entries()) {
    expect(actingIn(line)).toEqual([]);
    expect(line.indexOf("\n")).toBe(line.length - 1);
    const { text } = HOSTILE_TEXTS[at] ?? { text: "" };
    expect(JSON.parse(line)).toMatchObject({ tenant: text, msg: text });
  }
});

it("SURF-28: what a call says is its session takes no more than its place", async () => {
  const records: CallRecord[] = [];
  const log = (one: CallRecord): void => void records.push(one);
  await logCall(log, LOCAL, "plasm", async (note) => {
    note.ref = "s".repeat(1_000_000);
  });
  expect(records[0]?.ref).toMatch(/^#[0-9a-f]{12}$/);
});
