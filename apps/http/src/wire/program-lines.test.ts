import { actingIn, HOSTILE_KEYS, HOSTILE_TEXTS } from "@plasm/testkit";
import { expect, it } from "vitest";
import { programAnswer } from "../routes/program.ts";

/** Readers differ in what ends a line: these are all that any of them takes for one. */
// oxlint-disable-next-line no-control-regex -- naming them is the point
const LINE = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/;

it("SURF-17: whatever rows hold, ndjson has one line for each, and for the meta", async () => {
  const free = Object.fromEntries(HOSTILE_KEYS.map((key) => [key, key]));
  const rows = HOSTILE_TEXTS.map(({ text }) => ({ [text]: text, id: text, free }));
  const result = {
    name: "boats",
    columns: ["id"],
    rows,
    row_count: rows.length,
    partial: null,
    snapshot: null,
    next: null,
  };
  const meta = { note: HOSTILE_TEXTS.map(({ text }) => text) };
  const response = programAnswer({ text: "", meta }, [result], "application/x-ndjson");
  const text = await response.text();
  expect(actingIn(text)).toEqual([]);
  const lines = text.split(LINE);
  expect(lines.pop()).toBe("");
  const read = lines.map((line) => JSON.parse(line) as unknown);
  expect(read).toEqual([
    ...rows.map((row) => ({ result: "boats", row })),
    { _meta: { plasm: meta } },
  ]);
});
