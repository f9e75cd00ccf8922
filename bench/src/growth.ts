import { compileProgram, discover } from "@plasm/core";
import { parseProgram, parseTemplate } from "@plasm/core/internal";
import { Bench } from "tinybench";
import { fitPower, type Fit, type Point } from "./fit.ts";
import { TEN_STATEMENTS } from "./program.ts";
import { quayCatalog } from "./quay.ts";
import { nextWave, nextWaveAnew, WAVE_COUNTS } from "./session-waves.ts";
import { toldCatalog, toldIntent } from "./told-catalog.ts";
import { wideCatalog, wideExposure } from "./wide.ts";

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
const TEXT_SIZES: readonly number[] = [1, 4, 16, 64, 256].map((kb) => kb * KB);

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

const reading = (piece: string): Work => ({
  name: `read a template of ${piece}`,
  unit: "bytes",
  sizes: TEXT_SIZES,
  at: (size) => {
    const text = filled(piece, size);
    return () => parseTemplate(text);
  },
});

/** Templates whose tags, strings or comments are many, or never end (RUN-101). */
const TEMPLATES: readonly Work[] = [
  "{{ a.b | default('x') }} ",
  "{% if a %}b{% endif %}",
  "{# c #}",
  "{{",
  "{% set x = x.y %}",
  "{{ ' \\\" ",
  "{% x %}",
].map(reading);

/** A program that holds a template in error, told as errors of a session. */
const FAULTY_TEMPLATES: Work = {
  name: "check a program of one faulty template",
  unit: "bytes",
  sizes: TEXT_SIZES,
  at: (size) => {
    const exposure = wideExposure(quayCatalog(), 5);
    const program = filled("{{ zz }}", size, "Boat <<T\n", "\nT");
    return () => compileProgram(program, exposure);
  },
};

const INTENTS: Work = {
  name: "discover by one long word",
  unit: "characters",
  sizes: TEXT_SIZES,
  at: (size) => {
    const catalog = wideCatalog(20);
    const intent = "A".repeat(size / 2) + "a".repeat(size / 2);
    return () => discover({ intent }, [catalog], {});
  },
};

/** An intent over more and more entities, two capabilities each (TEACH-37). */
const CATALOGS: Work = {
  name: "discover by one intent",
  unit: "entities of the catalog",
  sizes: [10, 25, 50, 100, 200],
  at: (size) => {
    const catalog = wideCatalog(size);
    const intent = "list the things with a state and a size";
    return () => discover({ intent }, [catalog], {});
  },
};

/** A sentence with misspelt words, looked for among more and more words to mean (TEACH-37). */
const MISSPELT: Work = {
  name: "discover by misspelt words",
  unit: "entities of the catalog",
  sizes: [25, 50, 100, 200, 300],
  at: (size) => {
    const catalog = toldCatalog(size);
    const intent = toldIntent(size);
    return () => discover({ intent }, [catalog], {});
  },
};

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

/** A wave costs what it adds, whatever was taught before; a process that starts makes all once. */
const WAVES: readonly Work[] = [
  { name: "teach the next wave of a session", unit: "waves", sizes: WAVE_COUNTS, at: nextWave },
  { name: "teach it after a restart", unit: "waves", sizes: WAVE_COUNTS, at: nextWaveAnew },
];

async function measure(work: Work, time: number, iterations: number): Promise<Growth> {
  const { name, unit, sizes, at } = work;
  const bench = new Bench({ time, warmupTime: time / 4, iterations, warmupIterations: 1 });
  for (const size of sizes) bench.add(String(size), at(size));
  await bench.run();
  const points = bench.tasks.map(({ name: size, result }) => {
    if (!("latency" in result)) throw new Error(`${name} at ${size} was not measured`);
    return { size: Number(size), ms: result.latency.p50 };
  });
  return { name, unit, points, fit: fitPower(points) };
}

const ALL: readonly Work[] = [
  ...TEXTS,
  ...TEMPLATES,
  FAULTY_TEMPLATES,
  INTENTS,
  CATALOGS,
  MISSPELT,
  SESSIONS,
  ...WAVES,
];

export interface GrowthOptions {
  /** spent on each size, in milliseconds */
  readonly time: number;
  /** of each size at least */
  readonly iterations?: number;
  /** sizes of texts, in bytes */
  readonly textSizes?: readonly number[];
}

/** How work grows with its input. */
export async function measureGrowth(options: GrowthOptions): Promise<readonly Growth[]> {
  const { time, iterations = 3, textSizes = TEXT_SIZES } = options;
  const growths: Growth[] = [];
  for (const work of ALL) {
    const sizes = work.sizes === TEXT_SIZES ? textSizes : work.sizes;
    growths.push(await measure({ ...work, sizes }, time, iterations));
  }
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
