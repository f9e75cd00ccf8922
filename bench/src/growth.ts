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
  /** the exponent that it may have at most */
  readonly most: number;
  readonly points: readonly Point[];
  readonly fit: Fit;
}

/**
 * The exponent of what is done once for each of so many, where a plain list grows by its size: what that grows by more, since
 * memory is larger than caches, is added.
 */
export const LINEAR = 1.05;
/** The exponent of what must cost the same, however much there is. */
export const FLAT = 0.1;

/** Work at one size, ready to be done again and again. */
export interface OpenWork {
  readonly call: () => unknown;
  readonly close?: () => Promise<void>;
}

/** Work whose cost is to grow no faster than its size does. */
export interface SizedWork extends Pick<Growth, "name" | "unit" | "most"> {
  readonly sizes: readonly number[];
  /** of how many of its kind a call is, where the time of one is told */
  readonly per?: (size: number) => number;
  readonly open: (size: number) => OpenWork | Promise<OpenWork>;
}

/** Work of the pure half, which nothing has to be closed for. */
interface Work extends Pick<Growth, "name" | "unit" | "most"> {
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
  most: LINEAR,
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
  most: LINEAR,
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
  most: LINEAR,
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
  most: LINEAR,
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
  most: LINEAR,
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
  most: LINEAR,
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
  most: FLAT,
  sizes: [10, 30, 100, 300, 1_000],
  at: (size) => {
    const exposure = wideExposure(quayCatalog(), size);
    const compiled = compileProgram(TEN_STATEMENTS, exposure);
    if (compiled.kind !== "plan") throw new Error(`No plan among ${size} entities`);
    return () => compileProgram(TEN_STATEMENTS, exposure);
  },
};

/** Programs of more and more statements. */
const PROGRAMS: Work = {
  name: "parse, check, plan and hash",
  unit: "statements",
  most: LINEAR,
  sizes: [5, 20, 50, 200],
  at: (size) => {
    const exposure = wideExposure(quayCatalog(), 5);
    const program = Array.from(
      { length: size },
      (_none, at) => `a${at} = Boat{length>${at}}.limit(5)[id]`,
    ).join("\n");
    const compiled = compileProgram(`${program}\na0`, exposure);
    if (compiled.kind !== "plan") throw new Error(`No plan of ${size} statements`);
    return () => compileProgram(`${program}\na0`, exposure);
  },
};

/** Catalogs of two capabilities an entity. */
const LOADING: Work = {
  name: "load and check a catalog",
  unit: "capabilities",
  most: LINEAR,
  sizes: [200, 500, 1_000, 4_000],
  at: (size) => () => wideCatalog(size / 2),
};

/** A wave costs what it adds, whatever was taught before; a process that starts makes all once. */
const WAVES: readonly Work[] = [
  {
    name: "teach the next wave of a session",
    unit: "waves",
    most: FLAT,
    sizes: WAVE_COUNTS,
    at: nextWave,
  },
  {
    name: "teach it after a restart",
    unit: "waves",
    most: LINEAR,
    sizes: WAVE_COUNTS,
    at: nextWaveAnew,
  },
];

/** The same as work that is opened. */
const opened = ({ at, ...work }: Work): SizedWork => ({
  ...work,
  open: (size) => ({ call: at(size) }),
});

/** The middle time of a call; sizes are measured one after the other, since what they work on is large. */
async function timeOf(
  work: OpenWork,
  { time, iterations }: Required<Pick<GrowthOptions, "time" | "iterations">>,
): Promise<number> {
  const bench = new Bench({ time, warmupTime: time / 4, iterations, warmupIterations: 1 });
  bench.add("work", async () => void (await work.call()));
  await bench.run();
  const [result] = bench.tasks.map((task) => task.result);
  if (result === undefined || !("latency" in result)) {
    throw new Error("Not measured", {
      cause: result !== undefined && "error" in result ? result.error : result,
    });
  }
  return result.latency.p50;
}

async function measure(
  { name, unit, most, sizes, per = () => 1, open }: SizedWork,
  options: Required<Pick<GrowthOptions, "time" | "iterations">>,
): Promise<Growth> {
  const points: Point[] = [];
  for (const size of sizes) {
    const work = await open(size);
    try {
      points.push({ size, ms: (await timeOf(work, options)) / per(size) });
    } catch (cause) {
      throw new Error(`${name} of ${size} ${unit}`, { cause });
    } finally {
      await work.close?.();
    }
  }
  return { name, unit, most, points, fit: fitPower(points) };
}

/** What every program pays for size alone: a list of small objects, each with a text of its own. */
const PLAIN: Work = {
  name: "make a plain list of small objects",
  unit: "objects",
  most: Infinity,
  sizes: TEXT_SIZES,
  at: (length) => () =>
    Array.from({ length }, (_none, at) => ({ kind: "token", at, text: `t${at}`, next: null })),
};

const ALL: readonly Work[] = [
  ...TEXTS,
  ...TEMPLATES,
  FAULTY_TEMPLATES,
  INTENTS,
  CATALOGS,
  MISSPELT,
  LOADING,
  SESSIONS,
  PROGRAMS,
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

/** How work grows with its input: that of the pure half, and what else is given. */
export async function measureGrowth(
  options: GrowthOptions,
  more: readonly SizedWork[] = [],
): Promise<readonly Growth[]> {
  const { time, iterations = 3, textSizes = TEXT_SIZES } = options;
  const measured = (work: SizedWork): Promise<Growth> => {
    const sizes = work.sizes === TEXT_SIZES ? textSizes : work.sizes;
    return measure({ ...work, sizes }, { time, iterations });
  };
  const plain = await measured(opened(PLAIN));
  const { exponent } = plain.fit;
  const linear = LINEAR + Math.max(0, exponent - 1);
  const growths: Growth[] = [{ ...plain, most: exponent }];
  for (const work of [...ALL.map(opened), ...more]) {
    const most = work.most === LINEAR ? linear : work.most;
    growths.push(await measured({ ...work, most }));
  }
  return growths;
}

/** What grows faster than it may. */
export const tooFast = (growths: readonly Growth[]): readonly Growth[] =>
  growths.filter(({ fit, most }) => fit.exponent > most);

const round = (value: number): number => Number(value.toPrecision(3));

/** A line for each piece of work: its exponent, and the times it is fitted through. */
export function growthTable(growths: readonly Growth[]): string {
  return growths
    .map(({ name, unit, most, points, fit }) => {
      const over = fit.exponent > most ? `  OVER ${round(most)}` : "";
      const times = points.map(({ size, ms }) => `${size}: ${round(ms)} ms`).join(", ");
      return `size^${round(fit.exponent)} (r² ${round(fit.r2)})  ${name}, by ${unit}: ${times}${over}`;
    })
    .join("\n");
}
