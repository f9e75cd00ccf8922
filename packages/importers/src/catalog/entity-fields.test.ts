import { expect, it } from "vitest";
import { answering, integer, list, made, object, query, taking, text } from "../testing/made.ts";

it("a text whose description says that it is the id of a row refers to it, and so does an argument of its name", async () => {
  const said = (description: string) => ({ type: "string", description });
  const boat = object({
    id: text,
    keeper: said("ID of the person who has its key."),
    person: text,
  });
  const { domain, diagnostics } = await made({
    "/people/{id}": { get: answering(object({ id: text, name: text })) },
    "/boats": {
      get: answering(list(boat), {
        parameters: [
          query("keeper"),
          query("seen_by", text, { description: "The id of a person" }),
        ],
      }),
      post: taking(
        object({
          keeper: text,
          person: said("called when it is lost"),
          crew: list(object({ cook: said("the ID of the person who cooks") })),
        }),
      ),
    },
    "/boats/{id}": { get: answering(boat) },
  });
  expect(diagnostics).toEqual([]);
  expect(domain.entities["Boat"]?.fields).toEqual({
    id: { value_ref: "text", required: true },
    keeper: { value_ref: "person", description: "ID of the person who has its key" },
    person: { value_ref: "text", description: "called when it is lost" },
  });
  expect(domain.capabilities["boat_query"]?.["parameters"]).toEqual([
    { name: "keeper", value_ref: "person" },
    { name: "seen_by", value_ref: "person" },
  ]);
  expect(domain.capabilities["boat_create"]?.["parameters"]).toMatchObject([
    {
      name: "crew",
      input_type: { element_type: { fields: [{ name: "cook", value_ref: "person" }] } },
    },
    { name: "keeper", value_ref: "person" },
    { name: "person", value_ref: "text" },
  ]);
});

it("21 a whole number or an id that is called as rows are refers to them, though a path takes their key as a text", async () => {
  const boat = object({
    id: integer,
    keeper: integer,
    mate: { ...text, description: "Mate ID" },
    cook: text,
    version: integer,
  });
  const row = object({ id: integer, name: text });
  const mate = object({ id: text, name: text });
  const parameters = [{ name: "id", in: "path", required: true, schema: text }];
  const paths = {
    "/keepers/{id}": { get: answering(row, { parameters }) },
    "/versions/{id}": { get: answering(row, { parameters }) },
    "/mates/{id}": { get: answering(mate, { parameters }) },
    "/cooks/{id}": { get: answering(mate, { parameters }) },
  };
  const { domain, diagnostics } = await made({ ...paths, "/boats/{id}": { get: answering(boat) } });
  expect(diagnostics).toEqual([]);
  expect(domain.entities["Boat"]?.fields).toMatchObject({
    keeper: { value_ref: "keeper" },
    mate: { value_ref: "mate" },
    cook: { value_ref: "text" },
    version: { value_ref: "integer" },
  });
});

it("21 options beside which nothing may stand are options", async () => {
  const state = { type: "string", enum: ["", "open", "Checked In", null] };
  const { domain } = await made({ "/boats/{id}": { get: answering(object({ id: text, state })) } });
  const { value_ref = "" } = domain.entities["Boat"]?.fields["state"] ?? {};
  expect(domain.values[String(value_ref)]).toMatchObject({
    type: "select",
    allowed_values: ["open", "Checked In"],
  });
});

it("21 what is called as a row and its key refers to it, and so does a short form that is usual", async () => {
  const boat = object({ id: text, ownerNumber: integer, orgID: text, berthNumber: integer });
  const { domain } = await made({
    "/owners/{number}": { get: answering(object({ number: integer, name: text })) },
    "/berths/{id}": { get: answering(object({ id: integer, name: text })) },
    "/organizations/{id}": { get: answering(object({ id: text, name: text })) },
    "/boats": { get: answering(list(boat)) },
    "/boats/{id}": { get: answering(boat) },
  });
  expect(domain.entities["Boat"]?.fields).toMatchObject({
    ownerNumber: { value_ref: "owner" },
    orgID: { value_ref: "organization" },
    berthNumber: { value_ref: "integer" },
  });
});

it("21 JSON of known members says the first of them, where that is short", async () => {
  const many = object(Object.fromEntries([..."abcdefg"].map((name) => [name, text])));
  const said = (description: string) => ({ ...object({ city: text }), description });
  const boat = object({
    id: text,
    engine: object({ fuel: text, power: integer }),
    parts: list(many),
    berth: said("Where it lies"),
    port: said(`Where it is at home, which ${"is a long story ".repeat(4)}`),
    free: { type: "object" },
  });
  const { domain } = await made({
    "/boats": { get: answering(list(boat)) },
    "/boats/{id}": { get: answering(boat) },
  });
  expect(domain.entities["Boat"]?.fields).toMatchObject({
    engine: { description: "{fuel, power}" },
    berth: { description: "where it lies: {city}" },
    port: { description: expect.not.stringContaining("city") },
    free: { value_ref: "free" },
  });
});
