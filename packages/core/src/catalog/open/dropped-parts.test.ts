import { describe, expect, test } from "vitest";
import { openCatalog } from "./open-catalog.ts";

const DOMAIN = `
version: 1
http_backend: https://api.cinema.example
values:
  text: { type: string, string_semantics: short }
  year: { type: integer }
  film: { type: entity_ref, target: Film }
  studio: { type: entity_ref, target: Studio }
entities:
  Film:
    expression_aliases: [Movie]
    fields: { id: { value_ref: text }, title: { value_ref: text }, year: { value_ref: year }, studio: { value_ref: studio } }
    relations:
      reviews: { target: Review, cardinality: many, materialize: { kind: query_scoped, capability: review_query, param: film } }
  Review:
    fields: { id: { value_ref: text }, film: { value_ref: film } }
  Studio:
    fields: { id: { value_ref: text }, name: { value_ref: text } }
  Night:
    fields: { id: { value_ref: text }, films: { value_ref: year } }
capabilities:
  film_query: { kind: query, entity: Film, parameters: [{ name: year, value_ref: year }] }
  film_get: { kind: get, entity: Film }
  film_rate:
    kind: action
    entity: Film
    parameters: [{ name: stars, value_ref: year, required: true }]
    output: { type: side_effect, description: Rates a film }
    preflight: [{ kind: hydrate_invoke_target, get: film_get, prefix: old }]
  review_query: { kind: query, entity: Review, parameters: [{ name: film, value_ref: film, required: true, role: scope }] }
  studio_get: { kind: get, entity: Studio }
  night_query: { kind: query, entity: Night, parameters: [{ name: id, value_ref: text }] }
views:
  night:
    capability: night_query
    entity: Night
    scope: [{ name: id, value_ref: text }]
    nodes: [{ id: all, capability: review_query, bind: { film: { kind: scope, param: id } } }]
    output: { id: { kind: scope, param: id }, films: { kind: node_row_count, node: all } }
`;

const MAPPINGS = `
film_query: { method: GET, path: [{ type: literal, value: films }], query: { type: object, fields: [[year, { type: var, name: year }]] } }
film_get: { method: GET, path: [{ type: literal, value: films }, { type: var, name: id }], response: single }
film_rate:
  method: POST
  path: [{ type: literal, value: films }, { type: var, name: id }]
  body: { type: object, fields: [[stars, { type: var, name: stars }], [was, { type: var, name: old_title }]] }
review_query: { method: GET, path: [{ type: literal, value: reviews }], query: { type: object, fields: [[film, { type: var, name: film }]] } }
studio_get: { method: GET, path: [{ type: literal, value: studios }, { type: var, name: id }], response: single }
night_query: { transport: view, view: night }
`;

type Change = readonly [was: string, is: string];

/** The catalog with some text changed; each must be there. */
function open(changes: readonly Change[], strict = false) {
  let texts = [DOMAIN, MAPPINGS] as readonly string[];
  for (const [was, is] of changes) {
    expect(texts.some((text) => text.includes(was))).toBe(true);
    texts = texts.map((text) => text.replace(was, is));
  }
  const [domain = "", mappings = ""] = texts;
  const source = {
    entryId: "cinema",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  };
  return openCatalog(source, { strict });
}

const partsOf = (changes: readonly Change[]): readonly string[] | null => {
  const { catalog } = open(changes);
  return catalog === null ? null : (catalog.dropped ?? []).map(({ part }) => part);
};

test("CAT-144 an order that cannot be asked for leaves the list as it is", () => {
  const list =
    "film_query: { kind: query, entity: Film, parameters: [{ name: year, value_ref: year }]";
  const sort = "sort: { param: by, columns: { year: year }, direction: way }";
  expect(partsOf([[`${list} }`, `${list}, ${sort} }`]])).toEqual(["capabilities.film_query.sort"]);
});

test("the catalog is whole to begin with", () => {
  expect(open([], true)).toMatchObject({ diagnostics: [], omitted: 0 });
  expect(open([]).catalog).not.toHaveProperty("dropped");
});

describe("17.13 RUN-180: what is wrong in one part drops that part and what needs it", () => {
  test.each<[string, Change, readonly string[]]>([
    [
      "a capability's own key",
      ["kind: get, entity: Studio", "kind: fetch, entity: Studio"],
      ["capabilities.studio_get", "entities.Studio"],
    ],
    [
      "its mapping",
      ["value: studios", "value: 'studios?x'"],
      ["capabilities.studio_get", "entities.Studio"],
    ],
    [
      "its mapping, by reading it",
      ["studio_get: { method: GET", "studio_get: { method: FETCH"],
      ["capabilities.studio_get", "entities.Studio"],
    ],
    [
      "its parameter",
      [
        "{ name: stars, value_ref: year, required: true }",
        "{ name: stars, value_ref: yaer, required: true }",
      ],
      ["capabilities.film_rate"],
    ],
    [
      "its preflight",
      ["get: film_get, prefix: old", "get: film_got, prefix: old"],
      ["capabilities.film_rate"],
    ],
    [
      "a get that an effect reads first",
      [
        "value: films }, { type: var, name: id }], response: single",
        "value: films }, { type: vra, name: id }], response: single",
      ],
      ["capabilities.film_get", "capabilities.film_rate"],
    ],
    [
      "a list: with relations and views of it",
      ["value: reviews", "value: 'reviews#'"],
      [
        "capabilities.night_query",
        "capabilities.review_query",
        "entities.Film.relations.reviews",
        "entities.Night",
        "entities.Review",
        "views.night",
      ],
    ],
    ["a relation", ["param: film", "param: flim"], ["entities.Film.relations.reviews"]],
    [
      "a view: with its capability",
      ["capability: review_query, bind", "capability: review_list, bind"],
      ["capabilities.night_query", "entities.Night", "views.night"],
    ],
    [
      "a field: with effects that read it first",
      ["title: { value_ref: text }", "title: { value_ref: txet }"],
      ["capabilities.film_rate", "entities.Film.fields.title"],
    ],
    [
      "a field that no effect reads",
      ["name: { value_ref: text }", "name: { value_ref: txet }"],
      ["entities.Studio.fields.name"],
    ],
    [
      "the key of an entity: with all that leads to it",
      [
        "  Studio:\n    fields: { id: { value_ref: text }",
        "  Studio:\n    fields: { id: { value_ref: txet }",
      ],
      [
        "capabilities.film_rate",
        "capabilities.studio_get",
        "entities.Film.fields.studio",
        "entities.Studio",
        "values.studio",
      ],
    ],
    [
      "an alias",
      ["expression_aliases: [Movie]", "expression_aliases: [Studio]"],
      ["entities.Film.expression_aliases"],
    ],
    [
      "a hint",
      ["    expression_aliases: [Movie]", "    primary_read: film_query"],
      ["entities.Film.primary_read"],
    ],
    [
      "an effect without mapping",
      ["film_rate:\n  method", "x-film_rate:\n  method"],
      ["capabilities.film_rate"],
    ],
  ])("%s", (_, change, parts) => {
    expect(partsOf([change])).toEqual(parts);
  });

  test("two capabilities of one label: neither, whichever stands first", () => {
    const mapped: Change = [
      "studio_get: { method",
      "get: { method: GET, path: [{ type: var, name: id }] }\nstudio_get: { method",
    ];
    const own = "  studio_get: { kind: get, entity: Studio }";
    const other = "  get: { kind: get, entity: Studio }";
    for (const both of [`${own}\n${other}`, `${other}\n${own}`]) {
      expect(partsOf([mapped, [own, both]])).toEqual([
        "capabilities.get",
        "capabilities.studio_get",
        "entities.Studio",
      ]);
    }
  });

  test.each<[string, Change]>([
    ["the text is no YAML", ["version: 1", "version: [1"]],
    ["the backend", ["https://api.cinema.example", "api.cinema.example"]],
    ["a section", ["entities:\n", "entities: []\nx-entities:\n"]],
  ])("the whole catalog goes with %s", (_, change) => {
    const { catalog, diagnostics } = open([change]);
    expect(catalog).toBeNull();
    expect(diagnostics.some(({ severity }) => severity === "error")).toBe(true);
  });

  test("a warning names the part and all that needs it; strict validation still fails", () => {
    const change: Change = ["value: reviews", "value: 'reviews#'"];
    const [warning, ...others] = open([change]).diagnostics;
    expect(others).toEqual([]);
    expect(warning).toMatchObject({ code: "MAP010", severity: "warning", file: "mappings.yaml" });
    for (const name of [
      "capability review_query",
      "capability night_query",
      "relation Film.reviews",
      "view night",
    ]) {
      expect(warning?.message).toContain(name);
    }
    const strict = open([change], true);
    expect(strict.catalog).toBeNull();
    expect(strict.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["MAP010", "error"],
    ]);
  });

  test("each part says why it is not there", () => {
    const { dropped = [] } = open([["value: reviews", "value: 'reviews#'"]]).catalog ?? {};
    const why = Object.fromEntries(dropped.map((each) => [each.part, each.why]));
    expect(why["capabilities.review_query"]).toMatch(/^MAP010 at mappings.yaml:8:/);
    expect(why["entities.Film.relations.reviews"]).toMatch(
      /^it needs capability review_query, which is not loaded \(MAP010 at mappings.yaml:8:/,
    );
  });

  test("two faults, each with what goes back to it", () => {
    const { diagnostics } = open([
      ["value: studios", "value: 'studios?x'"],
      ["param: film", "param: flim"],
    ]);
    const of = (code: string) => diagnostics.find((each) => each.code === code)?.message ?? "";
    expect(of("MAP010")).toContain("capability studio_get");
    expect(of("MAP010")).not.toContain("Film.reviews");
    expect(of("CAT062")).toContain("relation Film.reviews");
  });
});

describe("17.13 RUN-170: the digest is over what is loaded, and the names of what is not", () => {
  const digest = (...changes: readonly Change[]) => open(changes).catalog?.digest;
  const broken: Change = ["value: studios", "value: 'studios?x'"];

  test("it differs from the whole catalog's, and from the catalog's without the part", () => {
    const removed: readonly Change[] = [
      ["  studio_get: { kind: get, entity: Studio }\n", ""],
      ["studio_get: { method", "x-studio: { method"],
      ["  Studio:\n", "  Studio:\n    abstract: true\n"],
    ];
    expect(new Set([digest(), digest(broken), digest(...removed)]).size).toBe(3);
  });

  test("it does not depend on how the part is wrong", () => {
    expect(digest(["value: studios", "value: 'studios#y'"])).toBe(digest(broken));
  });
});

test("17.13: a chain of entities that need each other ends, and soon", () => {
  const count = 400;
  const names = Array.from({ length: count }, (_, at) => `E${at}`);
  const domain = [
    "version: 1",
    "http_backend: https://api.chain.example",
    "values:",
    "  text: { type: string, string_semantics: short }",
    ...names.map((name) => `  v${name}: { type: entity_ref, target: ${name} }`),
    "entities:",
    ...names.map(
      (name, at) =>
        `  ${name}: { fields: { id: { value_ref: ${at === 0 ? "none" : `vE${at - 1}`} } } }`,
    ),
    "capabilities:",
    ...names.map((name) => `  ${name.toLowerCase()}_get: { kind: get, entity: ${name} }`),
  ].join("\n");
  const mappings = names
    .map((name) => `${name.toLowerCase()}_get: { method: GET, path: [{ type: var, name: id }] }`)
    .join("\n");
  const { catalog, diagnostics } = openCatalog({
    entryId: "chain",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  expect(catalog).toBeNull();
  expect(diagnostics.map(({ code, severity }) => `${code} ${severity}`)).toEqual(["CAT005 error"]);
}, 30_000);
