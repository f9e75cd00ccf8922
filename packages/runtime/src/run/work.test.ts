import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import type { Ports } from "../ports.ts";
import { catalogOf, goOn, quickClock, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";
import { runText } from "../testing/run-text.ts";
import type { RunOutcome, RunResult } from "./run-types.ts";

const CATALOG = catalogOf(
  "heap",
  `
version: 1
http_backend: https://api.heap.example
values:
  text: { type: string, string_semantics: short }
  number: { type: integer }
  stone: { type: entity_ref, target: Stone }
entities:
  Stone:
    id_field: id
    fields: { id: { value_ref: text }, size: { value_ref: number }, kind: { value_ref: text }, quarry: { value_ref: text } }
    relations:
      near: { target: Stone, cardinality: many, materialize: { kind: query_scoped, capability: stones_near, param: stone } }
capabilities:
  stone_query: { kind: query, entity: Stone, parameters: [], provides: [id, size, kind, quarry] }
  stones_near: { kind: query, entity: Stone, parameters: [{ name: stone, value_ref: stone, role: scope, required: true }], provides: [id, size, kind, quarry] }
  stone_get: { kind: get, entity: Stone }
  stone_mark: { kind: action, entity: Stone, output: { type: side_effect, description: it is marked } }
`,
  `stone_query: { method: GET, path: [{ type: literal, value: stones }], query: { type: object, fields: [] }, response: { items: rows } }
stones_near: { method: GET, path: [{ type: literal, value: stones }, { type: var, name: stone }, { type: literal, value: near }], response: { items: rows } }
stone_get: { method: GET, path: [{ type: literal, value: stones }, { type: var, name: id }] }
stone_mark: { method: POST, path: [{ type: literal, value: stones }, { type: var, name: id }] }
`,
);

const ROWS = 1_000;

/** An API that answers every request with so many rows, and how often it was asked. */
function heap(count = ROWS, note = "gneiss"): Setting & { readonly asked: () => number } {
  const stone = (at: number): object => ({ id: `s${at}`, size: at % 7, kind: note, quarry: "q" });
  const rows = Array.from({ length: count }, (_, at) => stone(at));
  const body = Buffer.from(JSON.stringify({ rows }));
  const response = { status: 200, headers: [["content-type", "application/json"]] as const, body };
  let asked = 0;
  const transport: Ports["transport"] = {
    send: () => {
      asked += 1;
      return Promise.resolve({ ok: true, response });
    },
    close: () => Promise.resolve(),
  };
  return { catalogs: [CATALOG], backends: {}, transport, asked: () => asked };
}

const many = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join(", ");

const ids = (result: RunResult | undefined): readonly unknown[] =>
  (result?.rows ?? []).map(({ values }) => values["id"]);

/** How a run ended: what stopped it, how much it gave, what it says of itself, and what it worked. */
const ending = ({ stopped, results, nodes, budget }: RunOutcome): readonly unknown[] => [
  stopped,
  results.map(({ partial, rows }) => [partial, rows.length]),
  nodes.map(({ error, partial }) => error?.code ?? partial),
  budget.work,
];

/** Programs of the issue's attack, whose work is far more than what their rows and text are. */
const HOSTILE: readonly (readonly [what: string, program: string])[] = [
  ["conditions", `Stone.filter{any{${many(400, (at) => `size>${at + 10}`)}}}`],
  ["conditions of a read", `Stone{any{${many(400, (at) => `size>${at + 10}`)}}}`],
  ["sort keys", `Stone.sort(${many(200, () => "kind")})`],
  ["aggregates", `Stone.aggregate(${many(200, (at) => `a${at}=max(size)`)})`],
  ["groups", `Stone.group_by(kind, ${many(200, (at) => `a${at}=max(size)`)})`],
  ["keys of distinct rows", `Stone.distinct(${many(200, () => "kind")})`],
  ["derived cells", `Stone => {${many(50, (at) => `a${at}: _.size`)}}`],
  ["columns", "Stone[id, size, kind, quarry].limit(1000)"],
  [
    "a template",
    "Stone <<T\n{% for r in rows %}{% for q in [1, 2, 3, 4, 5, 6, 7, 8] %}{% set x = q * r.size %}{% endfor %}{% endfor %}\nT",
  ],
  [
    "a dear filter of a template",
    "Stone <<T\n{% for r in rows %}{{ r.kind | upper | lower | upper | lower }}{% endfor %}\nT",
  ],
];

describe("PLAN-053, 18.14: work is counted by what is done", () => {
  test.each(HOSTILE)("%s: stops at the same place each time, and says so", async (_, program) => {
    const most = 400;
    const limited = { ...heap(), limits: { work: most } };
    const first = await runText(limited, program);
    const again = await runText(limited, program);
    expect(ending(again)).toEqual(ending(first));
    const last = first.nodes.at(-1);
    expect([last?.partial, last?.error?.code]).toContain(
      last?.error === null ? "work" : "budget_exceeded",
    );
    const whole = await runText(heap(), program);
    expect(whole.budget.work).toBeGreaterThan(most);
    expect(whole.nodes.map(({ error, partial }) => error ?? partial)).toEqual(
      whole.nodes.map(() => null),
    );
  });

  test("what a run of few rows does is a few units", async () => {
    const { budget } = await runText(heap(20), "Stone.filter{size>3}.sort(size)[id, size]");
    expect(budget.work).toBeGreaterThan(0);
    expect(budget.work).toBeLessThan(50);
  });

  test("long texts cost what they are long", async () => {
    const program = `Stone.filter{any{${many(20, (at) => `kind~"q${at}"`)}}}.aggregate(n=count)`;
    const short = await runText(heap(100), program);
    const long = await runText(heap(100, "gneiss ".repeat(1_000)), program);
    expect(long.budget.work).toBeGreaterThan(10 * short.budget.work);
  });

  test("lists of in are looked through once, and cost that", async () => {
    const program = `Stone.filter{kind in [${many(5_000, (at) => `s${at}`)}]}.aggregate(n=count)`;
    const { budget } = await runText(heap(10), program);
    expect(budget.work).toBeGreaterThan(1_500);
    expect(budget.work).toBeLessThan(2_000);
  });
});

describe("PLAN-053, PLAN-051: what a run without work left answers", () => {
  const filter = `Stone.filter{any{size<5, ${many(99, (at) => `size>${at + 10}`)}}}`;
  const read = `Stone{any{size<5, ${many(99, (at) => `size>${at + 10}`)}}}`;

  test("a filter: the rows that it came to, partial, and a cursor that goes on to all of them", async () => {
    const limited = { ...heap(), limits: { work: 5_000 } };
    const plan = planProgram(`${filter}.limit(700)`, [CATALOG]);
    const first = await run(limited, plan.nodes, plan.returns);
    const whole = await run(heap(), plan.nodes, plan.returns);
    expect([first.status, first.stopped, first.results[0]?.partial]).toEqual([
      "succeeded",
      "work",
      "work",
    ]);
    const all: unknown[] = [...ids(first.results[0])];
    let cursor = first.results[0]?.cursor ?? null;
    let pages = 1;
    for (; cursor !== null && pages < 20; pages += 1) {
      const next = await goOn(limited, cursor, 1_000);
      if (next.status === "failed") throw new Error(next.error.message);
      all.push(...ids(next.result));
      cursor = next.result.cursor;
    }
    expect(all).toEqual(ids(whole.results[0]));
    expect(ids(first.results[0]).length).toBeGreaterThan(200);
    expect(pages).toBeLessThan(12);
  });

  test.each<[string, string]>([
    ["a read's own condition", `${read}.limit(700)`],
    [
      "rows of a relation",
      `Stone("s1").near{any{size<5, ${many(99, (at) => `size>${at + 10}`)}}}.limit(700)`,
    ],
  ])("%s: as a filter", async (_, text) => {
    const plan = planProgram(text, [CATALOG]);
    const limited = { ...heap(), limits: { work: 5_000 } };
    const first = await run(limited, plan.nodes, plan.returns);
    const whole = await run(heap(), plan.nodes, plan.returns);
    const shown = ids(first.results[0]);
    expect(shown).toEqual(ids(whole.results[0]).slice(0, shown.length));
    expect([shown.length > 200, first.results[0]?.partial]).toEqual([true, "work"]);
    const cursor = first.results[0]?.cursor ?? null;
    if (cursor === null) throw new Error("no cursor");
    const next = await goOn(heap(), cursor, 1_000);
    if (next.status === "failed") throw new Error(next.error.message);
    const from = shown.length;
    const more = ids(next.result);
    expect(more.length).toBeGreaterThan(0);
    expect(more).toEqual(ids(whole.results[0]).slice(from, from + more.length));
  });

  test.each([
    ["derived rows", `Stone => {${many(50, (at) => `a${at}: _.size`)}, id: _.id}`],
    ["columns", "Stone[id, size, kind]"],
  ])("%s: the first of them", async (_, text) => {
    const limited = { ...heap(), limits: { work: 300 } };
    const { results, stopped } = await runText(limited, `a = ${text}\na.limit(1000)`);
    expect([stopped, results[0]?.partial]).toEqual(["work", "work"]);
    expect(ids(results[0])).toEqual(ids(results[0]).map((_id, at) => `s${at}`));
    expect(results[0]?.rows.length).toBeGreaterThan(3);
    expect(results[0]?.rows.length).toBeLessThan(ROWS);
  });

  test("rows in hand go through what comes after: a count of them is a bound", async () => {
    const limited = { ...heap(), limits: { work: 5_000 } };
    const { results, status } = await runText(limited, `${filter}.aggregate(n=count)`);
    expect([status, results[0]?.partial]).toEqual(["succeeded", "work"]);
    expect(results[0]?.rows[0]?.values["n"]).toBeGreaterThan(200);
  });

  test.each([
    ["a sort", "Stone.sort(size)"],
    ["groups", "Stone.group_by(size, n=count)"],
    ["a template", "Stone <<T\n{% for r in rows %}{{ r.id }}{% endfor %}\nT"],
  ])("%s that sees not all would be wrong: it fails", async (_, program) => {
    const { nodes, status, results } = await runText({ ...heap(), limits: { work: 100 } }, program);
    const error = nodes.at(-1)?.error;
    expect([status, results.length, error?.code]).toEqual(["failed", 0, "budget_exceeded"]);
    expect(error?.message).toContain("n2");
    expect(error?.message).toContain("100 units");
    expect(error?.correction).toContain("the setting work");
  });

  test("LANG-076 no effect is made of what was cut", async () => {
    const own = heap();
    const { status, effects } = await runText(
      { ...own, limits: { work: 5_000 } },
      `${filter}.limit(900) => _.mark()`,
    );
    expect([status, effects.filter(({ status: how }) => how === "done").length]).toEqual([
      "failed",
      0,
    ]);
    expect(own.asked()).toBe(1);
  });
});

describe("18.14: each kind of local work looks at the wall", () => {
  const LATE: readonly (readonly [what: string, program: string])[] = [
    ...HOSTILE.slice(0, 7),
    ["columns", "Stone[id, size, kind, quarry].sort(size)"],
    ...HOSTILE.slice(8),
  ];
  test.each(LATE)("%s", async (_, program) => {
    const clock = quickClock();
    const setting = { ...heap(10_000), clock, limits: { wall: 1 } };
    const plan = planProgram(program, [CATALOG]);
    const ended = run(setting, plan.nodes, plan.returns);
    const ticking = setInterval(() => void clock.sleep(1_000), 1);
    const { stopped } = await ended;
    clearInterval(ticking);
    expect(stopped).toBe("wall");
  });
});
