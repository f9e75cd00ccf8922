import { describe, expect, it } from "vitest";
import { type Served, useServedCatalog } from "../../../test/served-catalog.ts";

const served = useServedCatalog();

const DOMAIN = `version: 1
http_backend: BACKEND
values:
  text: { type: string, string_semantics: short }
  texts: { type: array, items: { value_ref: text } }
  count: { type: integer }
  state: { type: select, allowed_values: [sound, sunk] }
  port: { type: entity_ref, target: Port }
  boat: { type: entity_ref, target: Boat }
entities:
  Port:
    fields: { id: { value_ref: text }, name: { value_ref: text } }
  Boat:
    fields: { id: { value_ref: text }, port: { value_ref: port } }
    relations:
      trips: { target: Trip, cardinality: many, materialize: { kind: query_scoped, capability: trip_query, param: boat } }
  Trip:
    fields: { id: { value_ref: text }, boat: { value_ref: boat }, fee: { value_ref: count }, state: { value_ref: state } }
capabilities:
  port_get: { kind: get, entity: Port }
  port_query: { kind: query, entity: Port, provides: [id, name], parameters: [{ name: ids, value_ref: texts }], batch: { param: ids, field: id, most: 2 } }
  boat_query: { kind: query, entity: Boat }
  trip_query:
    kind: query
    entity: Trip
    parameters: [{ name: boat, value_ref: boat, role: scope }, { name: boats, value_ref: texts }, { name: state, value_ref: state }]
    batch: { param: boats, field: boat, most: 100 }
`;

const MAPPINGS = `port_get: { method: GET, path: [{ type: literal, value: ports }, { type: var, name: id }] }
port_query:
  method: GET
  path: [{ type: literal, value: ports }]
  query: { type: object, fields: [[ids, { type: join, sep: ",", expr: { type: var, name: ids } }]] }
boat_query: { method: GET, path: [{ type: literal, value: boats }] }
trip_query:
  method: GET
  path: [{ type: literal, value: trips }]
  query:
    type: object
    fields:
      - [boat, { type: var, name: boat }]
      - [boats, { type: join, sep: ",", expr: { type: var, name: boats } }]
      - [state, { type: var, name: state }]
`;

const PORTS = ["hull", "cork", "bray"].map((id) => ({ id, name: id.toUpperCase() }));

const BOATS = [
  { id: "a", port: "hull" },
  { id: "b", port: "cork" },
  { id: "c", port: "hull" },
  { id: "d", port: "bray" },
  { id: "e", port: null },
];

const TRIPS = [
  { id: "1", boat: "a", fee: 10, state: "sound" },
  { id: "2", boat: "a", fee: 5, state: "sunk" },
  { id: "3", boat: "c", fee: 7, state: "sound" },
];

interface Faults {
  /** ports that the list leaves out */
  readonly hidden?: readonly string[];
  readonly status?: number;
  readonly astray?: boolean;
  /** keys in capital letters */
  readonly shout?: boolean;
}

/** Boats of ports, with trips. */
const serve = ({ hidden = [], status = 200, astray = false, shout = false }: Faults = {}) =>
  served(
    { domain: DOMAIN, mappings: MAPPINGS, entity: ["Boat", "Port", "Trip"] },
    (_method, url): Served => {
      const { pathname, searchParams: asked } = new URL(url, "http://boats");
      if (pathname === "/boats") return { body: BOATS };
      if (pathname === "/trips") {
        const [boat, boats, state] = [asked.get("boat"), asked.get("boats"), asked.get("state")];
        const own = boats?.split(",") ?? (boat === null ? null : [boat]);
        const found = TRIPS.filter(
          (trip) =>
            (astray || own === null || own.includes(trip.boat)) &&
            (state === null || state === trip.state),
        );
        return { body: astray ? [...found, { ...TRIPS[0], id: "9", boat: "z" }] : found };
      }
      if (pathname !== "/ports")
        return { body: PORTS.find(({ id }) => pathname === `/ports/${id}`) };
      const ids = asked.get("ids")?.split(",");
      if (ids !== undefined && status !== 200) return { status, body: { message: "too many" } };
      const found = PORTS.filter(({ id }) => !hidden.includes(id) && ids?.includes(id) !== false);
      return {
        body: shout ? found.map((port) => ({ ...port, id: port.id.toUpperCase() })) : found,
      };
    },
  );

describe("CAT-147 RUN-080: several rows are asked for at once", () => {
  it("what references lead to, in columns, each once", async () => {
    const on = await serve();
    const { text } = await on.run("Boat[id, port.name]");
    expect(text).toContain("id\tport.name\na\tHULL\nb\tCORK\nc\tHULL\nd\tBRAY\ne\t\n");
    expect(on.asked.toSorted()).toEqual([
      "GET /boats",
      "GET /ports?ids=bray",
      "GET /ports?ids=hull%2Ccork",
    ]);
  });

  it("and as a step", async () => {
    const on = await serve();
    const { text } = await on.run("Boat.port[id, name]");
    expect(text).toContain("id\tname\nhull\tHULL\ncork\tCORK\nbray\tBRAY\n");
    expect(on.asked).toHaveLength(3);
  });

  it("what rows are related to, told apart by the reference that leads back", async () => {
    const on = await serve();
    const { text } = await on.run(
      "Boat => { boat: _.id, n: count(_.trips), fees: sum(_.trips{state=sound}.fee) }",
    );
    expect(text).toContain("boat\tn\tfees\na\t2\t10\nb\t0\t0\nc\t1\t7\nd\t0\t0\ne\t0\t0\n");
    expect(on.asked.toSorted()).toEqual([
      "GET /boats",
      "GET /trips?boats=a%2Cb%2Cc%2Cd%2Ce",
      "GET /trips?boats=a%2Cb%2Cc%2Cd%2Ce&state=sound",
    ]);
  });

  it("one row is asked for as ever", async () => {
    const on = await serve();
    await on.run("Boat{id=d}[id, port.name]");
    expect(on.asked).toContain("GET /ports/bray");
  });

  it("whether there is any is known with the first of each", async () => {
    const on = await serve();
    await on.run("Boat => { boat: _.id, any: exists(_.trips) }");
    expect(on.asked.filter((each) => each.includes("boat="))).toHaveLength(5);
  });

  it("a key that is written differently is the row that it means", async () => {
    const on = await serve({ shout: true });
    const { text } = await on.run("Boat[id, port.name]");
    expect(text).toContain("a\tHULL\nb\tCORK\n");
    expect(text).not.toContain("is not among");
  });

  it("the plan names the list", async () => {
    const on = await serve();
    const { text } = await on.plan(
      "Boat.limit(5) => { boat: _.id, port: _.port.name, n: count(_.trips) }",
    );
    expect(text).toContain("count(trips) ← n1 · several at once by query · ≤2 requests");
    expect(text).toContain("join port ← n2 · several at once by query · ≤4 requests");
  });

  it("a row that the list leaves out is missing, and that is told", async () => {
    const on = await serve({ hidden: ["cork"] });
    const { text } = await on.run("Boat[id, port.name]");
    expect(text).toContain("b\t\n");
    expect(text).toContain("Port:cork is not among the rows that port_query gave for its key");
  });

  it("a list that is refused leaves its rows missing, and that is told", async () => {
    const on = await serve({ status: 400 });
    const { text } = await on.run("Boat[id, port.name]");
    expect(text).toContain("a\t\n");
    expect(text).toContain("too many");
  });

  it("rows of others are never counted for a row: what was asked with them is null, and told", async () => {
    const on = await serve({ astray: true });
    const { text } = await on.run("Boat => { boat: _.id, n: count(_.trips) }");
    expect(text).toContain("boat\tn\na\t\nb\t\n");
    expect(text).toContain("trip_query gave Trip:9, whose boat is none that was asked for");
  });
});
