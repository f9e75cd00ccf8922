import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { countsInLinearTime, tokenCounter } from "./tokens.ts";

const pieces: string[] = [];
const recorded = countsInLinearTime((text) => {
  pieces.push(text);
  return 1;
});

/** A number in letters. */
const wordOf = (n: number): string =>
  [...String(n)].map((digit) => "bcdfghjklm"[Number(digit)]).join("");

describe("tokenCounter", () => {
  it.each([
    ["words", "one boat lies at the pier\n".repeat(400)],
    ["a run just short of long", `${"z".repeat(511)} ${"z".repeat(511)}`],
  ])("counts %s in one piece, exactly", (_, text) => {
    pieces.length = 0;
    expect(recorded(text)).toBe(1);
    expect(pieces).toEqual([text]);
  });

  it.each([
    ["letters", "z".repeat(5_000)],
    ["signs", "=".repeat(5_000)],
    ["blanks", " ".repeat(5_000)],
    ["letters of another script", "漢".repeat(5_000)],
  ])("counts a run of %s in pieces that lose nothing", (_, text) => {
    pieces.length = 0;
    recorded(`a b\n${text}\nc d`);
    expect(pieces.join("")).toBe(`a b\n${text}\nc d`);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(512);
  });

  it("counts a megabyte without a break", async () => {
    const count = await tokenCounter();
    const [once, often] = [count("z".repeat(512)), count("z".repeat(1_048_576))];
    expect(often).toBe(once * 2_048);
  });

  it("18: keeps neither the texts that it counted nor their words", async () => {
    const count = await tokenCounter();
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const bytes = 20_000;
    const filler = "information ".repeat(bytes / 12);
    const countNew = (from: number, to: number): void => {
      // A word that is in no vocabulary, and is remembered as a slice of its text.
      for (let n = from; n < to; n += 1) count(`${filler}${"qzxwkvjpqzxw"}${wordOf(n)} end`);
    };
    countNew(0, 100);
    const before = used();
    countNew(100, 600);
    expect(used() - before).toBeLessThan((500 * bytes) / 5);
  });
});
