import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestServer } from "@plasm/testkit/servers";
import { run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";
import { shelf, type ShelfData, startShelf } from "../testing/shelf-catalog.ts";

const listed = shelf(true);
const unlisted = shelf(false);

let data: ShelfData = { authors: [], books: [] };
let server: TestServer;

beforeAll(async () => {
  server = await startShelf(() => data);
});
afterAll(() => server.close());

const NAMES = ["Ann", "Bo", "Cy"];
const IDS = ["w1", "w2", "w3", "w4", "w5"];

const authors = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom(...IDS),
      name: fc.option(fc.constantFrom(...NAMES)),
      born: fc.option(fc.integer({ min: 1900, max: 1903 })),
    }),
    { selector: ({ id }) => id, maxLength: 5 },
  )
  .map((rows) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));

const books = fc
  .array(
    fc.record({
      author: fc.option(fc.constantFrom(...IDS)),
      kind: fc.option(fc.constantFrom("a" as const, "b" as const)),
    }),
    { maxLength: 14 },
  )
  .map((rows) => rows.map((row, at) => ({ id: `k${at}`, ...row })));

const FURTHER = ["", ", author.born=1901", ", author.born!=1901", ", kind=a", ", kind!=a"];

const text = (name: string, further: string, step: string): string =>
  `Book{author.name=${name}${further}}${step}`;

async function idsOf(catalog: typeof listed, program: string, limits: Setting["limits"] = {}) {
  const setting: Setting = { catalogs: [catalog], backends: { shelf: server.url }, limits };
  const plan = planProgram(program, [catalog]);
  const outcome = await run(setting, plan.nodes, plan.returns);
  const rows = outcome.results[0]?.rows ?? [];
  return { plan, outcome, ids: rows.map(({ ref }) => (ref ?? "").replace("Book:", "")).toSorted() };
}

describe("RUN-114: sending foreign identities and joining give equal results", () => {
  test("P: on random data, with further conditions and columns", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ authors, books }),
        fc.constantFrom(...NAMES),
        fc.constantFrom(...FURTHER),
        fc.constantFrom("[id]", "[id, author.name]", ".sort(author.born)[id]"),
        async (drawn, name, further, step) => {
          data = drawn;
          const program = text(name, further, step);
          const sent = await idsOf(listed, program);
          const joined = await idsOf(unlisted, program);
          expect(sent.plan.nodes[0]).toMatchObject({ capability: "author_query" });
          expect(joined.plan.nodes[0]).toMatchObject({ capability: "book_query" });
          expect(sent.outcome.status).toBe("succeeded");
          expect(joined.outcome.status).toBe("succeeded");
          expect(sent.ids).toEqual(joined.ids);
        },
      ),
      { numRuns: 120 },
    );
  });

  test("each is what the data says", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ authors, books }),
        fc.constantFrom(...NAMES),
        async (drawn, name) => {
          data = drawn;
          const own = new Set(
            drawn.authors.filter((each) => each.name === name).map(({ id }) => id),
          );
          const expected = drawn.books.filter(({ author }) => author !== null && own.has(author));
          const { ids } = await idsOf(listed, text(name, "", "[id]"));
          expect(ids).toEqual(expected.map(({ id }) => id).toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });

  test("RUN-111 more identities than fan_out are refused before any is sent", async () => {
    data = {
      authors: IDS.map((id) => ({ id, name: "Ann", born: null })),
      books: [{ id: "k0", author: "w1", kind: null }],
    };
    const { outcome } = await idsOf(listed, text("Ann", "", "[id]"), { fan_out: 3 });
    expect(outcome.nodes[1]?.error?.code).toBe("budget_exceeded");
    expect(
      outcome.requests
        .map(({ pathTemplate }) => pathTemplate)
        .filter((path) => path.endsWith("books")),
    ).toEqual([]);
  });

  test("requests: the authors' list and one list for each; or the books' list and a get for each", async () => {
    data = {
      authors: [
        { id: "w1", name: "Ann", born: null },
        { id: "w2", name: "Bo", born: null },
      ],
      books: [
        { id: "k0", author: "w1", kind: null },
        { id: "k1", author: "w2", kind: null },
      ],
    };
    server.log.splice(0);
    await idsOf(listed, text("Ann", "", "[id]"));
    expect(server.log.splice(0).map(({ path }) => path)).toEqual(["/authors", "/authors/w1/books"]);
    await idsOf(unlisted, text("Ann", "", "[id]"));
    expect(server.log.splice(0).map(({ path }) => path)).toEqual([
      "/books",
      "/authors/w1",
      "/authors/w2",
    ]);
  });
});
