import { catalogFromOpenApi } from "@plasm/importers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServedCatalog, serveCatalog } from "../engine/served-catalog.ts";

/** Reads that take a page, and of which the document does not say what they answer: each is a row of JSON. */
const parameters = [
  { name: "page", in: "query", schema: { type: "integer" } },
  { name: "per_page", in: "query", schema: { type: "integer" } },
];
const get = { get: { parameters, responses: { "200": { description: "OK" } } } };
const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Yard", version: "1" },
  paths: {
    "/clubs": get,
    "/masts": get,
    "/sails": get,
    "/ropes": get,
    "/buoys": get,
    "/keels": get,
  },
};

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_none, at) => ({ id: from + at }));

let served: ServedCatalog;

beforeAll(async () => {
  served = await serveCatalog({
    listener: (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://yard.example");
      const from = (Number(searchParams.get("page") ?? 1) - 1) * 20;
      if (pathname === "/masts") response.setHeader("link", '</masts?page=2>; rel="next"');
      const bodies: Readonly<Record<string, unknown>> = {
        "/clubs": { clubs: rows(Math.min(20, 50 - from), from), total: 50 },
        "/masts": rows(20),
        "/sails": { sails: rows(3), total: 3 },
        "/buoys": rows(1),
        "/keels": [],
        "/ropes": { ropes: rows(3), next_page: null },
      };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(bodies[pathname]));
    },
    make: ({ entryId, server }) => catalogFromOpenApi(DOCUMENT, { entryId, server }),
    entities: ["Club", "Mast", "Sail", "Rope", "Buoy", "Keel"],
  });
});
afterAll(() => served.close());

it("RUN-204 a row that is one page of several says so, and what asks for the others", async () => {
  const text = await served.run("Club.get()");
  expect(text).toContain("this is one page, and the API says that there are 50 (total); give page");
  expect(await served.run("Mast.get()")).toContain("says that more follow (Link: rel=next)");
});

it("RUN-031 a list of which the document says nothing is the value of its row, however many it has", async () => {
  for (const [name, count] of [
    ["Mast", 20],
    ["Buoy", 1],
    ["Keel", 0],
  ] as const) {
    const text = await served.run(`${name}.get()`);
    expect(text).not.toMatch(/failed|not_found/);
    expect(text.match(/"id":/g) ?? []).toHaveLength(count);
  }
});

it("RUN-204 and none that is all there is, nor a page that was asked for", async () => {
  for (const program of ["Sail.get()", "Rope.get()", "Club.get(page_value=2)"])
    expect(await served.run(program)).not.toContain("this is one page");
});
