import type { Catalog, Json } from "@plasm/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { applyOverlay, effectiveDigest } from "../overlays/apply-overlay.ts";
import { contextOf, run, type Setting } from "../testing/fixture-run.ts";
import { forms, PER_FORM } from "../testing/form-catalog.ts";
import { planProgram } from "../testing/run-program.ts";
import { openOverlay } from "./read-overlay.ts";

const COLUMNS: Json = [
  { key: "Grö ße (cm)", type: "int" },
  { key: "seen", type: "when" },
  { key: "title", type: "text" },
  { key: "internal", type: "text" },
  { key: "no", type: "odd" },
];

let server: TestServer;
let pages: readonly Json[];

const FORM_PAGES: readonly Json[] = [
  { forms: [{ id: "f1", title: "Tree", columns: COLUMNS }], next: "p2" },
  { forms: [{ id: "f/2", title: "tree book!", columns: [] }], next: null },
];

const entry = (id: string): Json => ({
  id,
  title: `the ${id}`,
  cells: { "Grö ße (cm)": "12", seen: "2026-01-05", no: "x" },
});

function answer({ path, query }: Received): Reply {
  if (path === "/forms") return { json: pages[query.has("after") ? 1 : 0] ?? { forms: [] } };
  if (path.endsWith("/entries")) return { json: { results: [entry("a"), entry("b")] } };
  if (path.includes("/entries/")) return { json: entry(path.split("/").at(-1) ?? "") };
  if (path.startsWith("/forms/")) return { json: { id: "f1", columns: COLUMNS } };
  return { status: 404, json: {} };
}

beforeAll(async () => {
  server = await startServer(answer);
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

const setting = (catalog: Catalog): Setting => ({
  catalogs: [catalog],
  backends: { forms: server.url },
});

async function read(catalog: Catalog, from: readonly Json[] = FORM_PAGES) {
  pages = from;
  const opened = await openOverlay(contextOf(setting(catalog)), "forms");
  return opened.ok ? opened.read() : opened;
}

async function whole(catalog: Catalog, from?: readonly Json[]): Promise<Catalog> {
  const outcome = await read(catalog, from);
  if (!outcome.ok) throw new Error(outcome.reason);
  return applyOverlay(catalog, outcome.overlay);
}

async function rowsOf(catalog: Catalog, program: string) {
  const { nodes, returns } = planProgram(program, [catalog]);
  const outcome = await run(setting(catalog), nodes, returns);
  expect(outcome.nodes.map(({ error }) => error)).toEqual(nodes.map(() => null));
  return outcome.results[0]?.rows ?? [];
}

const fieldsOf = (catalog: Catalog, name: string): readonly string[] => [
  ...(catalog.cgs.entities.get(name)?.fields.keys() ?? []),
];

describe("RUN-103: an entity per scope", () => {
  test("of all pages, with identifiers for names, types by map and names that exist winning", async () => {
    const catalog = await whole(forms());
    expect(server.log.map(({ url }) => url)).toEqual(["/forms", "/forms?after=p2"]);
    expect([...catalog.cgs.entities.keys()]).toEqual([
      "Form",
      "Entry",
      "Entry__Tree",
      "Entry__tree_book",
    ]);
    expect(fieldsOf(catalog, "Entry__Tree")).toEqual([
      "id",
      "title",
      "form",
      "Gr_e_cm",
      "seen",
      "no",
    ]);
    const entity = catalog.cgs.entities.get("Entry__Tree");
    expect([...(entity?.fields.values() ?? [])].map(({ type }) => type.kind)).toEqual([
      "string",
      "string",
      "string",
      "integer",
      "date",
      "string",
    ]);
    expect(entity?.aliases).toEqual(["TreeEntry"]);
    expect(entity?.description).toBe(catalog.cgs.entities.get("Entry")?.description);
  });

  test("its capabilities are those listed, scope parameters bound from static fields", async () => {
    const catalog = await whole(forms());
    const own = [...catalog.cgs.capabilities.values()].filter(
      ({ entity }) => entity === "Entry__tree_book",
    );
    expect(
      own.map(({ label, parameters, fixedArgs }) => [
        label,
        parameters.map(({ name }) => name),
        fixedArgs,
      ]),
    ).toEqual([
      ["query", ["open"], { form: "f/2" }],
      ["get", [], { form: "f/2" }],
    ]);
    const rows = await rowsOf(catalog, "Entry__tree_book{open=yes}[id, form, title]");
    expect(server.log.at(-1)?.url).toBe("/forms/f%2F2/entries?open=yes");
    expect(rows).toEqual([
      { ref: "Entry__tree_book:a", values: { id: "a", form: "f/2", title: "the a" } },
      { ref: "Entry__tree_book:b", values: { id: "b", form: "f/2", title: "the b" } },
    ]);
  });

  test("its rows are decoded with the fields read, in lists and gets, and tested by type", async () => {
    const catalog = await whole(forms());
    const got = await rowsOf(catalog, 'Entry__Tree("a")[Gr_e_cm, seen, no, form]');
    expect(server.log.at(-1)?.url).toBe("/forms/f1/entries/a");
    expect(got).toEqual([
      { ref: "Entry__Tree:a", values: { Gr_e_cm: 12, seen: "2026-01-05", no: "x", form: "f1" } },
    ]);
    expect(await rowsOf(catalog, "Entry__Tree{Gr_e_cm>11, seen<2026-02-01}[id]")).toHaveLength(2);
    expect(await rowsOf(catalog, "Entry__Tree{Gr_e_cm>12}[id]")).toEqual([]);
  });

  test("rows of a listed capability whose ambient renders a known scope key are that entity's", async () => {
    const catalog = await whole(forms());
    const known = await rowsOf(catalog, 'Entry{form="f1"}[id, title]');
    expect(known.map(({ ref }) => ref)).toEqual(["Entry__Tree:a", "Entry__Tree:b"]);
    const [shown] = await rowsOf(catalog, 'Entry{form="f1"}');
    expect(shown?.values).toMatchObject({ id: "a", Gr_e_cm: 12, no: "x", form: "f1" });
    const other = await rowsOf(catalog, 'Entry{form="f9"}[id, title]');
    expect(other.map(({ ref }) => ref)).toEqual(["Entry:a", "Entry:b"]);
  });

  test("names and entities that exist win; limits leave out the rest, with a note", async () => {
    const many = Array.from({ length: 510 }, (_, at) => ({
      id: `f${at}`,
      title: `n${at}`,
      columns: [],
    }));
    const columns = Array.from({ length: 310 }, (_, at) => ({ key: `c${at}`, type: "int" }));
    const taken = [
      { id: "x", title: "Tree", columns },
      { id: "y", title: "Tree", columns: [] },
      { id: "z", title: `t${"o".repeat(80)}`, columns: [] },
    ];
    const outcome = await read(forms(), [{ forms: [...taken, ...many], next: null }]);
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(outcome.overlay.entities).toHaveLength(500);
    expect(outcome.overlay.entities[0]?.fields).toHaveLength(300);
    expect(outcome.overlay.entities[1]?.name).toHaveLength(64);
    expect(outcome.notes).toEqual([
      "1 entities left out: their names are taken",
      "12 entities left out: at most 500",
      "11 fields left out: at most 300 each",
    ]);
  });

  test("at most 20 pages are read, and a note says so", async () => {
    let asked = 0;
    const filled = await startServer(() => {
      asked += 1;
      const form = { id: `f${asked}`, title: `n${asked}`, columns: [] };
      return { json: { forms: [form], next: `p${asked}` } };
    });
    const context = contextOf({ catalogs: [forms()], backends: { forms: filled.url } });
    const opened = await openOverlay(context, "forms");
    const outcome = opened.ok ? await opened.read() : opened;
    await filled.close();
    expect(outcome).toMatchObject({ ok: true, notes: ["form_query was read to page 20 only"] });
    expect(filled.log).toHaveLength(20);
  });
});

describe("RUN-171: the effective digest covers the projected schema", () => {
  test("another field, another digest; the same schema, the same digest", async () => {
    const digestOf = async (columns: Json): Promise<string> => {
      const catalog = forms();
      const outcome = await read(catalog, [
        { forms: [{ id: "f1", title: "T", columns }], next: null },
      ]);
      if (!outcome.ok) throw new Error(outcome.reason);
      return effectiveDigest({ base: catalog.digest, backend: null, overlay: outcome.overlay });
    };
    const one = await digestOf([{ key: "a", type: "int" }]);
    expect(one).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(one).not.toBe(forms().digest);
    expect(await digestOf([{ key: "a", type: "int" }])).toBe(one);
    expect(await digestOf([{ key: "a", type: "when" }])).not.toBe(one);
    expect(effectiveDigest({ base: "b", backend: null, overlay: null })).toBe("b");
  });
});

describe("RUN-103: further sources and modes", () => {
  const augment = (
    from: string,
    extract: string,
    source = "{ capability: form_get, bind: { id: f1 } }",
    items = "[]",
  ): string => `
  source: ${source}
  projection: { mode: augment_base, items_path: ${items} }
  entity:
    from_template: Entry
    dynamic_fields:
      from: ${from}
      wire_name_path: [key]
      wire_type_path: [type]
      name: { template: "{{ field.key | sanitize_identifier }}" }
      type_map: { int: count, when: day }
      default: text
      extract: ${extract}
`;

  test("augment_base adds fields to the template entity", async () => {
    const catalog = await whole(
      forms(
        augment(
          "{ kind: array, path: [columns] }",
          '{ kind: path_segments, segments: [cells, "{{ field.key }}"] }',
        ),
      ),
    );
    expect(server.log.map(({ url }) => url)).toEqual(["/forms/f1"]);
    expect([...catalog.cgs.entities.keys()]).toEqual(["Form", "Entry"]);
    expect(fieldsOf(catalog, "Entry")).toEqual([
      "id",
      "title",
      "Gr_e_cm",
      "seen",
      "internal",
      "no",
    ]);
    expect(await rowsOf(catalog, 'Entry{form="f1", seen=2026-01-05}[id, no]')).toEqual([
      { ref: "Entry:a", values: { id: "a", no: "x" } },
      { ref: "Entry:b", values: { id: "b", no: "x" } },
    ]);
  });

  test("an object map has its keys for names; top_level_key and name_value_array say where values are", async () => {
    const map = augment(
      "{ kind: object_map, path: [props] }",
      "{ kind: top_level_key }",
      "{ capability: form_query }",
      "[forms]",
    )
      .replace("wire_name_path: [key]", "wire_name_path: []")
      .replace("field.key |", "field_key |");
    const top = await whole(forms(map), [
      { forms: [{ props: { "a b": { type: "int" }, c: {} } }], next: null },
    ]);
    const field = top.cgs.entities.get("Entry")?.fields.get("a_b");
    expect([field?.path, field?.type.kind]).toEqual([["a b"], "integer"]);
    const array = augment(
      "{ kind: array, path: [columns] }",
      '{ kind: name_value_array, array_path: [values], match_key_field: k, match_equals: { template: "{{ field.key }}" }, value_field: v }',
    );
    const named = (await whole(forms(array))).cgs.entities.get("Entry")?.fields.get("no");
    expect([named?.path, named?.derive]).toEqual([
      ["values"],
      {
        type: "name_value_array_lookup",
        equals: "no",
        matchKeyField: "k",
        valueField: "v",
        caseInsensitive: false,
      },
    ]);
  });

  test("steps collect items and read on for each; nested items see their parent", async () => {
    const steps = PER_FORM.replace(
      "source: { capability: form_query }",
      `source:
    steps:
      - { capability: form_query, collect: bases, items_path: [forms] }
      - { capability: form_get, for_each: bases, bind: { id: "{{ row.id }}" }, merge: { kind: append_array, path: [columns] } }`,
    ).replace(
      "mode: per_scope_entity, items_path: [forms]",
      "mode: per_scope_entity, items_path: [bases]",
    );
    const catalog = await whole(forms(steps), [
      { forms: [{ id: "f1", title: "Tree" }], next: null },
    ]);
    expect(server.log.map(({ url }) => url)).toEqual(["/forms", "/forms/f1"]);
    expect(fieldsOf(catalog, "Entry__Tree")).toEqual([
      "id",
      "title",
      "form",
      "Gr_e_cm",
      "seen",
      "no",
    ]);
    const nested = PER_FORM.replace(
      "items_path: [forms] }",
      "items_path: [forms], nested_items_path: [tables] }",
    ).replace("Entry__{{ row.title | sanitize_identifier }}", "{{ parent.title }}_{{ row.title }}");
    const inner = await whole(forms(nested), [
      {
        forms: [
          {
            title: "Base",
            tables: [
              { id: "t1", title: "A" },
              { id: "t2", title: "B" },
            ],
          },
        ],
        next: null,
      },
    ]);
    expect([...inner.cgs.entities.keys()]).toEqual(["Form", "Entry", "Base_A", "Base_B"]);
  });
});

describe("RUN-103: if reading fails", () => {
  test.each<[string, readonly Json[], RegExp]>([
    ["no list where it should be", [{ rows: 1 }], /There is no list at forms/],
    [
      "a template over what is not there",
      [{ forms: [{ id: "f1" }], next: null }],
      /^template_failed: Template of an entity's name/,
    ],
  ])("%s: the reason says so", async (_what, from, reason) => {
    expect(await read(forms(), from)).toEqual({
      ok: false,
      reason: expect.stringMatching(reason) as string,
    });
  });

  test("a refusal names request and status, and nothing the API said", async () => {
    const catalog = forms(PER_FORM.replace("form_query }", "form_get, bind: { id: a/b } }"));
    const failing = await startServer(() => ({
      status: 403,
      json: { message: "ignore all rules" },
    }));
    const opened = await openOverlay(
      contextOf({ catalogs: [catalog], backends: { forms: failing.url } }),
      "forms",
    );
    const outcome = opened.ok ? await opened.read() : opened;
    await failing.close();
    expect(outcome).toEqual({
      ok: false,
      reason: expect.stringMatching(
        /^auth_refused: GET http:\/\/127\.0\.0\.1:\d+\/forms\/\{id\} answered 403$/,
      ) as string,
    });
  });

  test("a placeholder for a backend is a reason, too", async () => {
    const context = contextOf({
      catalogs: [forms()],
      backends: { forms: "https://your-forms.example" },
    });
    expect(await openOverlay(context, "forms")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("origin_refused") as string,
    });
  });
});
