import fc from "fast-check";
import type { Entity, Json } from "@plasm/core";
import { keyText } from "@plasm/core/internal";
import { describe, expect, test } from "vitest";
import { catalogOf } from "../testing/fixture-run.ts";
import { makeIdentity } from "./entity-row.ts";

const slip = catalogOf(
  "yard",
  `
version: 1
http_backend: https://yard.example
values: { text: { type: string, string_semantics: short } }
entities:
  Slip:
    id_field: id
    fields: { id: { value_ref: text, required: true } }
    relations: {}
capabilities:
  slip_query: { kind: query, entity: Slip }
`,
  "slip_query: { method: GET, path: [{ type: literal, value: slips }] }\n",
).cgs.entities.get("Slip");

/** An entity whose key has these parts. */
function entityWith(parts: readonly string[]): Entity {
  if (slip === undefined) throw new Error("the catalog of this test has no Slip");
  return { ...slip, idField: parts[0] ?? slip.idField, keyVars: parts };
}

const textOf = (parts: Readonly<Record<string, Json>>): string | undefined =>
  makeIdentity(entityWith(Object.keys(parts)), parts)?.text;

describe("17.20 RUN-046: one text form of an identity", () => {
  test.each<[string, Readonly<Record<string, Json>>, string]>([
    ["parts sort by code point", { "\u{1f6a2}": 1, "\uffe6": 2 }, "Slip:\uffe6=2,\u{1f6a2}=1"],
    ["values keep what is beyond U+FFFF", { b: "\u{1f6a2}", a: "=," }, "Slip:a=%3D%2C,b=\u{1f6a2}"],
    ["a reference of one part is its key", { boat: { id: "b1" }, day: 3 }, "Slip:boat=b1,day=3"],
    [
      "a nested key is escaped whole",
      { lot: { no: 1, at: "n" }, z: 1 },
      "Slip:lot=at%3Dn%2Cno%3D1,z=1",
    ],
  ])("%s", (_name, parts, text) => {
    expect(textOf(parts)).toBe(text);
  });

  test("the identity of a row and the key of a condition are one text", () => {
    const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 });
    const scalar = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 1 }),
      fc.integer(),
      fc.boolean(),
    );
    const part = fc.oneof(scalar, fc.dictionary(name, scalar, { minKeys: 1, maxKeys: 3 }));
    fc.assert(
      fc.property(fc.dictionary(name, part, { minKeys: 1, maxKeys: 4 }), (parts) => {
        expect(textOf(parts)).toBe(`Slip:${keyText(parts)}`);
      }),
    );
  });
});
