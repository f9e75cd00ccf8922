import { Buffer } from "node:buffer";
import {
  ALL_FEATURES,
  type Catalog,
  compileProgram,
  foldWaves,
  formatErrors,
  openCatalog,
  type Plan,
} from "@plasm/core";
import { DEFAULT_LIMITS, envSecrets, runPlan, type RunOutcome, systemClock } from "@plasm/runtime";

/** What a kind of local step costs, by the clock and by its price. */
interface WorkPrice {
  readonly name: string;
  /** units of the budget `work` that it was charged, its read aside */
  readonly units: number;
  /** microseconds of CPU that each of them was */
  readonly us_a_unit: number;
}

const DOMAIN = `
version: 1
http_backend: https://api.heap.example
values:
  text: { type: string, string_semantics: short }
  number: { type: integer }
  exact: { type: number }
  day: { type: date, value_format: iso8601_date }
entities:
  Stone:
    id_field: id
    fields: { id: { value_ref: text }, size: { value_ref: number }, kind: { value_ref: text }, mass: { value_ref: exact }, note: { value_ref: text }, found: { value_ref: day } }
capabilities:
  stone_query: { kind: query, entity: Stone, parameters: [], provides: [id, size, kind, mass, note, found] }
`;
const MAPPINGS =
  "stone_query: { method: GET, path: [{ type: literal, value: stones }], query: { type: object, fields: [] }, response: { items: rows } }\n";

const many = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(", ");

/** The same step so often, a little different each time, over the rows of one read. */
const times = (count: number, step: (at: number) => string): string =>
  `a = Stone\n${many(count, (at) => `a${step(at)}.limit(1)`)}`;

/** A kind of step: a program of enough of it that its read is little beside it. */
interface Kind {
  readonly name: string;
  readonly program: string;
  /** over rows with long texts */
  readonly long?: true;
}

const loop = (body: string): string =>
  `Stone <<T\n{% for r in rows %}${body.repeat(12)}{% endfor %}\nT`;

const KINDS: readonly Kind[] = [
  {
    name: "conditions on numbers",
    program: `Stone.filter{any{${many(500, (at) => `size>${at + 10}`)}}}`,
  },
  {
    name: "conditions on exact numbers",
    program: `Stone.filter{any{${many(500, (at) => `mass=${at}.0625`)}}}`,
  },
  {
    name: "conditions on texts",
    program: `Stone.filter{any{${many(500, (at) => `kind=k${at}`)}}}`,
  },
  {
    name: "conditions on order of texts",
    program: `Stone.filter{any{${many(500, (at) => `kind<a${at}`)}}}`,
  },
  {
    name: "conditions on dates",
    program: `Stone.filter{any{${many(90, (at) => `found>21${at + 10}-01-01`)}}}`,
  },
  {
    name: "conditions that search texts",
    program: `Stone.filter{any{${many(300, (at) => `kind~"q${at}q"`)}}}`,
  },
  {
    name: "conditions that search long texts",
    program: `Stone.filter{any{${many(40, (at) => `note~"q${at}q"`)}}}`,
    long: true,
  },
  {
    name: "lists of in",
    program: times(12, (at) => `.filter{kind in [${many(2_000, (n) => `x${n + at}`)}]}`),
  },
  { name: "sort keys", program: `Stone.sort(${many(400, () => "kind")}, size)` },
  { name: "sorts by a number", program: times(40, (at) => `.filter{size<${at + 10}}.sort(mass)`) },
  { name: "sorts by a text", program: times(40, (at) => `.filter{size<${at + 10}}.sort(id)`) },
  { name: "sorts by a date", program: times(20, (at) => `.filter{size<${at + 10}}.sort(found)`) },
  {
    name: "sorts by long texts with one beginning",
    program: times(10, (at) => `.filter{size<${at + 10}}.sort(note)`),
    long: true,
  },
  { name: "sums", program: `Stone.aggregate(${many(300, (at) => `a${at}=sum(mass)`)})` },
  { name: "greatest texts", program: `Stone.aggregate(${many(300, (at) => `a${at}=max(kind)`)})` },
  { name: "latest dates", program: `Stone.aggregate(${many(100, (at) => `a${at}=max(found)`)})` },
  {
    name: "groups",
    program: times(30, (at) => `.filter{size<${at + 10}}.group_by(id, kind, size, n=count)`),
  },
  {
    name: "groups of many aggregates",
    program: `Stone.group_by(kind, ${many(200, (at) => `a${at}=max(size)`)})`,
  },
  {
    name: "distinct rows",
    program: times(30, (at) => `.filter{size<${at + 10}}.distinct(id, size, mass)`),
  },
  {
    name: "columns",
    program: times(30, (at) => `.filter{size<${at + 10}}[id, size, kind, mass, found].sort(size)`),
  },
  { name: "derived cells", program: `Stone => {${many(100, (at) => `a${at}: _.mass`)}}` },
  {
    name: "derived objects",
    program: `Stone => {${many(20, (at) => `a${at}: {b: [_.mass, _.size], c: _.kind}`)}}`,
  },
  { name: "a template of sums", program: loop("{% set x = r.size * 3 + 1 %}") },
  {
    name: "a template of texts",
    program: loop("{{ r.kind | upper }}{{ r.id | replace('s', 't') }}"),
  },
  {
    name: "a template of conditions",
    program: loop("{% if r.kind in 'gneiss slate' and r.size > 3 %}x{% endif %}"),
  },
];

function stoneCatalog(): Catalog {
  const { catalog, diagnostics } = openCatalog({
    entryId: "heap",
    domain: { file: "domain.yaml", text: DOMAIN },
    mappings: { file: "mappings.yaml", text: MAPPINGS },
    functions: [],
  });
  if (catalog === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return catalog;
}

function planOf(catalog: Catalog, program: string): Plan {
  const catalogs = new Map([[catalog.entryId, catalog]]);
  const { entryId, digest, cgs } = catalog;
  const log = [{ entryId, digest, entities: [...cgs.entities.keys()] }];
  const symbols = foldWaves(log, catalogs);
  const exposure = { catalogs, log, symbols, notation: "names", policy: {} } as const;
  const compiled = compileProgram(program, exposure, { features: ALL_FEATURES });
  if (compiled.kind === "plan") return compiled.plan;
  throw new Error(compiled.kind === "errors" ? formatErrors(compiled) : "a continuation");
}

const LONG = "a note that begins like all the others, word for word, ".repeat(20);

function stones(rows: number, note: string): Buffer {
  const stone = (at: number): object => ({
    id: `s${(at * 7919) % 10_007}`,
    size: at % 7,
    kind: "gneiss",
    mass: ((at * 31) % 997) / 8,
    note: `${note}${(at * 7919) % 10_007}`,
    found: `2026-01-${String(1 + (at % 28)).padStart(2, "0")}`,
  });
  return Buffer.from(JSON.stringify({ rows: Array.from({ length: rows }, (_, at) => stone(at)) }));
}

function runner(rows: number, note: string): (program: string) => Promise<RunOutcome> {
  const catalog = stoneCatalog();
  const body = stones(rows, note);
  const response = { status: 200, headers: [["content-type", "application/json"]] as const, body };
  const ports = {
    transport: {
      send: () => Promise.resolve({ ok: true as const, response }),
      close: () => Promise.resolve(),
    },
    secrets: envSecrets({}),
    clock: systemClock,
    ids: { id: () => "id", random: () => 0.5 },
    functions: new Map(),
  };
  const plans = new Map<string, Plan>();
  const plan = (program: string): Plan => {
    const known = plans.get(program) ?? planOf(catalog, program);
    plans.set(program, known);
    return known;
  };
  return (program) =>
    runPlan({
      plan: plan(program),
      catalogs: new Map([[catalog.entryId, catalog]]),
      backends: new Map(),
      ports,
      limits: { ...DEFAULT_LIMITS, rows, bytes: 2 * body.length },
      credentials: { tenant: "bench" },
      startedAt: Date.UTC(2026, 0, 5, 12),
      runId: "bench",
    });
}

interface Ran {
  readonly units: number;
  /** of CPU, in microseconds */
  readonly us: number;
}

/** The quickest of so many runs of a program. */
async function timed(
  run: (program: string) => Promise<RunOutcome>,
  program: string,
  repeats: number,
): Promise<Ran> {
  let best: Ran | null = null;
  for (let at = 0; at < repeats; at++) {
    const before = process.threadCpuUsage();
    const { budget, nodes } = await run(program);
    const { user, system } = process.threadCpuUsage(before);
    const failed = nodes.find(({ error }) => error !== null)?.error;
    if (failed !== undefined && failed !== null) throw new Error(`${program}: ${failed.message}`);
    if (best === null || user + system < best.us) best = { units: budget.work, us: user + system };
  }
  return best ?? { units: 0, us: 0 };
}

const READ = "Stone.aggregate(n=count)";

/**
 * What a unit of each kind of step takes in CPU, over so many rows: beside a run that only reads and counts them, on
 * the same machine at the same time. A price is honest where kinds differ by little.
 */
export async function measureWork(rows: number, repeats = 3): Promise<readonly WorkPrice[]> {
  const short = runner(rows, "");
  const long = runner(rows, LONG);
  const prices: WorkPrice[] = [];
  for (const kind of KINDS) {
    const run = kind.long === true ? long : short;
    // The compiler of the language warms up on the first.
    if (repeats > 1) await run(kind.program);
    const read = await timed(run, READ, repeats);
    const whole = await timed(run, kind.program, repeats);
    const units = whole.units - read.units;
    const us = Math.max(0, whole.us - read.us);
    prices.push({ name: kind.name, units, us_a_unit: us / Math.max(1, units) });
  }
  return prices;
}

/** A line for each kind: its price by the clock, and how that compares with the middle one. */
export function workTable(prices: readonly WorkPrice[]): string {
  const sorted = prices.map((price) => price.us_a_unit).toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 1;
  return prices
    .map(({ name, units, us_a_unit }) => {
      const ratio = (us_a_unit / middle).toPrecision(2).padStart(6);
      return `${ratio}x  ${us_a_unit.toPrecision(2).padStart(6)} µs a unit  ${name} (${units} units)`;
    })
    .join("\n");
}
