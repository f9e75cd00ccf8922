import type { Problem } from "@plasm/agent-core";
import { problem } from "@plasm/agent-core/internal";
import type { JsonObject } from "@plasm/core";
import { problemResponse } from "@plasm/host";
import { actingIn, halfPairsIn, HOSTILE_KEYS, HOSTILE_TEXTS } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { eventStream, jsonResponse } from "./responses.ts";
import { programAnswer } from "../routes/program.ts";

const members = (text: string): JsonObject => ({
  [text]: [text, { name: text }],
  keys: Object.fromEntries(HOSTILE_KEYS.map((key) => [key, text])),
});

async function* oneEvent(line: string) {
  yield { event: "snapshot", id: 1, line };
}

/** Every body that is JSON, or holds some. */
const BODIES: readonly (readonly [name: string, of: (value: JsonObject) => Response])[] = [
  ["JSON", jsonResponse],
  [
    "the answer of a program",
    (value) => programAnswer({ text: "", meta: { value } }, [], "application/json"),
  ],
  [
    "a problem",
    (value) =>
      problemResponse({ ...problem("plasm-internal", ""), meta: { value } as Problem["meta"] }),
  ],
  ["an event", (value) => eventStream(oneEvent(JSON.stringify(value)), () => undefined)],
];

/** The same JSON as its reader has it. */
const read = (body: string): string =>
  JSON.stringify(JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body));

describe.each(BODIES)("P16: %s that holds anything", (_name, of) => {
  it.each(HOSTILE_TEXTS)("$name: nothing acts, and it is the same JSON", async ({ text }) => {
    const value = members(text);
    const body = await of(value).text();
    expect([actingIn(body), halfPairsIn(body)]).toEqual([[], 0]);
    expect(read(body)).toContain(JSON.stringify(value));
  });
});
