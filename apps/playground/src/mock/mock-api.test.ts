import { quayDocument } from "@plasm/sample-apis/quay-document";
import { describe, expect, it } from "vitest";
import { mockApi } from "./mock-api.ts";

const asked = async (document: object, path: string, init: RequestInit = {}) => {
  const answer = await mockApi(document as never)(new Request(`https://mock.invalid${path}`, init));
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
};

const withAnswer = (content: object, more: object = {}) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": { get: { responses: { 200: { description: "", content } } } },
    "/orders/{order_id}": {
      get: { responses: { 200: { $ref: "#/components/responses/Order" } } },
      patch: { responses: { 200: { $ref: "#/components/responses/Order" } } },
      delete: { responses: { 204: { description: "" } } },
    },
    "/orders/last": { get: { responses: { 200: { description: "", content } } } },
  },
  components: {
    responses: {
      Order: {
        description: "",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
      },
    },
    schemas: {
      Order: {
        type: "object",
        properties: {
          id: { type: "string" },
          note: { type: "string" },
          state: { type: "string", enum: ["open", "paid"] },
          total: { type: "integer" },
        },
      },
    },
  },
  ...more,
});

const ORDERS = {
  "application/json": {
    schema: { type: "array", items: { $ref: "#/components/schemas/Order" } },
  },
};

describe("a mock of a document (SURF-59)", () => {
  it("answers with the example that the document has", async () => {
    const example = [{ id: "o-7", note: "blue", state: "paid", total: 3 }];
    const document = withAnswer({ "application/json": { ...ORDERS["application/json"], example } });
    expect(await asked(document, "/orders")).toEqual({ status: 200, body: example });
    const named = withAnswer({ "application/json": { examples: { one: { value: example } } } });
    expect(await asked(named, "/orders")).toEqual({ status: 200, body: example });
  });

  it("reads an example that is JSON as a text, and takes none that the schema forbids", async () => {
    const schema = ORDERS["application/json"];
    const text = withAnswer({ "application/json": { ...schema, example: '[{"id": "o-7"}]' } });
    expect(await asked(text, "/orders")).toMatchObject({ body: [{ id: "o-7" }] });
    const address = { ref: { value: "/examples/orders.json" } };
    const other = withAnswer({ "application/json": { ...schema, examples: address } });
    expect(await asked(other, "/orders")).toMatchObject({ body: [{ id: "id 1" }, {}, {}] });
  });

  it("answers with what the schema describes where there is none, as several rows", async () => {
    const { body } = await asked(withAnswer(ORDERS), "/orders?limit=3");
    expect(body).toEqual([
      { id: "id 1", note: "note 1", state: "open", total: 0 },
      { id: "id 2", note: "note 2", state: "open", total: 0 },
      { id: "id 3", note: "note 3", state: "open", total: 0 },
    ]);
  });

  it("answers with the row that was asked for, and with what was sent", async () => {
    const document = withAnswer(ORDERS);
    expect(await asked(document, "/orders/a%2Fb")).toMatchObject({ body: { id: "a/b" } });
    const init = { method: "PATCH", body: JSON.stringify({ note: "red", unknown: 1 }) };
    expect(await asked(document, "/orders/o1", init)).toEqual({
      status: 200,
      body: { id: "o1", note: "red", state: "open", total: 0 },
    });
    const gone = await asked(document, "/orders/o1", { method: "DELETE" });
    expect(gone).toEqual({ status: 204, body: null });
  });

  it("takes the path with fewer variables, and knows no other", async () => {
    const document = withAnswer(ORDERS);
    expect(await asked(document, "/orders/last")).toMatchObject({ body: [{ id: "id 1" }, {}, {}] });
    expect(await asked(document, "/orders", { method: "PUT" })).toMatchObject({ status: 404 });
    expect(await asked(document, "/baskets")).toMatchObject({ status: 404 });
  });

  it("has one page of any list", async () => {
    const schema = {
      type: "object",
      properties: {
        items: { type: "array", items: { $ref: "#/components/schemas/Order" } },
        has_more: { type: "boolean" },
        next_cursor: { type: "string" },
      },
    };
    const { body } = await asked(withAnswer({ "application/json": { schema } }), "/orders");
    expect(body).toMatchObject({ has_more: false, next_cursor: null, items: [{}, {}, {}] });
  });

  it("reads Swagger 2.0", async () => {
    const document = {
      swagger: "2.0",
      info: { title: "Shop", version: "1" },
      paths: {
        "/orders": {
          get: {
            produces: ["application/json"],
            responses: {
              200: {
                description: "",
                schema: { type: "array", items: { $ref: "#/definitions/Order" } },
              },
            },
          },
        },
      },
      definitions: { Order: { type: "object", properties: { id: { type: "integer" } } } },
    };
    const { body } = await asked(document, "/orders");
    expect(body).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it("answers for the sample harbour's own document", async () => {
    const document = quayDocument();
    expect(await asked(document, "/boats")).toMatchObject({ status: 200 });
    const one = await asked(document, "/boats/b7");
    expect(one).toMatchObject({ status: 200, body: { id: "b7", state: "moored" } });
  });
});
