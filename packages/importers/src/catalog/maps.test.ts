import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, ref, text } from "../testing/made.ts";

const map = (values: object, more: object = {}) => ({
  type: "object",
  additionalProperties: values,
  ...more,
});
const boat = object({ name: text, length: integer });
const schemas = (Boat: object) => ({ components: { schemas: { Boat } } });

describe("21 a list that is a map is rows, with its keys as their ids (MAP-034)", () => {
  it("the whole answer", async () => {
    const { domain, mappings, diagnostics } = await made(
      { "/boats": { get: answering(map(ref("Boat"))) } },
      schemas(boat),
    );
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Boat"]).toMatchObject({ id_field: "id" });
    expect(Object.keys(domain.entities["Boat"]?.fields ?? {}).toSorted()).toEqual([
      "id",
      "length",
      "name",
    ]);
    expect(domain.capabilities["boat_query"]).toMatchObject({ kind: "query", entity: "Boat" });
    expect(mappings["boat_query"]?.["response"]).toEqual({ items_path: [], key_into: "id" });
  });

  it("beside pages and totals", async () => {
    const { mappings, diagnostics } = await made({
      "/boats": { get: answering(object({ boats: map(boat), total: integer })) },
    });
    expect(diagnostics).toEqual([]);
    expect(mappings["boat_query"]?.["response"]).toEqual({ items: "boats", key_into: "id" });
  });

  it("of rows that a path leads to: the key is what the path takes", async () => {
    const { domain, mappings, diagnostics } = await made(
      {
        "/boats": { get: answering(map(ref("Boat"))) },
        "/boats/{boat_id}": { get: answering(ref("Boat")) },
      },
      schemas(boat),
    );
    expect(diagnostics).toEqual([]);
    expect(Object.keys(domain.entities)).toEqual(["Boat"]);
    expect(domain.entities["Boat"]).toMatchObject({ id_field: "boat_id" });
    expect(mappings["boat_query"]?.["response"]).toEqual({ items_path: [], key_into: "boat_id" });
  });

  it("of rows that are elsewhere, too: one entity", async () => {
    const { domain, mappings, diagnostics } = await made(
      {
        "/boats": { get: answering(map(ref("Boat"))) },
        "/fleet": { get: answering(map(ref("Boat"))) },
      },
      schemas(boat),
    );
    expect(diagnostics).toEqual([]);
    expect(Object.keys(domain.entities)).toEqual(["Boat"]);
    expect(Object.values(mappings).map(({ response }) => response)).toEqual([
      { items_path: [], key_into: "id" },
      { items_path: [], key_into: "id" },
    ]);
  });

  it("of rows that say their id: that stays what it is", async () => {
    const { domain, mappings, diagnostics } = await made({
      "/boats": { get: answering(map(object({ id: integer, name: text }))) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Boat"]).toMatchObject({ id_field: "id" });
    expect(mappings["boat_query"]?.["response"]).toEqual({ items_path: [], key_into: "key" });
  });

  it.each<[string, object]>([
    ["values that are no objects", map(text)],
    ["values of any kind", { type: "object", additionalProperties: true }],
    ["members of its own", { ...object({ id: text }), additionalProperties: boat }],
    ["a list within", map(list(boat))],
    ["members that say which they are", object({ id: text, labels: map(boat) })],
  ])("not %s", async (_says, schema) => {
    const { mappings } = await made({ "/boats": { get: answering(schema) } });
    const [mapping] = Object.values(mappings);
    expect(JSON.stringify(mapping?.["response"])).not.toContain("key_into");
  });
});
