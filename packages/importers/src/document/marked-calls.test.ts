import { describe, expect, it } from "vitest";
import { answering, list, made, object, query, ref, text } from "../testing/made.ts";

const boat = object({ BoatName: text, Berth: text });
const schemas = { Boat: boat };
const only = (name: string, value: unknown, more: object = {}) =>
  query(name, { type: typeof value, enum: [value] }, { required: true, ...more });
const needs = (name: string) => query(name, text, { required: true });

const sentOf = (mappings: Awaited<ReturnType<typeof made>>["mappings"]) =>
  Object.fromEntries(
    Object.entries(mappings).map(([name, { method, query: asked, headers, body }]) => [
      name,
      { method, asked, headers, body },
    ]),
  );

describe("21 calls that a document tells apart by what stands behind # are sent as their parameters say (ADR 0263)", () => {
  const called = (action: string, parameters: readonly object[], schema: unknown = boat) =>
    answering(schema, {
      parameters: [only("Action", action), only("Version", "2012-11-05"), ...parameters],
    });
  const always = (action: string) => [
    ["Action", { type: "const", value: action }],
    ["Version", { type: "const", value: "2012-11-05" }],
  ];

  it("rows, their key, and what is done to them are found by the names of calls", async () => {
    const { domain, mappings, left, diagnostics } = await made(
      {
        "/#Action=ListBoats": {
          get: called("ListBoats", [], object({ Boats: list(ref("Boat")) })),
        },
        "/#Action=GetBoat": {
          get: called("GetBoat", [needs("BoatName")], object({ Boat: ref("Boat") })),
        },
        "/#Action=CreateBoat": {
          get: called("CreateBoat", [needs("BoatName")], object({ Boat: ref("Boat") })),
        },
        "/#Action=DeleteBoat": { get: called("DeleteBoat", [needs("BoatName")]) },
        "/#Action=PaintBoat": { get: called("PaintBoat", [needs("BoatName"), needs("Colour")]) },
        "/#Action=MoveBoatToBerth": {
          get: called("MoveBoatToBerth", [needs("BoatName"), needs("Berth")]),
        },
      },
      { components: { schemas } },
    );

    expect([left, diagnostics]).toEqual([[], []]);
    expect(Object.keys(domain.entities)).toEqual(["Boat"]);
    expect(
      Object.fromEntries(
        Object.entries(domain.capabilities).map(([name, one]) => [name, one["kind"]]),
      ),
    ).toEqual({
      boat_query: "query",
      boat_get: "get",
      boat_create: "create",
      boat_delete: "delete",
      boat_paint: "action",
      boat_move_to_berth: "action",
    });
    const sent = sentOf(mappings);
    expect(sent["boat_query"]).toEqual({
      method: "GET",
      asked: { type: "object", fields: always("ListBoats") },
    });
    for (const one of Object.values(mappings))
      expect([one["method"], one["path"]]).toEqual(["GET", [{ type: "literal", value: "" }]]);
    expect(sent["boat_paint"]?.asked).toEqual({
      type: "object",
      fields: expect.arrayContaining([
        ...always("PaintBoat"),
        ["BoatName", { type: "var", name: "BoatName" }],
      ]),
    });
  });

  it("a call by GET and by POST is one: what its body takes and cannot be written is not left out of it", async () => {
    const body = { content: { "application/yaml": { schema: text } } };
    const twin = (action: string) => ({
      get: called(action, [needs("BoatName")], object({ Boat: ref("Boat") })),
      post: { ...called(action, []), requestBody: body },
    });
    const { mappings, left } = await made(
      {
        "/#Action=GetBoat": twin("GetBoat"),
        "/#Action=DeleteBoat": twin("DeleteBoat"),
        "/#Action=PurgeBoat": { post: { ...called("PurgeBoat", []), requestBody: body } },
      },
      { components: { schemas } },
    );

    expect(Object.values(mappings).map(({ method }) => method)).toEqual(["GET", "GET"]);
    expect(left).toEqual(["POST /#Action=PurgeBoat: it takes application/yaml"]);
  });

  it("a call that a header names is sent by POST, and reads where its name does", async () => {
    const target = (value: string, more: object = {}, answer: unknown = boat) =>
      answering(answer, {
        parameters: [
          query("Limit", text, { description: "Pagination limit" }),
          {
            name: "X-Target",
            in: "header",
            required: true,
            schema: { type: "string", enum: [value] },
          },
        ],
        requestBody: {
          required: true,
          content: {
            "application/json": { schema: object({ Limit: text, ...more }, Object.keys(more)) },
          },
        },
      });
    const { domain, mappings, left, diagnostics } = await made(
      {
        "/#X-Target=Boats_2012.ListBoats": {
          post: target("Boats_2012.ListBoats", {}, object({ Boats: list(ref("Boat")) })),
        },
        "/#X-Target=Boats_2012.DescribeBoat": {
          post: target(
            "Boats_2012.DescribeBoat",
            { BoatName: text },
            object({ Boat: ref("Boat") }),
          ),
        },
        "/#X-Target=Boats_2012.DeleteBoat": {
          post: target("Boats_2012.DeleteBoat", { BoatName: text }),
        },
      },
      { components: { schemas } },
    );

    expect([left, diagnostics]).toEqual([[], []]);
    expect(Object.entries(domain.capabilities).map(([name, one]) => [name, one["kind"]])).toEqual([
      ["boat_query", "query"],
      ["boat_get", "get"],
      ["boat_delete", "delete"],
    ]);
    expect(mappings["boat_get"]).toMatchObject({
      method: "POST",
      headers: { fields: [["X-Target", { type: "const", value: "Boats_2012.DescribeBoat" }]] },
      body: { fields: expect.arrayContaining([["BoatName", { type: "var", name: "BoatName" }]]) },
    });
    for (const one of Object.values(mappings)) expect(one["query"]).toBeUndefined();
  });

  it("a switch is sent by its name, and what it does not say stays a parameter", async () => {
    const flag = (name: string) => only(name, true, { allowEmptyValue: true });
    const inPath = { name: "Harbour", in: "path", required: true, schema: text };
    const { mappings, left } = await made({
      "/{Harbour}": { get: answering(boat, { parameters: [inPath] }) },
      "/{Harbour}#berths": { get: answering(list(boat), { parameters: [inPath, flag("berths")] }) },
      "/{Harbour}#berths&id": {
        get: answering(boat, { parameters: [inPath, flag("berths"), needs("id")] }),
      },
    });

    expect(left).toEqual([]);
    const berths = ["berths", { type: "const", value: "" }];
    const asked = Object.values(mappings).map(
      (one) => (one["query"] as { fields: unknown })?.fields,
    );
    expect(asked).toHaveLength(3);
    expect(asked).toEqual(
      expect.arrayContaining([
        undefined,
        [berths],
        expect.arrayContaining([berths, ["id", expect.objectContaining({ type: "var" })]]),
      ]),
    );
  });

  it("what no parameter takes is not guessed at", async () => {
    const { left } = await made({
      "/boats": { get: answering(list(boat)) },
      "/boats#Action=Sink": { post: answering(boat) },
    });

    expect(left).toEqual([
      'POST /boats#Action=Sink: its path says Action=Sink behind "#", and no parameter of it takes that',
    ]);
  });
});

it("21 what `allOf` says beside a reference is said of it", async () => {
  const { domain } = await made(
    {
      "/boats": {
        get: answering(
          list(object({ id: { allOf: [ref("Id"), { description: "what tells boats apart" }] } })),
        ),
      },
    },
    { components: { schemas: { Id: text } } },
  );

  const [[, entity] = ["", { fields: {} }]] = Object.entries(domain.entities);
  expect(entity.fields).toMatchObject({ id: { description: "what tells boats apart" } });
});
