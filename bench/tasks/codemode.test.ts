import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { searchFor } from "./codemode-search.ts";
import { openApiOf, openPeer, runPeerProgram } from "./codemode.ts";
import { measureWorld, tokensText } from "./peer-tokens.ts";
import type { AnswerSheet } from "./run-answers.ts";
import type { Collection } from "@plasm/sample-apis/shop";
import { type TaskWorld, worldNamed, WORLDS } from "./worlds.ts";

async function programsOf({ name }: TaskWorld): Promise<AnswerSheet> {
  const file = join(import.meta.dirname, "answers", `${name}-codemode.json`);
  return JSON.parse(await readFile(file, "utf8")) as AnswerSheet;
}

test.each([
  ["bookshop", ["b64", "b82"]],
  ["clinic", []],
])(
  "%s: codemode's programs do their tasks, and only those of %j have to be corrected",
  async (name, corrected) => {
    const world = worldNamed(name);
    const programs = await programsOf(world);
    const opened = await openPeer(world);
    const wrongAtFirst: string[] = [];
    const undone: string[] = [];
    try {
      for (const { id, expect: expectation } of world.tasks) {
        const verdicts: boolean[] = [];
        for (const program of [programs[id] ?? []].flat()) {
          const { right } = await runPeerProgram(opened, program, expectation(new Date()));
          verdicts.push(right);
        }
        if (verdicts[0] !== true) wrongAtFirst.push(id);
        if (verdicts.at(-1) !== true) undone.push(id);
      }
    } finally {
      await opened.close();
    }
    expect(undone).toEqual([]);
    expect(wrongAtFirst).toEqual(corrected);
    expect(Object.keys(programs)).toEqual(world.tasks.map(({ id }) => id).toSorted());
  },
  60_000,
);

test("a program of another task is not right, one that fails tells why, and calls are known by their operation", async () => {
  const world = worldNamed("bookshop");
  const [first] = world.tasks;
  if (first === undefined) throw new Error("no tasks");
  const expected = first.expect(new Date());
  const programs = await programsOf(world);
  const opened = await openPeer(world);
  try {
    const other = await runPeerProgram(opened, String(programs["b05"]), expected);
    expect(other.right).toBe(false);
    expect(other.operations).toEqual(["GET /orders/{id}", "GET /customers/{id}"]);
    const refused = `async () => codemode.request({ method: "GET", path: "/books", query: { colour: "red" } })`;
    await expect(runPeerProgram(opened, refused, expected)).rejects.toThrow("422");
    const unknown = `async () => codemode.request({ method: "GET", path: "/customers/117/orders" })`;
    await expect(runPeerProgram(opened, unknown, expected)).rejects.toThrow("404");
  } finally {
    await opened.close();
  }
});

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": { readonly schema: { readonly properties: object } };
    };
  };
}

interface Schemas {
  readonly schemas: Readonly<Record<string, { readonly properties: object }>>;
}

const PAGED = { page: ["page"], offset: ["offset"], cursor: ["after"], whole: [] };

/** Lists that the API has only row by row, for those who know their keys from elsewhere. */
const UNLISTED = ["lines"];

/** Operations of a list with the names that they take, as its server answers them. */
function offered(collection: Collection): readonly (readonly [string, readonly string[]])[] {
  const { name, key, paging, filters, search, update, actions = {} } = collection;
  const one = `/${name}/{${key}}`;
  const query = [...filters, ...(search === undefined ? [] : ["q"]), ...PAGED[paging]];
  return [
    ...(UNLISTED.includes(name) ? [] : [[`get /${name}`, query] as const]),
    [`get ${one}`, []],
    ...(update === undefined ? [] : [[`patch ${one}`, update] as const]),
    ...(collection.delete === true ? [[`delete ${one}`, []] as const] : []),
    ...Object.entries(actions).map(
      ([action, { takes }]) => [`post ${one}/${action}`, takes] as const,
    ),
  ];
}

test.each(WORLDS.map((world) => [world.name, world] as const))(
  "%s: the document has what the server offers, and rows are as it says",
  async (_name, world) => {
    const { paths, components } = await openApiOf(world);
    const documented = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Readonly<Record<string, Operation>>).map(([method, operation]) => {
        const query = (operation.parameters ?? []).filter((one) => one.in === "query");
        const body = operation.requestBody?.content["application/json"].schema.properties ?? {};
        const names = [...query.map((one) => one.name), ...Object.keys(body)];
        return [`${method} ${path}`, names.toSorted()] as const;
      }),
    );
    const known = new Map<string, readonly string[]>(documented);
    const served = world.collections.flatMap(offered);
    for (const [operation, names] of served)
      expect(known.get(operation), operation).toEqual(names.toSorted());
    const creates = world.collections.filter(({ create }) => create !== undefined);
    const all = [
      ...served.map(([operation]) => operation),
      ...creates.map(({ name }) => `post /${name}`),
    ];
    expect([...known.keys()].toSorted()).toEqual(all.toSorted());
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ components }, "openapi");
    const { schemas } = components as Schemas;
    for (const { name, rows } of world.collections) {
      const entity = Object.keys(schemas).find((one) => `${one.toLowerCase()}s` === name) ?? "";
      const isRow = ajv.compile({ $ref: `openapi#/components/schemas/${entity}` });
      for (const row of rows) expect(isRow(row), JSON.stringify(isRow.errors)).toBe(true);
      const members = Object.keys(schemas[entity]?.properties ?? {});
      expect(members.toSorted(), name).toEqual(Object.keys(rows[0] ?? {}).toSorted());
    }
  },
);

test("a search answers the operations that were asked for with their types, or all", async () => {
  const opened = await openPeer(worldNamed("clinic"));
  try {
    const search = async (operations: readonly string[] | "all"): Promise<readonly string[]> => {
      const text = await opened.peer.call("search", {
        code: searchFor(opened.document, operations),
      });
      return text.split("\n");
    };
    const [list, type, ...others] = await search(["GET /notes"]);
    expect(list).toBe(
      "get ; /notes ; appointment integer id of an appointment ; page integer number of the page, of 20 each ; => {items}",
    );
    expect(type).toContain("Note {id integer, appointment integer id of an appointment, ");
    expect(others).toEqual([]);
    expect(await search("all")).toHaveLength(29);
  } finally {
    await opened.close();
  }
});

test("tokens of a conversation are those of its parts, and of every side the same tasks are done", async () => {
  const bookshop = worldNamed("bookshop");
  const tasks = bookshop.tasks.filter(({ id }) => ["b01", "b64", "b81"].includes(id));
  const measured = await measureWorld({ ...bookshop, tasks });
  expect(measured.map(({ side, right_at_first }) => [side, right_at_first])).toEqual([
    ["plasm, names", 3],
    ["plasm, names, by models", 3],
    ["plasm, symbols, by models", 3],
    ["codemode", 2],
  ]);
  for (const one of measured) {
    const { definitions, learn, calls, answers, together, learn_alone, cold } = one;
    expect(together).toBe(definitions + learn + calls.sum + answers.sum);
    expect(cold.sum).toBe(3 * definitions + learn_alone.sum + calls.sum + answers.sum);
    expect(learn_alone.median).toBeLessThan(learn);
    expect(one.reads + one.effects).toBe(calls.sum + answers.sum);
    expect(one.effects).toBeGreaterThan(0);
    expect(one.programs.sum).toBeLessThan(calls.sum);
  }
  expect(tokensText(measured).split("\n")).toHaveLength(8);
}, 30_000);
