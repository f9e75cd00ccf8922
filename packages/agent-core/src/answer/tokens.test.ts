import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { costWithin, countsInLinearTime, Tally, tokenCounter } from "./tokens.ts";
import { layoutResult } from "./layout.ts";

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

const aText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ minLength: 500, maxLength: 1_100 }),
  fc.constantFrom(
    "",
    "a".repeat(600),
    `${"a".repeat(511)}\u{1f6a2}`,
    "\ud800".repeat(513),
    "\t \n",
  ),
);

test("SURF-12 a tally takes what counting each text takes, and comes to the same", async () => {
  const count = await tokenCounter();
  fc.assert(
    fc.property(
      fc.array(aText, { maxLength: 12 }),
      fc.nat(900),
      fc.nat(2),
      (texts, budget, least) => {
        const tally = new Tally(budget, count);
        let tokens = 0;
        for (const [at, text] of texts.entries()) {
          const cost = costWithin(text, Math.max(0, budget - tokens), count);
          const fits = tokens + cost <= budget || at < least;
          expect(tally.take(text, at < least)).toBe(fits);
          if (fits) tokens += cost;
        }
        expect(tally.tokens).toBe(tokens);
      },
    ),
  );
});

test("what surely fits is counted when somebody asks", async () => {
  const exact = await tokenCounter();
  let counted = 0;
  const count = (text: string): number => {
    counted += 1;
    return exact(text);
  };
  const rows = Array.from({ length: 40 }, (_none, at) => ({ id: `b${at}`, name: "Alma" }));
  const layout = layoutResult({ columns: ["id", "name"], keys: ["id"], rows }, 4_000, count);
  expect([layout.shown, counted]).toEqual([40, 0]);
  const lines = [layout.header, ...layout.lines.map((line) => `${line}\n`)];
  expect(layout.tokens).toBe(lines.reduce((sum, line) => sum + exact(line), 0));
  expect(counted).toBe(41);
});
