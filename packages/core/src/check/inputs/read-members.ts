import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { inputMessages } from "../../diagnostics/step-messages.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameList, nearestName } from "../../diagnostics/nearest-name.ts";
import type { ObjectEntry, ObjectValue, Value } from "../../language/grammar/ast-values.ts";
import type { InputField, InputType, Variant } from "../../model/input.ts";
import { spanIn } from "../../base/source.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { nameMeaning, symbolProblem } from "../names/name-formatter.ts";
import type { TypedValue } from "../typed-program.ts";
import { foldObject } from "../values/scalar-values.ts";
import {
  foundText,
  literalText,
  UNKNOWN_VALUE,
  type ValueReading,
} from "../values/value-reading.ts";
import { type InputSlot, memberForms, type ReadInput, slotText } from "./input-text.ts";
import { wireText } from "../../language/grammar/printer.ts";
import { fittingVariant, type UnionInput } from "../../model/slots-of.ts";
import type { Span } from "../../base/span.ts";

/** The members an object takes. */
export type ObjectInput = Pick<
  Extract<InputType, { kind: "object" }>,
  "fields" | "additionalFields"
>;

/**
 * An object by its declared fields: unknown members are errors unless more are allowed, which are then
 * any values; all required ones are there. `told` are members that are read already.
 */
export function readMembers(
  context: CheckContext,
  value: ObjectValue,
  slot: InputSlot,
  input: ObjectInput,
  read: ReadInput,
  told: ReadonlyMap<string, TypedValue> = new Map(),
): ValueReading {
  const fields = new Map(input.fields.map((field) => [field.name, field]));
  const members = new Map<string, TypedValue>(told);
  const toldHere = new Set<string>();
  const problems: Diagnostic[] = [];
  let whole = true;
  for (const entry of value.entries) {
    const name = memberName(context, entry, fields, problems);
    if (name !== null && told.has(name)) {
      if (toldHere.has(name)) problems.push(duplicateMember(entry, slot.shown));
      toldHere.add(name);
      continue;
    }
    const field = name === null ? undefined : fields.get(name);
    if (name === null || (field === undefined && !input.additionalFields)) {
      const names = [...told.keys(), ...fields.keys()];
      if (name !== null) problems.push(unknownMember(entry, slot, name, names));
      whole = false;
      continue;
    }
    if (members.has(name)) {
      problems.push(duplicateMember(entry, slot.shown));
      continue;
    }
    const reading = read(context, entry.value, memberSlot(entry, slot, field));
    problems.push(...reading.problems);
    members.set(name, reading.value ?? UNKNOWN_VALUE);
  }
  const missing = input.fields.filter((field) => field.required && !members.has(field.name));
  if (whole && missing.length > 0) problems.push(missingMembers(context, value, slot, missing));
  for (const field of missing) members.set(field.name, UNKNOWN_VALUE);
  return { value: foldObject(members), problems };
}

/** The wire name of a member's key (TEACH-9), or null if it is a symbol that names none. */
function memberName(
  context: CheckContext,
  { key }: ObjectEntry,
  fields: ReadonlyMap<string, InputField>,
  problems: Diagnostic[],
): string | null {
  if (key.kind !== "Name") return key.text;
  const meaning = nameMeaning(context.exposure.symbols, key.text);
  if (meaning.kind === "name") return meaning.text;
  if (fields.has(key.text)) return key.text;
  problems.push(symbolProblem(context, key, "p"));
  return null;
}

const ANY: InputType = { kind: "value", type: { kind: "json" } };

function memberSlot(entry: ObjectEntry, slot: InputSlot, field: InputField | undefined): InputSlot {
  const shown = entry.key.text;
  if (field === undefined) {
    return { ...slot, shown, input: ANY, nullable: true, omittable: true };
  }
  const nullable = slot.nullableMembers && !field.required;
  return { ...slot, shown, input: field.input, nullable, omittable: !field.required };
}

function duplicateMember({ key, span }: ObjectEntry, slot: string): Diagnostic {
  return diagnose(inputMessages.duplicateMember, span, { name: key.text, slot });
}

function unknownMember(
  { key }: ObjectEntry,
  slot: InputSlot,
  wire: string,
  names: readonly string[],
): Diagnostic {
  return diagnoseLater(inputMessages.unknownMember, key.span, () => {
    const near = nearestName(wire, names);
    const args = {
      slot: slot.shown,
      name: key.text,
      nearest: near === null ? "" : `use ${slot.code(near)}. `,
      members: names.length === 0 ? "none" : nameList(names.map(slot.code), wire),
    };
    const edits = near === null ? undefined : [{ span: key.span, replacement: slot.code(near) }];
    return diagnose(inputMessages.unknownMember, key.span, args, edits);
  });
}

/** All that is absent in one error, before the closing brace (ERR-002). */
function missingMembers(
  context: CheckContext,
  value: ObjectValue,
  slot: InputSlot,
  missing: readonly InputField[],
): Diagnostic {
  const { exposure } = context;
  const end = Math.max(value.span.start, value.span.end - 1);
  const args = {
    slot: slot.shown,
    members: missing.map((field) => slotText(exposure, slot.entryId, field, slot.code)).join(", "),
    forms: memberForms(exposure, slot.entryId, missing, slot.code),
  };
  return diagnose(inputMessages.missingMembers, spanIn(context.source, end, end), args);
}

/** What is known of a union's members before its variant is: names as on the wire. */
interface UnionMembers {
  /** the discriminator's value, if it is given */
  readonly told: Value | undefined;
  /** the names of all other members */
  readonly names: readonly string[];
  /** where a missing discriminator belongs */
  readonly end: Span;
  /** the union as the program writes it */
  readonly shown: string;
  readonly code: (wire: string) => string;
}

/** The variant of a union value; `open` if its discriminator is a placeholder or in error. */
type VariantChoice =
  | { readonly kind: "chosen"; readonly variant: Variant }
  | { readonly kind: "open" }
  | { readonly kind: "problem"; readonly problem: Diagnostic };

/**
 * Which variant a union value is (RUN-017): that of its discriminator or, without one, the only one
 * that has all the members given and requires no others.
 */
export function chooseVariant(
  context: CheckContext,
  union: UnionInput,
  members: UnionMembers,
): VariantChoice {
  const { told } = members;
  if (told === undefined) return variantByMembers(union, members);
  if (told.kind === "PlaceholderValue" || told.kind === "Bad") return { kind: "open" };
  const text = told.kind === "BoolValue" ? String(told.value) : literalText(told);
  const variant = union.variants.find(({ wireValue }) => wireLiteral(wireValue) === text);
  if (variant !== undefined) return { kind: "chosen", variant };
  const found = foundText(told, programText(context, told.span));
  return { kind: "problem", problem: unknownVariant(union, members, told, found) };
}

function variantByMembers(union: UnionInput, members: UnionMembers): VariantChoice {
  const variant = fittingVariant(union, members.names);
  if (variant !== null) return { kind: "chosen", variant };
  const problem = diagnose(inputMessages.noVariant, members.end, texts(union, members, ""));
  return { kind: "problem", problem };
}

function unknownVariant(
  union: UnionInput,
  members: UnionMembers,
  told: Value,
  found: string,
): Diagnostic {
  const text = literalText(told);
  if (text === null) {
    return diagnose(inputMessages.openVariant, told.span, texts(union, members, ""));
  }
  return diagnoseLater(inputMessages.unknownVariant, told.span, () => {
    const words = new Map(
      union.variants.map(({ wireValue }) => [wireLiteral(wireValue), wireText(wireValue)]),
    );
    const near = words.get(nearestName(text, [...words.keys()]) ?? "");
    const nearest = near === undefined ? "" : `use ${near}. `;
    const args = { ...texts(union, members, text), found, nearest };
    const edits = near === undefined ? undefined : [{ span: told.span, replacement: near }];
    return diagnose(inputMessages.unknownVariant, told.span, args, edits);
  });
}

function texts(union: UnionInput, { shown, code }: UnionMembers, wanted: string) {
  const variants = union.variants.map(({ wireValue }) => wireText(wireValue));
  return { slot: shown, field: code(union.wireField), variants: nameList(variants, wanted) };
}

/** The value of a variant on the wire as a literal's source text. */
export function wireLiteral(value: Variant["wireValue"]): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
