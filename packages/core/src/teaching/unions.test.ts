import { expect, test } from "vitest";
import { buildCatalog, type TypeSpec } from "../../test/build-catalog.ts";
import { tableLines, teach } from "../../test/teach.ts";

type Ref = (type: TypeSpec) => string;

const variants = (ref: Ref) => [
  {
    name: "insert",
    wire: { field: "op", value: "insert" },
    fields: [
      { name: "at", value_ref: ref("int"), required: true },
      { name: "text", value_ref: ref("str"), required: true },
      { name: "bold", value_ref: ref("bool") },
    ],
  },
  {
    name: "drop",
    wire: { field: "op", value: "drop" },
    fields: [{ name: "at", value_ref: ref("int"), required: true }],
  },
];

/** Rows of an entity Part whose method `edit` takes this input, in names; the head left out. */
function editRows(input: (ref: Ref) => object): readonly string[] {
  const catalog = buildCatalog("yard", {
    entities: { Part: { fields: { id: "str" } } },
    capabilities: {
      part_get: { kind: "get", entity: "Part" },
      part_edit: {
        kind: "action",
        entity: "Part",
        more: (ref) => ({
          output: { type: "side_effect", description: "done" },
          input_schema: { input_type: input(ref) },
        }),
      },
    },
  });
  const { waves } = teach(new Map([["yard", catalog]]), [[["yard", "Part"]]], {
    notation: "names",
  });
  expect(waves[0]?.parts).toContain("effects");
  return tableLines(waves[0]).filter((line) => line !== "Part($)[id]  Part");
}

const field = (name: string, input_type: object, required = true) => ({
  name,
  input_type,
  required,
});

test("one row per variant, the discriminator filled in (TEACH-18, C-105)", () => {
  const union = (ref: Ref) => ({ type: "union", variants: variants(ref) });
  const list = (ref: Ref) => ({
    type: "object",
    fields: [field("ops", { type: "array", element_type: union(ref) })],
  });
  expect(editRows(list)).toEqual([
    "at  int",
    "bold  bool",
    "id  str",
    "op  insert|drop",
    "ops  [object]",
    "text  str",
    "Part($).edit(ops=[{op: insert, at: $, text: $}])  () · opt ops.bold",
    "Part($).edit(ops=[{op: drop, at: $}])  ()",
  ]);
});

test("if the whole input is the union, its members are the arguments (TEACH-18, RUN-017)", () => {
  expect(editRows((ref) => ({ type: "union", variants: variants(ref) })).slice(-2)).toEqual([
    "Part($).edit(op=insert, at=$, text=$)  () · opt bold",
    "Part($).edit(op=drop, at=$)  ()",
  ]);
});

test("an optional union looks optional: a row without it, then one per variant (TEACH-16, TEACH-18)", () => {
  const optional = (ref: Ref) => ({
    type: "object",
    fields: [
      { name: "note", value_ref: ref("str"), required: true },
      field("op_of", { type: "union", variants: variants(ref).slice(1) }, false),
    ],
  });
  expect(editRows(optional).slice(-2)).toEqual([
    "Part($).edit(note=$)  () · opt op_of",
    "Part($).edit(note=$, op_of={op: drop, at: $})  ()",
  ]);
});

test("a plain object shows what it requires", () => {
  const box = (ref: Ref) => ({
    type: "object",
    fields: [
      field("box", {
        type: "object",
        fields: [
          { name: "size", value_ref: ref("int"), required: true },
          { name: "colour", value_ref: ref("str") },
        ],
      }),
      field("free", { type: "object", fields: [], additional_fields: true }),
    ],
  });
  expect(editRows(box)).toEqual([
    "box  object",
    "colour  str",
    "free  json",
    "id  str",
    "size  int",
    "Part($).edit(box={size: $}, free=$)  () · opt box.colour",
  ]);
});

test("17.16 a slot with another type in another variant has it in that row (TEACH-19)", () => {
  const clash = (ref: Ref) => ({
    type: "union",
    variants: [
      {
        name: "set",
        wire: { field: "op", value: "set" },
        fields: [{ name: "to", value_ref: ref("int"), required: true }],
      },
      {
        name: "name",
        wire: { field: "op", value: "name" },
        fields: [{ name: "to", value_ref: ref("str"), required: true }],
      },
    ],
  });
  expect(editRows(clash)).toEqual([
    "id  str",
    "op  set|name",
    "to  int",
    "Part($).edit(op=set, to=$)  ()",
    "Part($).edit(op=name, to=$)  () · here to str",
  ]);
});

test("of several rows the first says what the capability does, for all (TEACH-18, TEACH-41)", () => {
  const catalog = buildCatalog("yard", {
    entities: { Part: { fields: { id: "str" } } },
    capabilities: {
      part_get: { kind: "get", entity: "Part" },
      part_edit: {
        kind: "action",
        entity: "Part",
        description: "changes it",
        more: (ref) => ({
          output: { type: "side_effect", description: "done" },
          input_schema: { input_type: { type: "union", variants: variants(ref) } },
        }),
      },
    },
  });
  const { waves } = teach(new Map([["yard", catalog]]), [[["yard", "Part"]]], {
    notation: "names",
  });
  expect(tableLines(waves[0]).filter((line) => line.startsWith("Part($).edit"))).toEqual([
    "Part($).edit(op=insert, at=$, text=$)  () · opt bold · changes it",
    "Part($).edit(op=drop, at=$)  ()",
  ]);
});
