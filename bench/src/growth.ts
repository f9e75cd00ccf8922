import { compileProgram, parseProgram } from "@plasm/core";
import { Bench } from "tinybench";
import { fitPower, type Fit, type Point } from "./fit.ts";
import { TEN_STATEMENTS } from "./program.ts";
import { quayCatalog } from "./quay.ts";
import { wideExposure } from "./wide.ts";

/** One piece of work at growing sizes, and the fit through its times. */
export interface Growth {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly Point[];
  readonly fit: Fit;
}

interface Work {
  readonly name: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly at: (size: number) => () => unknown;
}

const KB = 1024;
const TEXT_SIZES = [1, 4, 16, 64, 256].map((kb) => kb * KB);

/** Text of `size` bytes made of one piece again and again, whole pieces only. */
const filled = (piece: string, size: number, before = "", after = ""): string =>
  before + piece.repeat(Math.floor((size - before.length - after.length) / piece.length)) + after;

const parsing = (name: string, textOf: (size: number) => string): Work => ({
  name: `parse ${name}`,
  unit: "bytes",
  sizes: TEXT_SIZES,
  at: (size) => {
    const text = textOf(size);
    return () => parseProgram(text);
  },
});

/** Shapes that a parser with a hidden square in it would take minutes for (LANG-001). */
const TEXTS: readonly Work[] = [
  parsing("statements", (size) => filled("Boat{state=lost, length>10}.limit(5)[id]\n", size)),
  parsing("one long list", (size) => filled("word,", size, "Boat{id in [", "x]}")),
  parsing("open brackets", (size) => filled("[", size, "Boat{id in ")),
  parsing("nested conditions", (size) => filled("any{", size, "Boat{")),
  parsing("heredoc openers", (size) => filled("<<", size)),
  parsing("unclosed heredocs", (size) => filled("<<T\n", size, "n = ")),
  parsing("quotes", (size) => filled('"', size, "Boat{id=")),
  parsing("one heredoc", (size) => filled("a line of text\n", size, "n = <<T\n", "T\nn")),
];

/** A program of ten statements in sessions of more and more entities. */
const SESSIONS: Work = {
  name: "parse, check, plan and hash",
  unit: "entities in the session",
  sizes: [5, 10, 25, 50, 100],
  at: (size) => {
    const exposure = wideExposure(quayCatalog(), size);
    const compiled = compileProgram(TEN_STATEMENTS, exposure);
    if (compiled.kind !== "plan") throw new Error(`No plan among ${size} entities`);
    return () => compileProgram(TEN_STATEMENTS, exposure);
  },
};

async function measure({ name, unit, sizes, at }: Work, time: number): Promise<Growth> {
  const bench = new Bench({ time, warmupTime: time / 4, iterations: 3, warmupIterations: 1 });
  for (const size of sizes) bench.add(String(size), at(size));
  await bench.run();
  const points = bench.tasks.map(({ name: size, result }) => {
    if (!("latency" in result)) throw new Error(`${name} at ${size} was not measured`);
    return { size: Number(size), ms: result.latency.p50 };
  });
  return { name, unit, points, fit: fitPower(points) };
}

/** How work grows with its input; `time` is spent on each size, in milliseconds. */
export async function measureGrowth(time: number): Promise<readonly Growth[]> {
  const growths: Growth[] = [];
  for (const work of [...TEXTS, SESSIONS]) growths.push(await measure(work, time));
  return growths;
}

const round = (value: number): number => Number(value.toPrecision(3));

/** A line for each piece of work: its exponent, and the times it is fitted through. */
export function growthTable(growths: readonly Growth[]): string {
  return growths
    .map(({ name, unit, points, fit }) => {
      const times = points.map(({ size, ms }) => `${size}: ${round(ms)} ms`).join(", ");
      return `size^${round(fit.exponent)} (r² ${round(fit.r2)})  ${name}, by ${unit}: ${times}`;
    })
    .join("\n");
}
