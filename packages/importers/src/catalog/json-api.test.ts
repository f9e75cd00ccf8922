import { expect, it } from "vitest";
import { answering, list, made, object, query, text } from "../testing/made.ts";

const id = { type: "string", format: "uuid" };
const linked = (type: string) => object({ data: object({ id, type: { const: type } }) });
const boat = object({
  id,
  type: text,
  attributes: object({ title: text, length: { type: "number" }, id: text }),
  relationships: object({
    owner: linked("people"),
    crew: object({ data: list(object({ id, type: text })) }),
    harbour: linked("harbours"),
  }),
});
const person = object({ id, type: text, attributes: object({ name: text }) });
const paths = {
  "/boats": {
    get: answering(object({ data: list(boat) }), {
      parameters: [query("filter[title]", text), query("filter[since]", text)],
    }),
  },
  "/boats/{id}": { get: answering(object({ data: boat, included: list(object({})) })) },
  "/owners": { get: answering(object({ data: list(person) })) },
  "/owners/{id}": { get: answering(object({ data: person })) },
};

it("21 a resource of JSON:API has its attributes as columns, and refers to others one by one", async () => {
  const { domain, diagnostics } = await made(paths);
  expect(diagnostics).toEqual([]);
  const { fields } = domain.entities["Boat"] as { fields: Record<string, object> };
  expect(fields["title"]).toMatchObject({ path: ["attributes", "title"] });
  expect(fields["length"]).toMatchObject({ path: ["attributes", "length"] });
  expect(fields["id_2"]).toMatchObject({ path: ["attributes", "id"] });
  expect(fields["owner"]).toMatchObject({ path: ["relationships", "owner", "data", "id"] });
  expect(fields["harbour"]).toMatchObject({ path: ["relationships", "harbour", "data", "id"] });
  expect(Object.keys(fields)).not.toContain("attributes");
  expect(domain.values["owner"]).toEqual({ type: "entity_ref", target: "Owner" });
});

it("21 an object called attributes in a row that is no such resource stays one", async () => {
  const plain = object({ id, attributes: object({ title: text }) });
  const { domain } = await made({
    "/boats": { get: answering(list(plain)) },
    "/boats/{id}": { get: answering(plain) },
  });
  const { fields } = domain.entities["Boat"] as { fields: Record<string, object> };
  expect(Object.keys(fields).toSorted()).toEqual(["attributes", "id"]);
});

it("21 a filter in brackets is the condition of the column that it filters by", async () => {
  const { domain, mappings } = await made(paths);
  const parameters = domain.capabilities["boat_query"]?.["parameters"] as { name: string }[];
  expect(parameters.map(({ name }) => name).toSorted()).toEqual(["since", "title"]);
  expect(mappings["boat_query"]?.["query"]).toMatchObject({
    fields: [
      ["filter[since]", { type: "var", name: "since" }],
      ["filter[title]", { type: "var", name: "title" }],
    ],
  });
});
