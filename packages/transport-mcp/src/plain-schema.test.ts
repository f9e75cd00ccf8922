import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainSchema } from "./plain-schema.ts";

describe("SURF-78 schemas of tools as servers of any language write them", () => {
  it.each([
    ["a type that may be null", { type: ["string", "null"] }, { type: "string" }],
    ["two types stay two", { type: ["string", "integer"] }, { type: ["string", "integer"] }],
    [
      "an option to be null (Pydantic)",
      { anyOf: [{ type: "integer" }, { type: "null" }], default: null, description: "how many" },
      { type: "integer", default: null, description: "how many" },
    ],
    [
      "two forms stay two",
      { anyOf: [{ type: "integer" }, { type: "string" }] },
      { anyOf: [{ type: "integer" }, { type: "string" }] },
    ],
    [
      "null among choices",
      { enum: ["a", null], type: ["string", "null"] },
      { enum: ["a"], type: "string" },
    ],
    [
      "references to definitions, with what is said beside them",
      {
        type: "object",
        properties: { boat: { $ref: "#/$defs/Boat", description: "the first" } },
        $defs: {
          Boat: { type: "object", description: "any boat", properties: { id: { type: "string" } } },
        },
      },
      {
        type: "object",
        properties: {
          boat: {
            type: "object",
            description: "the first",
            properties: { id: { type: "string" } },
          },
        },
        $defs: {
          Boat: { type: "object", description: "any boat", properties: { id: { type: "string" } } },
        },
      },
    ],
    [
      "an optional reference",
      { anyOf: [{ $ref: "#/$defs/Boat" }, { type: "null" }], $defs: { Boat: { type: "object" } } },
      { type: "object" },
    ],
    ["a reference to elsewhere is anything", { $ref: "https://example.com/boat.json" }, {}],
    ["none at all", undefined, {}],
  ])("%s", (_name, schema, plain) => expect(plainSchema(schema)).toEqual(plain));

  it("one that holds itself ends", () => {
    const schema = {
      $ref: "#/$defs/Boat",
      $defs: { Boat: { type: "object", properties: { twin: { $ref: "#/$defs/Boat" } } } },
    };
    expect(JSON.stringify(plainSchema(schema)).length).toBeLessThan(2_000);
    expect(plainSchema({ $ref: "#" })).toEqual({});
  });

  it("one that names itself many times is read so far", () => {
    const own = Object.fromEntries(
      Array.from({ length: 30 }, (_none, at) => [`p${at}`, { $ref: "#" }]),
    );
    const plain = plainSchema({ type: "object", properties: own });
    expect(JSON.stringify(plain).length).toBeLessThan(1_000_000);
  });

  it("takes whatever a server says (fast-check)", () => {
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.record(
          {
            type: fc.constantFrom("object", "array", ["string", "null"], 3),
            properties: fc.dictionary(fc.string({ maxLength: 3 }), tie("schema"), { maxKeys: 3 }),
            items: tie("schema"),
            anyOf: fc.array(tie("schema"), { maxLength: 3 }),
            $ref: fc.constantFrom("#", "#/properties/a", "#/x", 3),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(
      fc.property(schema, (one) => {
        expect(typeof plainSchema(one)).toBe("object");
      }),
    );
  });
});
