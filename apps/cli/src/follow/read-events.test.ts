import { describe, expect, it } from "vitest";
import { readEvents, type ReceivedEvent } from "./read-events.ts";

async function* cutAt(text: string, ...places: readonly number[]): AsyncGenerator<string> {
  let before = 0;
  for (const place of [...places, text.length]) {
    yield text.slice(before, place);
    before = place;
  }
}

async function read(text: string, ...places: readonly number[]) {
  const events: ReceivedEvent[] = [];
  for await (const event of readEvents(cutAt(text, ...places))) events.push(event);
  return events;
}

const STREAM =
  "event: snapshot\nid: 1\ndata: s0_o1 + pc0 review\n\n" +
  ":\n\n" +
  "event: terminal\r\nid: 8\r\ndata: s0_o1 ! 120 rows\r\n\r\n";

const EVENTS = [
  { event: "snapshot", id: "1", data: "s0_o1 + pc0 review" },
  null,
  { event: "terminal", id: "8", data: "s0_o1 ! 120 rows" },
];

describe("server-sent events (OPS-22)", () => {
  it("are read wherever the text is cut", async () => {
    for (let first = 0; first < STREAM.length; first += 1) {
      expect(await read(STREAM, first)).toEqual(EVENTS);
      expect(await read(STREAM, first, first + 1)).toEqual(EVENTS);
    }
  });

  it.each([
    ["data:a\ndata: b\n\n", [{ event: "message", id: null, data: "a\nb" }]],
    ["event: x\n\n", [null]],
    ["data\n\n", [{ event: "message", id: null, data: "" }]],
    ["data: a: b\n\n", [{ event: "message", id: null, data: "a: b" }]],
    ["data: not whole\n", []],
    ["", []],
  ])("%j", async (text, events) => expect(await read(text)).toEqual(events));

  it("18.14 are read in proportion to their length, in however many pieces they come", async () => {
    const cpuOf = async (length: number) => {
      const text = `data: ${"x".repeat(length)}\n\n`;
      const cuts = Array.from({ length: Math.floor(length / 100) }, (_, at) => 100 * (at + 1));
      const before = process.cpuUsage();
      expect(await read(text, ...cuts)).toHaveLength(1);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    const few = Math.min(await cpuOf(100_000), await cpuOf(100_000));
    // Each piece looked at all before it: sixteen times as much.
    expect(Math.min(await cpuOf(400_000), await cpuOf(400_000))).toBeLessThan(9 * few + 20);
  });
});
