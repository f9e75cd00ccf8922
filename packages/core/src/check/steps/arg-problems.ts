import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import { diagnose, diagnoseLater } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { EntityKey } from "../../catalog/federation.ts";
import type { Arg, Name } from "../../language/grammar/ast-values.ts";
import type { Call } from "../../language/grammar/ast.ts";
import type { Capability } from "../../model/model.ts";
import type { Slot } from "../../model/input.ts";
import { spanIn } from "../../base/source.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { slotText } from "../inputs/input-text.ts";
import { nameMeaning, speakerLike } from "../names/name-formatter.ts";
import type { TypedArgs } from "../typed-program.ts";
import { argumentForms } from "./call-form.ts";

/** The call that arguments are written in. */
export interface ArgPlace {
  readonly entity: EntityKey;
  readonly capability: Capability;
  readonly call: Call;
  readonly slots: ReadonlyMap<string, Slot>;
  readonly bound: ReadonlySet<string>;
}

/** A value without a name: the form with names, or for `..` the optional slots. */
export function positional(context: CheckContext, place: ArgPlace, arg: Arg): Diagnostic {
  const { entity, capability, call, slots } = place;
  const all = [...slots.values()];
  if (arg.value.kind === "PlaceholderValue" && arg.value.raw === "..") {
    return optionsOf(context, place, arg);
  }
  const required = all.filter((slot) => slot.required);
  const shown = required.length > 0 ? required : all.slice(0, 1);
  const forms = argumentForms(context, entity, shown, call.name.text);
  const args = {
    name: speakerLike(context.exposure, call.name.text).method(entity, capability.label),
    form: `${call.name.text}(${forms})`,
  };
  return diagnose(valueMessages.positional, arg.span, args, objectEdits(context, place, arg));
}

/** `m({k: v})`: the members of the only argument are the arguments, where each is a slot. */
function objectEdits(
  context: CheckContext,
  { call, slots }: ArgPlace,
  { value, span }: Arg,
): readonly Edit[] | undefined {
  if (value.kind !== "ObjectValue" || call.args.length > 1) return undefined;
  const named = value.entries.map(({ key, value: member }) => {
    const name = nameMeaning(context.exposure.symbols, key.text);
    const slot = name.kind === "name" || name.kind === "unallocated" ? name.text : "";
    return slots.has(slot) ? `${key.text}=${programText(context, member.span)}` : null;
  });
  return named.includes(null) ? undefined : [{ span, replacement: named.join(", ") }];
}

function optionsOf(context: CheckContext, place: ArgPlace, arg: Arg): Diagnostic {
  const { entity, call, slots } = place;
  const speaker = speakerLike(context.exposure, call.name.text);
  const optional = [...slots.values()].filter((slot) => !slot.required);
  const name = call.name.text;
  if (optional.length === 0) {
    return diagnose(valueMessages.placeholderOptionsNone, arg.span, { name });
  }
  const named = optional.map((slot) => {
    return slotText(context.exposure, entity.entryId, slot, (wire) => speaker.name(wire));
  });
  return diagnose(valueMessages.placeholderOptions, arg.span, { name, slots: named.join(", ") });
}

export function unknownArgument(
  context: CheckContext,
  { entity, capability, slots }: ArgPlace,
  name: Name,
  wire: string,
): Diagnostic {
  return diagnoseLater(valueMessages.unknownArgument, name.span, () => {
    const speaker = speakerLike(context.exposure, name.text);
    const names = [...slots.keys()];
    const near = nearestName(wire, names);
    const args = {
      name: speaker.method(entity, capability.label),
      slot: speaker.name(wire),
      nearest: speaker.nearest(names, wire),
      slots: speaker.names(names, wire),
    };
    const edits =
      near === null ? undefined : [{ span: name.span, replacement: speaker.code(near) }];
    return diagnose(valueMessages.unknownArgument, name.span, args, edits);
  });
}

/** Whether a required slot has neither an argument nor a row that fills it (RUN-010). */
export function isMissing({ bound }: ArgPlace, slot: Slot, args: TypedArgs): boolean {
  return slot.required && !args.has(slot.name) && !bound.has(slot.name);
}

/** All required arguments that are absent in one error, at the end of the call (ERR-002), or null. */
export function missingArguments(
  context: CheckContext,
  place: ArgPlace,
  args: TypedArgs,
): Diagnostic | null {
  const { entity, capability, call, slots } = place;
  const missing = [...slots.values()].filter((slot) => isMissing(place, slot, args));
  if (missing.length === 0) return null;
  const speaker = speakerLike(context.exposure, call.name.text);
  const named = missing.map((slot) => {
    return slotText(context.exposure, entity.entryId, slot, (wire) => speaker.name(wire));
  });
  const texts = {
    name: speaker.method(entity, capability.label),
    slots: named.join(", "),
    forms: argumentForms(context, entity, missing, call.name.text),
  };
  return diagnose(valueMessages.missingArguments, endOf(context, call), texts);
}

/** The empty place before the closing parenthesis of a call. */
export function endOf(context: CheckContext, call: Call) {
  const end = Math.max(call.span.start, call.span.end - 1);
  return spanIn(context.source, end, end);
}
