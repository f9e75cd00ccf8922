import type { Policy } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { type Served, useServedCatalog } from "../../../test/served-catalog.ts";

const served = useServedCatalog();

interface Domain {
  /** the keys of the list of boats */
  readonly count: string;
  readonly denied?: readonly string[];
  readonly answer?: () => Served;
  readonly paging?: string;
}

const HEAD = `version: 1
http_backend: BACKEND
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
  state: { type: select, allowed_values: [sound, sunk] }
  port: { type: entity_ref, target: Port }
entities:
  Port:
    fields: { id: { value_ref: text } }
    relations:
      boats: { target: Boat, cardinality: many, materialize: { kind: query_scoped, capability: boat_query, param: port } }
  Boat:
    fields: { id: { value_ref: text }, name: { value_ref: text }, state: { value_ref: state }, port: { value_ref: port } }
  Tally:
    id_field: name
    fields: { name: { value_ref: text }, boats: { value_ref: count } }
capabilities:
  port_query: { kind: query, entity: Port }
  port_get: { kind: get, entity: Port }
  tally_get:
    kind: singleton
    entity: Tally
    parameters: [{ name: state, value_ref: state }, { name: port, value_ref: port }]
`;

const PARAMETERS =
  "parameters: [{ name: state, value_ref: state }, { name: port, value_ref: port, role: scope }, { name: view, value_ref: text, role: response_control }, { name: limit, value_ref: count }]";

const MAPPINGS = `port_query: { method: GET, path: [{ type: literal, value: ports }] }
port_get: { method: GET, path: [{ type: literal, value: ports }, { type: var, name: id }] }
tally_get:
  method: GET
  path: [{ type: literal, value: tally }]
  query: { type: object, fields: [[state, { type: var, name: state }], [port, { type: var, name: port }]] }
boat_query:
  method: GET
  path: [{ type: literal, value: boats }]
  query:
    type: object
    fields:
      - [state, { type: var, name: state }]
      - [port, { type: var, name: port }]
      - [view, { type: var, name: view }]
      - [limit, { type: var, name: limit }]
  response: { items: boats }
  pagination: { params: { page: { counter: 1 }, per_page: { fixed: 2 } } }
`;

interface Boat {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly port: string;
}

const boat = (id: string, state: string, port: string): Boat => ({
  id,
  name: `Boat ${id}`,
  state,
  port,
});

const BOATS = [
  boat("a", "sound", "hull"),
  boat("b", "sunk", "hull"),
  boat("c", "sound", "hull"),
  boat("d", "sound", "cork"),
  boat("e", "sunk", "cork"),
];

/** Boats, two a page, whose number each answer says in body and header. */
const serve = ({ count, denied = [], answer, paging }: Domain) => {
  const policy: Policy = { apis: { served: { deny: denied } } };
  return served(
    {
      domain: `${HEAD}  boat_query: { kind: query, entity: Boat, ${PARAMETERS}, ${count} }\n`,
      mappings: paging === undefined ? MAPPINGS : MAPPINGS.replace(/pagination: .*/, paging),
      entity: ["Boat", "Port"],
      policy,
    },
    (_method, url) => {
      const { pathname, searchParams: asked } = new URL(url, "http://boats");
      if (pathname === "/ports") return { body: [{ id: "hull" }, { id: "cork" }, { id: "bray" }] };
      if (pathname.startsWith("/ports/")) return { body: { id: pathname.slice(7) } };
      const [state, port] = [asked.get("state"), asked.get("port")];
      const all = BOATS.filter(
        (each) => (state ?? each.state) === each.state && (port ?? each.port) === each.port,
      );
      if (pathname === "/tally") return { body: { name: "all", boats: all.length } };
      const page = Number(asked.get("page") ?? 1);
      return (
        answer?.() ?? {
          headers: { "X-Total-Count": String(all.length) },
          body: { meta: { total: all.length }, boats: all.slice(2 * (page - 1), 2 * page) },
        }
      );
    },
  );
};

const PATH = "count: { path: [meta, total] }";
const FIRST = "page=1&per_page=2";

describe("CAT-145 RUN-079: rows that an API counts are not read to be counted", () => {
  it.each([
    ["in its answer", PATH, [`GET /boats?${FIRST}`]],
    ["in a header", "count: { header: X-Total-Count }", [`GET /boats?${FIRST}`]],
    ["by an address of its own", "count: { capability: tally_get, field: boats }", ["GET /tally"]],
  ])("%s", async (_where, count, asked) => {
    const on = await serve({ count });
    const { text } = await on.run("Boat.aggregate(boats=count)");
    expect(text).toBe("Boat · 1 row\n```tsv\nboats\n5\n```");
    expect(on.asked).toEqual(asked);
  });

  it.each([PATH, "count: { capability: tally_get, field: boats }"])(
    "with the conditions that are sent (%s)",
    async (count) => {
      const on = await serve({ count });
      const { text } = await on.run("Boat{state=sunk}.aggregate(n=count)");
      expect(text).toContain("n\n2\n");
      expect(on.asked).toHaveLength(1);
      expect(on.asked[0]).toContain("state=sunk");
    },
  );

  it("of one row's relation", async () => {
    const on = await serve({ count: PATH });
    const { text } = await on.run('Port("hull").boats{state=sound}.aggregate(n=count)');
    expect(text).toContain("n\n2\n");
    expect(on.asked).toEqual([`GET /boats?state=sound&port=hull&${FIRST}`]);
  });

  it.each([PATH, "count: { capability: tally_get, field: boats }"])(
    "of each row's relation, with zeros (%s)",
    async (count) => {
      const on = await serve({ count });
      const { text } = await on.run("Port => { port: _.id, n: count(_.boats) }");
      expect(text).toContain("port\tn\nhull\t3\ncork\t2\nbray\t0\n");
      expect(on.asked).toHaveLength(4);
    },
  );

  it("the plan says so, bills one request and asks for no review", async () => {
    const on = await serve({ count: PATH });
    const { text } = await on.plan("Boat.aggregate(n=count)");
    expect(text).toContain("query served.Boat query() · the API counts");
    expect(text).toContain("1 request");
    expect(text).not.toContain("unbounded");
  });

  it.each([
    ["a condition is tested here", "Boat{name~Boat}.aggregate(n=count)", 5],
    ["a part of the list is asked for", "Boat{limit=100, state=sound}.aggregate(n=count)", 3],
    ["something else is asked of the rows", "Boat.aggregate(n=count, last=max(name))", 5],
    ["the rows are used besides", "b = Boat; b.aggregate(n=count), b[id].limit(1)", 5],
    ["columns are named before", "Boat[id].aggregate(n=count)", 5],
  ])("they are read where %s", async (_why, program, n) => {
    const on = await serve({ count: PATH });
    const { text } = await on.run(program.replace("; ", "\n"));
    expect(text).toContain(`\n${n}`);
    expect(on.asked.length).toBeGreaterThan(1);
  });

  it("they are read where the counting capability is denied", async () => {
    const on = await serve({
      count: "count: { capability: tally_get, field: boats }",
      denied: ["tally_get"],
    });
    const { text } = await on.run("Boat.aggregate(n=count)");
    expect(text).toContain("n\n5\n");
    expect(on.asked).toHaveLength(3);
  });

  it("a page's own count is no number of all rows, where the answer says that others follow", async () => {
    const on = await serve({
      count: "count: { path: [meta, total] }",
      answer: () => ({ body: { meta: { total: 2, next: "x" }, boats: BOATS.slice(0, 2) } }),
      paging: "pagination: { params: { cursor: { from_response: meta.next } } }",
    });
    const { text } = await on.run("Boat.aggregate(n=count)");
    expect(text).toContain("reported 2 rows (meta.total), and 2 came, and others follow");
  });

  it.each([
    [
      "no number",
      () => ({ body: { boats: BOATS.slice(0, 2) } }),
      "did not report a number of rows (meta.total)",
    ],
    [
      "fewer than came",
      () => ({ body: { meta: { total: 1 }, boats: BOATS.slice(0, 2) } }),
      "reported 1 rows (meta.total), and 2 came",
    ],
    [
      "more than there are",
      () => ({ body: { meta: { total: 9, has_more: false }, boats: BOATS.slice(0, 1) } }),
      "reported 9 rows (meta.total), and 1 came",
    ],
    [
      "more, but that its results are incomplete",
      () => ({ body: { incomplete_results: true, meta: { total: 40 }, boats: BOATS.slice(0, 2) } }),
      "reported 40 rows (meta.total), and that its results are incomplete",
    ],
    [
      "a bound, as search engines do",
      () => ({
        body: { meta: { total: { value: 10_000, relation: "gte" } }, boats: BOATS.slice(0, 2) },
      }),
      "did not report a number of rows (meta.total)",
    ],
  ])("an answer that says %s fails, and says what to do", async (_what, answer, says) => {
    const on = await serve({ count: PATH, answer });
    const { text } = await on.run("Boat.aggregate(n=count)");
    expect(text).toContain(says);
    expect(text).toContain("[id].aggregate(n=count)");
  });
});
