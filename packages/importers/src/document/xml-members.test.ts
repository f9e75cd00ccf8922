import { describe, expect, it } from "vitest";
import { made, object, query, ref, text } from "../testing/made.ts";

const xml = (schema: unknown, more: object = {}): object => ({
  responses: { "200": { description: "", content: { "text/xml": { schema } } } },
  ...more,
});

const schemas = {
  Boat: object({
    Name: text,
    Length: { type: "integer", xml: { name: "len" } },
    Code: { type: "string", xml: { attribute: true } },
    Tags: {
      type: "array",
      items: { type: "string", xml: { name: "Tag" } },
      xml: { wrapped: true },
    },
    Crew: object({ Size: { type: "integer" } }),
  }),
};

describe("21 answers in XML are rows by the document's schema (MAP-035, ADR 0264)", () => {
  it("lists, rows, attributes, names and types", async () => {
    const { mappings, left, diagnostics } = await made(
      {
        "/boats": {
          get: xml(
            object({
              Boats: { type: "array", items: { allOf: [ref("Boat"), { xml: { name: "Boat" } }] } },
              Marker: text,
              IsTruncated: { type: "boolean" },
            }),
            { parameters: [query("Marker")] },
          ),
        },
        "/boats/{Name}": {
          get: xml(ref("Boat"), {
            parameters: [{ name: "Name", in: "path", required: true, schema: text }],
          }),
        },
      },
      { components: { schemas } },
    );

    expect([left, diagnostics]).toEqual([[], []]);
    const boat = (at: string) => ({
      [`${at}Code`]: { from: "@Code" },
      [`${at}Crew/Size`]: { type: "number" },
      [`${at}Length`]: { from: "len" },
      [`${at}Tags`]: { list: "Tag" },
    });
    const accept = { type: "object", fields: [["Accept", { type: "const", value: "text/xml" }]] };
    expect(mappings["boat_query"]).toMatchObject({
      headers: accept,
      response: {
        items: "Boats",
        xml: {
          Boats: { list: "Boat", type: "object" },
          IsTruncated: { type: "boolean" },
          ...boat("Boats/"),
        },
      },
      pagination: {
        params: { Marker: { from_response: "Marker" } },
        stop_when: { field: "IsTruncated", eq: false },
      },
    });
    expect(mappings["boat_get"]).toMatchObject({
      headers: accept,
      response: { single: true, xml: boat("") },
    });
  });

  it("a schema that leads back to itself ends, and what says nothing is one row of JSON", async () => {
    const { mappings, diagnostics } = await made(
      {
        "/parts": { get: xml(ref("Part")) },
        "/loose": { get: xml({}) },
      },
      {
        components: {
          schemas: {
            Part: object({
              Id: text,
              Part: ref("Part"),
              Parts: { type: "array", items: ref("Part") },
            }),
          },
        },
      },
    );

    expect(diagnostics).toEqual([]);
    expect(
      Object.values(mappings).map(({ response }) => (response as { xml: object }).xml),
    ).toEqual(expect.arrayContaining([{}, { Parts: { list: "member", type: "object" } }]));
  });

  it("JSON goes before XML where both are answered", async () => {
    const schema = object({ id: text });
    const content = { "application/xml": { schema }, "application/json": { schema } };
    const { mappings } = await made({
      "/it": { get: { responses: { "200": { description: "", content } } } },
    });
    expect(JSON.stringify(mappings)).not.toContain("xml");
  });

  it("maps by the names that an answer says", async () => {
    const limits = { type: "object", additionalProperties: { type: "integer" } };
    const boats = { type: "object", additionalProperties: ref("Boat") };
    const { mappings, diagnostics } = await made(
      {
        "/limits": { get: xml(object({ Limits: limits, Region: text })) },
        "/boats": { get: xml(object({ Boats: boats })) },
      },
      { components: { schemas } },
    );
    expect(diagnostics).toEqual([]);
    const said = Object.values(mappings).map(({ response }) => response);
    expect(said).toContainEqual({
      single: true,
      xml: { Limits: { type: "number", map: "entry" } },
    });
    expect(said).toContainEqual(
      expect.objectContaining({
        key_into: "id",
        xml: expect.objectContaining({ Boats: { type: "object", map: "entry" } }),
      }),
    );
  });
});
