import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, ref, taking, text } from "../testing/made.ts";

const boat = object({ id: text, name: text }, ["id"]);
const visit = object({ day: { type: "string", format: "date" }, fee: { type: "number" } });

describe("entities are what paths lead to", () => {
  it("a list and the path of one row are one entity, by the property that the path names", async () => {
    const { domain, diagnostics } = await made({
      "/boats": { get: answering(list(boat)) },
      "/boats/{id}": { get: answering(boat) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.entities).toEqual({
      Boat: {
        id_field: "id",
        fields: { id: { value_ref: "text", required: true }, name: { value_ref: "text" } },
      },
    });
    expect(domain.capabilities).toEqual({
      boat_query: { kind: "query", entity: "Boat" },
      boat_get: { kind: "get", entity: "Boat" },
    });
  });

  it.each([
    ["/boats/{id}", { id: text }, "id"],
    ["/boats/{boatId}", { id: text }, "id"],
    ["/boats/{boat_id}", { boat_id: integer, id: integer }, "boat_id"],
    ["/boats/{boatNumber}", { number: integer, id: text }, "number"],
    ["/people/{login}", { id: integer, login: text }, "login"],
    ["/boats/{some_id}", { uuid: { type: "string", format: "uuid" } }, "uuid"],
  ])("the key of %s with %j is %s", async (path, properties, key) => {
    const { domain, mappings } = await made({ [path]: { get: answering(object(properties)) } });
    const [entity] = Object.values(domain.entities);
    expect(entity?.["id_field"]).toBe(key);
    expect(Object.values(mappings)[0]?.["path"]).toContainEqual({ type: "var", name: key });
  });

  it("where no property is the key for certain, that is for a person to say, and no other is taken for it", async () => {
    const { domain, text: written } = await made({
      "/people/{handle}": { get: answering(object({ id: integer, login: text })) },
    });
    expect(domain.entities["Person"]?.fields).toMatchObject({
      handle: { value_ref: "text", required: true, path: ["handle"] },
      id: { value_ref: "integer" },
    });
    expect(written).toContain("# No property of a row is certainly this: set its path");
  });

  it("what lies below a row has the row's key in its own, and is a relation of it", async () => {
    const { domain, mappings, diagnostics } = await made({
      "/boats/{id}": { get: answering(boat) },
      "/boats/{id}/visits": { get: answering(list(visit)) },
      "/boats/{id}/visits/{day}": { get: answering(visit) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Visit"]).toMatchObject({
      id_field: "day",
      key_vars: ["boat", "day"],
      fields: { boat: { value_ref: "boat", required: true }, day: { value_ref: "day" } },
    });
    expect(domain.values["boat"]).toEqual({ type: "entity_ref", target: "Boat" });
    expect(domain.entities["Boat"]?.["relations"]).toEqual({
      visits: {
        target: "Visit",
        cardinality: "many",
        materialize: { kind: "query_scoped", capability: "visit_query", param: "boat" },
      },
    });
    expect(mappings["visit_get"]?.["path"]).toEqual([
      { type: "literal", value: "boats" },
      { type: "var", name: "boat" },
      { type: "literal", value: "visits" },
      { type: "var", name: "day" },
    ]);
  });

  it("keys of several parts go on below, each part under one name", async () => {
    const slip = object({ id: integer });
    const { domain, diagnostics } = await made({
      "/piers/{pier}/slips/{id}": { get: answering(slip) },
      "/piers/{pier}/slips/{id}/lines": {
        get: answering(list(object({ id: integer, rope: text }))),
      },
      "/piers/{pier}/slips/{id}/lines/{line}": {
        get: answering(object({ id: integer, line: text })),
      },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Slip"]).toMatchObject({
      key_vars: ["pier", "id"],
      relations: {
        lines: {
          materialize: {
            kind: "query_scoped_bindings",
            capability: "slipline_query",
            bindings: { pier: "pier", slip_id: "id" },
          },
        },
      },
    });
    // The row's own id is no part of the slip's.
    expect(domain.entities["Line"]?.["key_vars"]).toEqual(["pier", "slip_id", "line"]);
  });

  it("rows of another place that say every part of a key are rows of that entity", async () => {
    const slip = object({ number: integer, harbour_id: integer, name: text });
    const rope = object({ id: integer, harbour_id: integer });
    const { domain, diagnostics } = await made(
      {
        "/harbours/{harbour_id}": { get: answering(object({ id: integer, name: text })) },
        "/harbours/{harbour_id}/slips/{slip_number}": { get: answering(ref("Slip")) },
        "/slips": { get: answering(list(ref("Slip"))) },
        "/harbours/{harbour_id}/ropes/{rope_id}": { get: answering(ref("Rope")) },
        "/harbours/{harbour_id}/slips/{slip_number}/ropes": { get: answering(list(ref("Rope"))) },
      },
      { components: { schemas: { Slip: slip, Rope: rope } } },
    );
    expect(diagnostics).toEqual([]);
    expect(Object.keys(domain.entities)).toEqual(["Harbour", "Rope", "Slip"]);
    expect(domain.entities["Slip"]).toMatchObject({
      key_vars: ["harbour", "number"],
      fields: { harbour: { value_ref: "harbour", required: true, path: ["harbour_id"] } },
      relations: { ropes: { target: "Rope" } },
    });
    expect(domain.entities["Slip"]?.fields).not.toHaveProperty("harbour_id");
    expect(domain.capabilities["slip_query"]).toMatchObject({ kind: "query", entity: "Slip" });
  });

  it("rows below the same row as their entity's are its rows, though they do not say that row", async () => {
    const { domain } = await made(
      {
        "/piers/{pier}/lines/{id}": { get: answering(ref("Line")) },
        "/piers/{pier}/slips/{slip}/lines": { get: answering(list(ref("Line"))) },
        "/lines": { get: answering(list(ref("Line"))) },
      },
      { components: { schemas: { Line: object({ id: integer, rope: text }) } } },
    );
    expect(domain.capabilities["line_of_slip"]?.["entity"]).toBe("Line");
    // Of which pier a line of all lines is, nothing says.
    expect(Object.keys(domain.entities)).toHaveLength(2);
  });

  it("an envelope may call its row by more words than its path does", async () => {
    const entry = object({ id: integer, data: text });
    const { domain, mappings } = await made({
      "/zones/{zone}/records/{record_id}": { get: answering(object({ zone_record: entry })) },
    });
    expect(Object.values(domain.entities)[0]?.fields).toMatchObject({
      id: { value_ref: "integer" },
      data: { value_ref: "text" },
    });
    expect(Object.values(mappings)[0]?.["response"]).toEqual({
      single: true,
      items_path: ["zone_record"],
    });
  });

  it("what an effect answers is the row that the envelope calls by the name of its schema", async () => {
    const { domain, mappings } = await made(
      {
        "/boats/{id}": { get: answering(object({ boat: ref("Boat") })) },
        "/boats/{id}/refit": { post: answering(object({ boat: ref("Boat"), links: object({}) })) },
      },
      { components: { schemas: { Boat: object({ id: text, name: text }) } } },
    );
    expect(domain.capabilities["boat_refit"]?.["provides"]).toEqual(["id", "name"]);
    expect(mappings["boat_refit"]?.["response"]).toEqual({ single: true, items_path: ["boat"] });
  });

  it("forms of one schema are one entity, where they have its key; its fields are those of all", async () => {
    const schemas = {
      Boat: object({ id: text, name: text, note: text }),
      "simple-boat": object({ id: text, name: text }),
      "boat-summary": object({ name: text }),
    };
    const { domain } = await made(
      {
        "/boats/{id}": { get: answering(ref("Boat")) },
        "/people/{login}/boats": { get: answering(list(ref("simple-boat"))) },
        "/summaries": { get: answering(list(ref("boat-summary"))) },
      },
      { components: { schemas } },
    );
    expect(Object.keys(domain.entities)).toEqual(["Boat", "Summary"]);
    expect(domain.capabilities["boat_of_person"]).toEqual({
      kind: "query",
      entity: "Boat",
      parameters: [{ name: "login", value_ref: "text", required: true, role: "scope" }],
      provides: ["id", "name"],
    });
  });

  it("what there is one of has its identity from the request", async () => {
    const { domain, diagnostics } = await made({
      "/boats/{id}": { get: answering(boat) },
      "/boats/{id}/crew": {
        get: answering(object({ size: integer })),
        put: taking(object({ size: integer })),
      },
      "/status": { get: answering(object({ open: { type: "boolean" } })) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Crew"]).toMatchObject({
      id_field: "boat",
      implicit_request_identity: true,
    });
    expect(domain.capabilities["crew_update"]).toMatchObject({ kind: "update", entity: "Crew" });
    expect(domain.entities["Boat"]?.["relations"]).toMatchObject({
      crew: {
        cardinality: "one",
        materialize: { kind: "get_scoped_bindings", bindings: { boat: "id" } },
      },
    });
    expect(domain.entities["Status"]).toMatchObject({ implicit_request_identity: true });
    expect(domain.capabilities["status_get"]).toMatchObject({ kind: "singleton" });
  });
});

describe("fields", () => {
  it.each<[string, object, object]>([
    ["a line", text, { type: "string", string_semantics: "short" }],
    [
      "a long text",
      { type: "string", maxLength: 4000 },
      { type: "string", string_semantics: "document" },
    ],
    [
      "a long address",
      { type: "string", format: "uri", maxLength: 65536 },
      { type: "string", string_semantics: "short" },
    ],
    ["a number", { type: "number" }, { type: "number" }],
    ["a whole number", integer, { type: "integer" }],
    ["yes or no", { type: "boolean" }, { type: "boolean" }],
    ["a day", { type: "string", format: "date" }, { type: "date", value_format: "iso8601_date" }],
    ["a time", { type: "string", format: "date-time" }, { type: "date", value_format: "rfc3339" }],
    ["a uuid", { type: "string", format: "uuid" }, { type: "uuid" }],
    [
      "options",
      { type: "string", enum: ["a", "b"] },
      { type: "select", allowed_values: ["a", "b"] },
    ],
    [
      "options of 3.0 that may be null",
      { type: "string", nullable: true, enum: ["a", null] },
      { type: "select", allowed_values: ["a"] },
    ],
    ["what may be null", { type: ["integer", "null"] }, { type: "integer" }],
    ["one form or null", { anyOf: [integer, { type: "null" }] }, { type: "integer" }],
    [
      "a text or a number",
      { type: ["string", "integer"] },
      { type: "string", string_semantics: "short" },
    ],
    ["an object", object({ a: text }), { type: "json" }],
    ["several forms", { oneOf: [object({ a: text }), list(text)] }, { type: "json" }],
    ["anything", {}, { type: "json" }],
  ])("%s", async (_says, schema, value) => {
    const { domain, diagnostics } = await made({
      "/boats/{id}": { get: answering(object({ id: text, it: schema })) },
    });
    const name = String(domain.entities["Boat"]?.fields["it"]?.["value_ref"]);
    expect([domain.values[name], diagnostics]).toEqual([value, []]);
  });

  it("names that a catalog or a program may not have are written otherwise (CAT-017, LANG-021)", async () => {
    const { domain, diagnostics } = await made({
      "/boats/{id}": {
        get: answering(object({ id: text, "a-b": text, e1: text, page: text, "1st": text })),
      },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Boat"]?.fields).toMatchObject({
      a_b: { path: ["a-b"] },
      e1_value: { path: ["e1"] },
      page_value: { path: ["page"] },
      field_1st: { path: ["1st"] },
    });
  });

  it("refer to others where that is certain: by an object with the key, or by NAME_id of its form", async () => {
    const schemas = { Person: object({ login: text, name: text }) };
    const { domain, diagnostics } = await made(
      {
        "/people/{login}": { get: answering(ref("Person")) },
        "/boats/{id}": {
          get: answering(
            object({
              id: text,
              owner: ref("Person"),
              person_id: text,
              cook_id: text,
              crew: list(ref("Person")),
            }),
          ),
        },
      },
      { components: { schemas } },
    );
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Boat"]).toMatchObject({
      fields: {
        owner: { value_ref: "person", path: ["owner", "login"] },
        person_id: { value_ref: "person" },
        cook_id: { value_ref: "text" },
      },
      relations: {
        crew: {
          target: "Person",
          materialize: { kind: "from_parent_get", path: [{ key: "crew" }, { wildcard: true }] },
        },
      },
    });
  });
});

describe("names that a person would choose", () => {
  it.each([
    ["ApiV2010Customer", "Customer"],
    ["CustomerBean", "Customer"],
    ["CustomerJson", "Customer"],
    ["V1Customer", "Customer"],
    ["io.harbour.api.v1beta1.Customer", "Customer"],
    ["customer_object", "Customer"],
    ["CustomerModel", "Customer"],
    ["ApiKey", "ApiKey"],
    ["Model", "Thing"],
  ])("rows of %s are %s", async (schema, name) => {
    const row = { $ref: `#/components/schemas/${schema}` };
    const { domain } = await made(
      { "/things/{id}": { get: answering(row) } },
      { components: { schemas: { [schema]: object({ id: text }) } } },
    );
    expect(Object.keys(domain.entities)).toEqual([name]);
  });

  it("forms of one thing are one entity", async () => {
    const forms = ["Customer", "CustomerCompact", "SimplifiedCustomer", "CustomerMini"];
    const schemas = Object.fromEntries(
      forms.map((one) => [one, object({ id: text, [one]: text })]),
    );
    const of = (one: string) => ({ $ref: `#/components/schemas/${one}` });
    const { domain, diagnostics } = await made(
      {
        "/customers/{id}": { get: answering(of("Customer")) },
        "/customers": { get: answering(list(of("CustomerCompact"))) },
        "/best": { get: answering(list(of("SimplifiedCustomer"))) },
        "/worst": { get: answering(list(of("CustomerMini"))) },
      },
      { components: { schemas } },
    );
    expect(diagnostics).toEqual([]);
    expect(Object.keys(domain.entities)).toEqual(["Customer"]);
    expect(Object.keys(domain.entities["Customer"]?.fields ?? {}).toSorted()).toEqual(
      [...forms, "id"].toSorted(),
    );
  });
});

it("numbers that are times by their words are dates", async () => {
  const number = (description: string, more: object = {}) => ({
    type: "integer",
    description,
    ...more,
  });
  const row = object({
    id: text,
    a: number("Measured in seconds since the Unix epoch."),
    b: number("When it was made", { format: "unix-time" }),
    c: number("Epoch time in milliseconds"),
    d: number("Seconds until it sinks"),
  });
  const { domain, diagnostics } = await made({ "/boats/{id}": { get: answering(row) } });
  expect(diagnostics).toEqual([]);
  expect(domain.entities["Boat"]?.fields).toMatchObject({
    a: { value_ref: "unix_time" },
    b: { value_ref: "unix_time" },
    c: { value_ref: "unix_millis" },
    d: { value_ref: "integer" },
  });
  expect(domain.values).toMatchObject({
    unix_time: { type: "date", value_format: "unix_sec" },
    unix_millis: { type: "date", value_format: "unix_ms" },
  });
});

it("what an envelope says of the call is no part of the row that it holds", async () => {
  const held = (row: object, more: object) => object({ data: row, ...more });
  const reports = { status_code: integer, status: text, service: text };
  const bill = object({ id: text, total: integer });
  const { domain, mappings, diagnostics } = await made(
    {
      "/bills/{id}": { get: answering(ref("GetBillResponse")) },
      "/events/{name}": { get: answering(ref("Event")) },
    },
    {
      components: {
        schemas: {
          Bill: bill,
          GetBillResponse: held(ref("Bill"), reports),
          Event: held(bill, { service: text, name: text }),
        },
      },
    },
  );
  expect(diagnostics).toEqual([]);
  expect(Object.keys(domain.entities)).toEqual(["Bill", "Event"]);
  expect(mappings["bill_get"]?.["response"]).toEqual({ single: true, items_path: ["data"] });
  // An event has a name and data; nothing of it says how a call went.
  expect(mappings["event_get"]?.["response"]).toBe("single");
});

it.each([
  ["The name of the boat. It is unique.", "name"],
  ["The name or id of the boat", "id"],
  ["The boat", "id"],
])("a boat's address with %j has its %s", async (description, key) => {
  const parameters = [{ name: "boat", in: "path", required: true, schema: text, description }];
  const { domain, diagnostics } = await made({
    "/boats/{boat}": { parameters, get: answering(object({ id: integer, name: text })) },
  });
  expect(diagnostics).toEqual([]);
  expect(domain.entities["Boat"]?.["id_field"]).toBe(key);
});
