import type { Json } from "@plasm/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const domain = (parameters: string): string => `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  words: { type: array, items: { value_ref: text } }
  days: { type: multi_select, allowed_values: [mon, tue, sun] }
  free: { type: json }
entities:
  Slat:
    id_field: id
    fields:
      id: { value_ref: text }
      tags: { value_ref: words }
      days: { value_ref: days }
      meta: { value_ref: free }
    relations: {}
capabilities:
  slat_query:
    kind: query
    entity: Slat
    parameters: [${parameters}]
    provides: [id, tags, days, meta]
`;

const query = `
slat_query:
  method: GET
  path: [{ type: literal, value: slats }]
  query: { type: object, fields: [[tags, { type: var, name: tags }], [days, { type: var, name: days }]] }
  response: { items: rows }
`;

const sending = catalogOf(
  "rack",
  domain("{ name: tags, value_ref: words }, { name: days, value_ref: days }"),
  query,
);
const testing = catalogOf(
  "rack",
  domain(""),
  "slat_query: { method: GET, path: [{ type: literal, value: slats }], response: { items: rows } }",
);

interface Slat {
  readonly id: string;
  readonly tags: readonly string[] | null;
  readonly days: readonly string[] | null;
  readonly meta: Json;
}

let rows: readonly Slat[] = [];
/** What this API makes of several values of one parameter. */
let several: "all" | "any" = "all";
let server: TestServer;

beforeAll(async () => {
  server = await startServer((request) => {
    const wanted = (name: string): readonly string[] =>
      request.query.getAll(name).flatMap((value) => value.split(","));
    const passes = (cell: readonly string[] | null, values: readonly string[]): boolean => {
      if (values.length === 0) return true;
      const has = (value: string): boolean => cell?.includes(value) === true;
      return several === "all" ? values.every(has) : values.some(has);
    };
    const found = rows.filter(
      ({ tags, days }) => passes(tags, wanted("tags")) && passes(days, wanted("days")),
    );
    return { json: { rows: found } };
  });
});
afterAll(() => server.close());

/** A condition as a program writes it, and what a reader takes it for. */
interface Said {
  readonly text: string;
  readonly holds: (row: Slat) => boolean;
}

const TAGS = ["red", "Red", "a b", "x"];
const DAYS = ["mon", "tue", "sun"];
const quoted = (value: string): string => JSON.stringify(value);

/** Conditions on a list: it has the value, each of several, or any of them. */
function listCondition(name: "tags" | "days", words: readonly string[]): fc.Arbitrary<Said> {
  const word = fc.constantFrom(...words);
  const some = fc.uniqueArray(word, { minLength: 1, maxLength: 3 });
  const list = (values: readonly string[]): string => `[${values.map(quoted).join(", ")}]`;
  const has = (row: Slat, value: string): boolean => row[name]?.includes(value) === true;
  return fc.oneof(
    word.map((value) => ({
      text: `${name}=${quoted(value)}`,
      holds: (row: Slat) => has(row, value),
    })),
    word.map((value) => ({
      text: `${name}!=${quoted(value)}`,
      holds: (row: Slat) => !has(row, value),
    })),
    some.map((values) => ({
      text: `${name}=${list(values)}`,
      holds: (row: Slat) => row[name] !== null && values.every((value) => has(row, value)),
    })),
    some.map((values) => ({
      text: `${name} in ${list(values)}`,
      holds: (row: Slat) => values.some((value) => has(row, value)),
    })),
    fc.constant({ text: `${name}=[]`, holds: (row: Slat) => row[name]?.length === 0 }),
    word.map((value) => ({
      text: `${name}~${quoted(value)}`,
      holds: (row: Slat) =>
        row[name]?.some((each) => each.toLowerCase() === value.toLowerCase()) === true,
    })),
  );
}

type Member = "n" | "s" | "l";
const member = (row: Slat, name: Member): Json => {
  const { meta } = row;
  if (typeof meta !== "object" || meta === null || Array.isArray(meta)) return null;
  return (meta as Readonly<Record<string, Json>>)[name] ?? null;
};

const number = fc.integer({ min: 0, max: 12 });

/** Conditions on paths into json: each is judged by what the value is. */
const pathCondition: fc.Arbitrary<Said> = fc.oneof(
  fc.tuple(fc.constantFrom("=", "!=", "<", "<=", ">", ">="), number).map(([op, wanted]) => ({
    text: `meta.n${op}${wanted}`,
    holds: (row: Slat) => {
      const cell = member(row, "n");
      const plain = typeof cell === "number" || (typeof cell === "string" && cell !== "");
      const found = plain ? Number(cell) : Number.NaN;
      switch (op) {
        case "=":
          return found === wanted;
        case "!=":
          return found !== wanted;
        case "<":
          return found < wanted;
        case "<=":
          return found <= wanted;
        case ">":
          return found > wanted;
        default:
          return found >= wanted;
      }
    },
  })),
  fc.uniqueArray(number, { minLength: 1, maxLength: 3 }).map((values) => ({
    text: `meta.n in [${values.join(", ")}]`,
    holds: (row: Slat) => {
      const cell = member(row, "n");
      return cell !== null && cell !== "" && values.some((value) => Number(cell) === value);
    },
  })),
  fc.constantFrom("red", "x", "zz").map((value) => ({
    text: `meta.s=${value}`,
    holds: (row: Slat) => member(row, "s") === value,
  })),
  fc.constantFrom("red", "x", "zz").map((value) => ({
    text: `meta.l=${value}`,
    holds: (row: Slat) => {
      const cell = member(row, "l");
      return Array.isArray(cell) && cell.includes(value);
    },
  })),
  fc.constantFrom("ed", "X", "zz").map((value) => ({
    text: `meta~${value}`,
    holds: (row: Slat) => {
      const parts = ["n", "s", "l"].flatMap((name): readonly Json[] => {
        const cell = member(row, name as Member);
        const inner = Array.isArray(cell) ? (cell as readonly Json[]) : [cell];
        return row.meta === null || cell === null ? [] : inner;
      });
      return parts.some((part) => JSON.stringify(part).toLowerCase().includes(value.toLowerCase()));
    },
  })),
);

const one: fc.Arbitrary<Said> = fc.oneof(
  listCondition("tags", TAGS),
  listCondition("days", DAYS),
  pathCondition,
);

const grouped: fc.Arbitrary<Said> = fc
  .tuple(fc.constantFrom("any", "all", "not"), fc.array(one, { minLength: 1, maxLength: 2 }))
  .map(([word, items]) => ({
    text: `${word}{${items.map(({ text }) => text).join(", ")}}`,
    holds: (row) => {
      const all = items.every(({ holds }) => holds(row));
      if (word === "all") return all;
      return word === "not" ? !all : items.some(({ holds }) => holds(row));
    },
  }));

const slats = fc
  .array(
    fc.record({
      tags: fc.option(fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 })),
      days: fc.option(fc.uniqueArray(fc.constantFrom(...DAYS), { maxLength: 3 })),
      meta: fc.option(
        fc.record(
          {
            n: fc.oneof(number, number.map(String), fc.constant("")),
            s: fc.constantFrom("red", "x", ""),
            l: fc.uniqueArray(fc.constantFrom("red", "x"), { maxLength: 2 }),
          },
          { requiredKeys: [] },
        ),
      ),
    }),
    { maxLength: 12 },
  )
  .map((drawn) => drawn.map((row, at): Slat => ({ id: `s${at}`, ...row })));

async function idsOf(catalog: typeof sending, program: string): Promise<readonly string[]> {
  const plan = planProgram(program, [catalog]);
  const setting = { catalogs: [catalog], backends: { rack: server.url } };
  const outcome = await run(setting, plan.nodes, plan.returns);
  expect(outcome.status).toBe("succeeded");
  return (outcome.results[0]?.rows ?? []).map(({ ref }) => (ref ?? "").replace("Slat:", ""));
}

describe("17.5 RUN-111, RUN-113: a condition has one meaning, sent or tested", () => {
  test("P: on lists and json, whatever an API makes of several values", async () => {
    await fc.assert(
      fc.asyncProperty(
        slats,
        fc.array(fc.oneof(one, grouped), { minLength: 1, maxLength: 3 }),
        fc.constantFrom("all" as const, "any" as const),
        async (drawn, said, meaning) => {
          rows = drawn;
          several = meaning;
          const program = `Slat{${said.map(({ text }) => text).join(", ")}}.limit(1000)[id]`;
          const expected = drawn.filter((row) => said.every(({ holds }) => holds(row)));
          const ids = expected.map(({ id }) => id);
          expect(await idsOf(testing, program)).toEqual(ids);
          expect(await idsOf(sending, program)).toEqual(ids);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("one value of a list is sent, several are sent and tested, any of several are tested", async () => {
    rows = [];
    const sent = async (condition: string): Promise<readonly string[]> => {
      server.log.splice(0);
      await idsOf(sending, `Slat{${condition}}[id]`);
      return server.log.map(({ url }) => decodeURIComponent(url));
    };
    expect(await sent("tags=red")).toEqual(["/slats?tags=red"]);
    expect(await sent("tags in [red]")).toEqual(["/slats?tags=red"]);
    expect(await sent("tags=[red, x]")).toEqual(["/slats?tags=red&tags=x"]);
    expect(await sent("tags in [red, x]")).toEqual(["/slats"]);
  });
});
