import { actingIn, halfPairsIn } from "@plasm/testkit";
import { expect } from "vitest";

/** What came out of a place, if nothing in it acts; else the test fails with what does. */
export function looked(text: string, place: string): string {
  expect(actingIn(text), place).toEqual([]);
  expect(halfPairsIn(text), place).toBe(0);
  return text;
}

/** An event of a stream as its reader has it. */
interface StreamEvent {
  readonly event: string;
  readonly data: string;
}

/**
 * Reads a stream of events back as whoever knows nothing but its standard would: CR, LF and both are line
 * ends. Throws for a line that is none of ours.
 */
export const eventsIn = (text: string): readonly StreamEvent[] =>
  text
    .split(/\r\n\r\n|\n\n|\r\r/)
    // A comment says that the connection stands.
    .filter((block) => block !== "" && block !== ":")
    .map((block) => {
      const lines = block.split(/\r\n|\n|\r/);
      const [, event] = /^event: (\w+)$/.exec(lines[0] ?? "") ?? [];
      const [, data] = /^data: (.*)$/u.exec(lines[2] ?? "") ?? [];
      const whole = lines.length === 3 && /^id: \d+$/.test(lines[1] ?? "");
      if (!whole || event === undefined || data === undefined) {
        throw new Error(`no event of ours: ${JSON.stringify(block)}`);
      }
      return { event, data };
    });
