import { describe, expect, test } from "vitest";
import { startServer } from "@plasm/testkit/servers";
import { crates, depot } from "../testing/depot-catalog.ts";
import { run } from "../testing/fixture-run.ts";
import { compute } from "../testing/nodes.ts";

/** The ids of a list whose first page says how it goes on; every further page holds one row more. */
async function readAll(pagination: string, says: object): Promise<readonly unknown[]> {
  let asked = 0;
  const server = await startServer(() => {
    asked += 1;
    const more = asked === 1 ? says : {};
    return { json: { results: [{ id: String(asked) }], ...more } };
  });
  try {
    const catalog = depot({ backend: server.url, list: `pagination: ${pagination}` });
    const { results } = await run({ catalogs: [catalog], backends: {} }, [
      crates({}),
      compute("n2", "n1", { sort: [{ path: ["id"], desc: false }] }, { result: crates().result }),
    ]);
    return results[0]?.rows.map(({ values }) => values["id"]) ?? [];
  } finally {
    await server.close();
  }
}

const CURSOR = "{ params: { after: { from_response: page.next } } }";
const STOP = "{ params: { page: { counter: 1 } }, stop_when: { field: page.more, absent: true } }";
const URL_FIELD = "{ location: response_next_url, response_next_url_field: page.next, params: {} }";

describe("MAP-046: a name with dots is the exact key; without that key it is a path", () => {
  test.each([
    ["from_response", CURSOR, { "page.next": "k" }, 2],
    ["from_response", CURSOR, { page: { next: "k" } }, 2],
    ["from_response, the exact key first", CURSOR, { "page.next": null, page: { next: "k" } }, 1],
    ["stop_when.field", STOP, { "page.more": true }, 2],
    ["stop_when.field", STOP, { page: { more: true } }, 2],
    ["stop_when.field", STOP, { page: {} }, 1],
    ["response_next_url_field", URL_FIELD, { "page.next": "/crates?n=2" }, 2],
    ["response_next_url_field", URL_FIELD, { page: { next: "/crates?n=2" } }, 2],
    [
      "response_next_url_field, the exact key first",
      URL_FIELD,
      { "page.next": null, page: { next: "/x" } },
      1,
    ],
  ])("%s %s with %j: %d pages", async (_key, pagination, says, pages) => {
    expect(await readAll(pagination, says)).toHaveLength(pages);
  });
});

describe("RUN-142, RUN-150: the error of a page names what was asked", () => {
  const LINK = "response: items_list\npagination: { location: link_header, params: {} }";

  test.each([
    ["/crates?page=2", "/crates"],
    ["/stores/7/crates?page=2", "/stores/7/crates"],
  ])("%s", async (next, path) => {
    const server = await startServer(({ query }) =>
      query.get("page") === "2"
        ? { status: 500, json: { message: "broken" } }
        : { json: { items: [{ id: "a" }] }, headers: { link: `<${next}>; rel="next"` } },
    );
    const catalog = depot({ backend: server.url, list: LINK });
    const sort = { sort: [{ path: ["id"], desc: false }] };
    const { nodes } = await run({ catalogs: [catalog], backends: {} }, [
      crates({}),
      compute("n2", "n1", sort, { result: crates().result }),
    ]);
    await server.close();
    expect(nodes[0]?.error?.request).toMatchObject({ pathTemplate: path, status: 500 });
    expect(nodes[0]?.error?.message).toContain(`GET ${server.url}${path} answered 500`);
  });
});
