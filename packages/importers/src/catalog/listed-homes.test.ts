import { describe, expect, it } from "vitest";
import { answering, integer, list, made, object, taking, text } from "../testing/made.ts";

const boat = object({ id: text, name: text }, ["id"]);
const log = object({ key: text, text }, ["key"]);
const gone = { responses: { "204": { description: "" } } };

describe("21 paths that go on from a row which no call gets", () => {
  const fleets = {
    "/fleets/{fleet_id}/boats": { get: answering(list(boat)) },
    "/boats/{boat_id}/logs": { get: answering(list(log)) },
    "/boats/{boat_id}/sink": { post: gone },
    "/boats/{boat_id}/logs/{key}": { delete: gone },
  };

  it("lead from the rows of a list that are called so and have a key of that form", async () => {
    const { domain, mappings, diagnostics } = await made(fleets);
    expect(diagnostics).toEqual([]);
    expect(Object.keys(domain.entities)).toEqual(["Boat", "Log"]);
    expect(domain.entities["Boat"]?.["relations"]).toEqual({
      logs: {
        target: "Log",
        cardinality: "many",
        materialize: { kind: "query_scoped", capability: "log_query", param: "boat" },
      },
    });
    // The rows of the list say which boat they are of, as what is done to one of them needs it.
    expect(domain.entities["Log"]).toMatchObject({
      key_vars: ["boat", "key"],
      fields: { boat: { value_ref: "boat" } },
    });
    expect(domain.capabilities["boat_sink"]).toMatchObject({ kind: "action", entity: "Boat" });
    expect(mappings["boat_sink"]?.["path"]).toEqual([
      { type: "literal", value: "boats" },
      { type: "var", name: "id" },
      { type: "literal", value: "sink" },
    ]);
    // What leads nowhere is told as text.
    expect(domain.capabilities["boat_query"]?.["parameters"]).toEqual([
      { name: "fleet_id", value_ref: "text", required: true, role: "scope" },
    ]);
  });

  it.each<[string, object, object]>([
    ["a key of another form", boat, { schema: integer }],
    ["another name", object({ name: text }), {}],
    ["rows without a key", object({ age: integer }), {}],
    ["a key that the path does not name", object({ id: text }), { name: "sail_id" }],
  ])("lead not from %s", async (_, row, variable) => {
    const { name, schema } = { name: "boat_id", schema: text, ...variable };
    const parameters = [{ name, in: "path", required: true, schema }];
    const { domain, diagnostics } = await made({
      "/fleets/{fleet_id}/boats": { get: answering(list(row)) },
      [`/boats/{${name}}/logs`]: { get: answering(list(log), { parameters }) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.capabilities["log_query"]?.["parameters"]).toMatchObject([{ name }]);
    expect(domain.entities["Boat"]).not.toHaveProperty("relations");
  });

  it("lead not from what stands behind other words: what is done there is done to something else", async () => {
    const { domain } = await made({
      ...fleets,
      "/me/blocked/boats/{boat_id}": { delete: gone },
      "/marina/boats/{id}/bill": { post: gone },
    });
    const effects = Object.entries(domain.capabilities).filter(
      ([, one]) => one["kind"] !== "query",
    );
    expect(effects.map(([name, one]) => [name, one["entity"]])).toEqual([
      ["blockedboat_delete", "BlockedBoat"],
      ["boat_sink", "Boat"],
      ["log_delete", "Log"],
      ["marinaboat_bill", "MarinaBoat"],
    ]);
  });

  it("lead from the row itself where a call gets it", async () => {
    const own = { "/boats/{boat_id}": { get: answering(boat), put: taking(boat) } };
    const { domain } = await made({ ...fleets, ...own });
    expect(domain.capabilities).toHaveProperty("boat_get");
    expect(domain.entities["Boat"]?.["relations"]).toHaveProperty("logs");
  });

  it("lead on to what a row has the key of, as its document says", async () => {
    const moored = object({ key: { ...text, description: "The boat's key." } }, ["key"]);
    const { domain, diagnostics } = await made({
      "/boats/{key}": { get: answering(log) },
      "/piers/{pier_id}/moored": { get: answering(list(moored)) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Boat"]).toMatchObject({ fields: { key: { value_ref: "text" } } });
    const [, rows] = Object.values(domain.entities);
    expect(rows).toMatchObject({ id_field: "key", fields: { key: { value_ref: "boat" } } });
  });

  it("lead from rows of another version that are called so", async () => {
    const { domain, diagnostics } = await made({
      "/v2/boats/{id}": { get: answering(boat) },
      "/v1/boats/{boatId}/logs": { get: answering(list(log)) },
    });
    expect(diagnostics).toEqual([]);
    expect(domain.entities["Boat"]?.["relations"]).toHaveProperty("logs");
  });
});
