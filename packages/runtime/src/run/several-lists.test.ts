import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "@plasm/testkit/servers";
import { catalogOf, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

const domain = (mark = ""): string => `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  year: { type: integer }
  film: { type: entity_ref, target: Film }
entities:
  Film:
    id_field: id
    ${mark}
    fields: { id: { value_ref: text }, region: { value_ref: text }, year: { value_ref: year } }
    relations:
      reviews:
        target: Review
        cardinality: many
        materialize: { kind: query_scoped, capability: review_query, param: film }
  Review:
    id_field: id
    fields: { id: { value_ref: text }, film: { value_ref: film } }
capabilities:
  film_query: { kind: query, entity: Film, parameters: [{ name: year, value_ref: year }] }
  film_popular: { kind: query, entity: Film, parameters: [{ name: region, value_ref: text }] }
  review_query: { kind: query, entity: Review, parameters: [{ name: film, value_ref: film, required: true, role: scope }] }
`;

const sent = (name: string): string =>
  `query: { type: object, fields: [[${name}, { type: var, name: ${name} }]] }`;

const MAPPINGS = `
film_query:
  { method: GET, path: [{ type: literal, value: films }], ${sent("year")}, response: bare_list, pagination: { params: { page: { counter: 1 } } } }
film_popular:
  { method: GET, path: [{ type: literal, value: films/popular }], ${sent("region")}, response: bare_list, pagination: { params: { page: { counter: 1 } } } }
review_query: { method: GET, path: [{ type: literal, value: reviews }], ${sent("film")}, response: bare_list }
`;

const FILMS = [
  { id: "a", region: "us", year: 1999 },
  { id: "b", region: "fr", year: 2001 },
  { id: "c", region: "us", year: 2005 },
];
const POPULAR = [FILMS[2], FILMS[1]];

let server: TestServer;
beforeAll(async () => {
  server = await startServer(({ url }) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const asked = (name: string, value: unknown): boolean =>
      !searchParams.has(name) || searchParams.get(name) === String(value);
    if (pathname === "/reviews") {
      const film = searchParams.get("film");
      return { json: [{ id: `${film}1`, film }] };
    }
    const all = pathname === "/films" ? FILMS : POPULAR;
    const found = all.filter((film) => asked("region", film?.region) && asked("year", film?.year));
    const page = Number(searchParams.get("page"));
    return { json: found.slice(page - 1, page) };
  });
});
afterEach(() => void server.log.splice(0));
afterAll(() => server.close());

/** The ids that a program answers, and what it asked for them. */
async function answered(program: string, mark?: string): Promise<object> {
  const catalogs = [catalogOf("cinema", domain(mark), MAPPINGS)];
  const setting: Setting = { catalogs, backends: { cinema: server.url } };
  const { nodes, returns } = planProgram(program, catalogs);
  const { results, status } = await run(setting, nodes, returns);
  expect(status).toBe("succeeded");
  const ids = results[0]?.rows.map(({ values }) => values["id"]);
  return { ids, asked: server.log.map(({ url }) => url) };
}

const films = (...pages: readonly string[]): string[] => pages.map((page) => `/films?${page}`);
const popular = (...pages: readonly string[]): string[] =>
  pages.map((page) => `/films/popular?${page}`);

describe("17.15 RUN-110: two lists of one entity that need nothing", () => {
  test.each<[string, string, string[], string[]]>([
    [
      "the bare entity reads the default, to its end",
      "Film.sort(id)",
      ["a", "b", "c"],
      films("page=1", "page=2", "page=3", "page=4"),
    ],
    [
      "a named one is read through its pages",
      "Film.popular().sort(id)",
      ["b", "c"],
      popular("page=1", "page=2", "page=3"),
    ],
    ["a limit reaches it", "Film.popular().limit(1)", ["c"], popular("page=1")],
    [
      "so does a condition that it has a parameter for",
      "Film.popular().filter{region=fr}.sort(id)",
      ["b"],
      popular("region=fr&page=1", "region=fr&page=2"),
    ],
    [
      "one that it has none for is tested here",
      "Film.popular().filter{year>2003}.sort(id)",
      ["c"],
      popular("page=1", "page=2", "page=3"),
    ],
    // popular could be asked for a region, and would lack the film a.
    [
      "what the default can test does not choose another list",
      "Film{region=us}.sort(id)",
      ["a", "c"],
      films("page=1", "page=2", "page=3", "page=4"),
    ],
    [
      "its rows lead on",
      "Film.popular().limit(1).reviews",
      ["c1"],
      [...popular("page=1"), "/reviews?film=c"],
    ],
  ])("%s: %s", async (_, program, ids, asked) => {
    expect(await answered(program)).toEqual({ ids, asked });
  });

  test("primary_query says which one the bare entity reads", async () => {
    const marked = await answered("Film.limit(1)", "primary_query: film_popular");
    expect(marked).toEqual({ ids: ["c"], asked: popular("page=1") });
  });
});
