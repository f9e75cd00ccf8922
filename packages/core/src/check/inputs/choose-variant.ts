import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { inputMessages } from "../../diagnostics/input-messages.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nameList, nearestName } from "../../diagnostics/nearest-name.ts";
import type { Value } from "../../language/ast-values.ts";
import { wireText } from "../../language/option-text.ts";
import type { Variant } from "../../schema/input.ts";
import { fittingVariant, type UnionInput } from "../../schema/union-input.ts";
import type { Span } from "../../source/span.ts";
import { type CheckContext, textOf } from "../check-context.ts";
import { foundText, literalText } from "../values/literal-text.ts";

/** What is known of a union's members before its variant is: names as on the wire. */
export interface UnionMembers {
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
export type VariantChoice =
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
  const found = foundText(told, textOf(context, told.span));
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
