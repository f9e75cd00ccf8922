import fc from "fast-check";
import type { Catalog } from "../src/mapping/template.ts";
import { buildCatalog, type TypeSpec } from "./build-catalog.ts";

const NAMES = ["id", "op", "at", "note", "size", "box", "by"] as const;
const TYPES: readonly TypeSpec[] = [
  "str",
  "int",
  "num",
  "bool",
  "date",
  "uuid",
  "json",
  "markdown",
  "open|done",
  "{open|done}",
  "[int]",
  "→Ash",
  "[→Ash]",
  "→Birch",
];

type Ref = (type: TypeSpec) => string;
type Made = (ref: Ref) => object;
const { constantFrom, tuple, boolean, uniqueArray, integer } = fc;

interface Shapes extends Record<string, unknown> {
  readonly input: Made;
  readonly value: Made;
  readonly object: Made;
  readonly union: Made;
  readonly array: Made;
  readonly fields: (ref: Ref) => readonly object[];
}

/** Inputs of every shape within each other, whose members share few names with many types. */
const { input, object, union } = fc.letrec<Shapes>((tie) => ({
  value: constantFrom(...TYPES).map((type): Made => (ref) => ({ value_ref: ref(type) })),
  fields: uniqueArray(tuple(constantFrom(...NAMES), boolean(), tie("input")), {
    selector: ([name]) => name,
    maxLength: 3,
  }).map(
    (drawn) => (ref: Ref) =>
      drawn.map(([name, required, made]) => ({ name, required, ...made(ref) })),
  ),
  object: tie("fields").map((fields): Made => (ref) => ({
    input_type: { type: "object", fields: fields(ref) },
  })),
  union: tuple(
    constantFrom("kind", "op"),
    uniqueArray(integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
  ).chain(([field, values]) =>
    tuple(...values.map(() => tie("fields"))).map((each): Made => (ref) => ({
      input_type: {
        type: "union",
        variants: values.map((value, at) => ({
          name: `v${value}`,
          wire: { field, value: `w${value}` },
          fields: (each[at]?.(ref) ?? []).filter(
            (member) => !("name" in member) || member.name !== field,
          ),
        })),
      },
    })),
  ),
  array: tuple(tie("input"), integer({ min: 0, max: 2 }), boolean())
    // A list of lists is written by no program (LANG-040).
    .map(([made, least, bounded]): Made => (ref) => {
      const element = made(ref);
      const type =
        "input_type" in element ? (element.input_type as { readonly type: string }) : null;
      if (type === null || type.type === "array") return { value_ref: ref("[str]") };
      const bounds = bounded ? { min_length: least, max_length: least + 1 } : {};
      return { input_type: { type: "array", element_type: type, ...bounds } };
    }),
  input: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("value"),
    tie("object"),
    tie("union"),
    tie("array"),
  ),
}));

/** A request whose body is the input, whatever it is. */
const posted = (...path: readonly string[]): object => ({
  method: "POST",
  path: [{ type: "literal", value: "x" }, ...path.map((name) => ({ type: "var", name }))],
  body: { type: "var", name: "input" },
});

/** Catalogs whose effects take such inputs, and whose entities have keys of each form. */
export function arbitraryInputs(): fc.Arbitrary<Catalog> {
  const whole = fc.oneof(object, union).map((made): Made => (ref) => ({
    output: { type: "side_effect", description: "done" },
    input_schema: made(ref),
  }));
  const named = uniqueArray(tuple(constantFrom(...NAMES), boolean(), input), {
    selector: ([name]) => name,
    minLength: 1,
    maxLength: 4,
  }).map((slots): Made => (ref) => ({
    parameters: slots.map(([name, required, made]) => ({ name, required, ...made(ref) })),
  }));
  const key = constantFrom<TypeSpec>("str", "int", "uuid", "open|done");
  return tuple(whole, named, boolean(), boolean(), key).map(([edit, make, reads, columns, type]) =>
    buildCatalog("north", {
      entities: {
        Ash: { fields: { id: type, size: "num" }, more: { domain_projection_examples: columns } },
        Birch: { key: ["by", "no"], fields: { by: "→Ash", no: "int", note: "str" } },
      },
      capabilities: {
        ...(reads ? { ash_get: { kind: "get", entity: "Ash" } } : {}),
        ash_edit: { kind: "action", entity: "Ash", more: edit, mapping: posted("id") },
        birch_query: { kind: "query", entity: "Birch", params: { "size?": "int" } },
        birch_create: { kind: "create", entity: "Birch", more: make, mapping: posted() },
      },
    }),
  );
}
