import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { EntityKey } from "../../federation/entity-key.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import type { Name } from "../../language/ast-names.ts";
import type { Call } from "../../language/ast-steps.ts";
import type { Arg } from "../../language/ast-values.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import type { Capability } from "../../schema/capability.ts";
import type { Slot } from "../../schema/input.ts";
import { spanIn } from "../../source/source-text.ts";
import type { CheckContext } from "../check-context.ts";
import { nameMeaning } from "../names/symbol-name.ts";
import { symbolProblem } from "../names/symbol-problem.ts";
import { speakerLike } from "../names/speaker.ts";
import { slotType } from "../slot-type.ts";
import { typeText } from "../type-text.ts";
import type { TypedArgs, TypedValue } from "../typed-program.ts";
import { readValue } from "../values/read-value.ts";
import { UNKNOWN_VALUE } from "../values/value-reading.ts";
import { argumentForms } from "./call-form.ts";

/** A call whose arguments are read: by name, all required ones given (LANG-077). */
interface ArgReader {
  readonly context: CheckContext;
  readonly entity: EntityKey;
  readonly capability: Capability;
  readonly call: Call;
  readonly slots: ReadonlyMap<string, Slot>;
  /** slots that the row it is called on fills, unless they are given */
  readonly bound: ReadonlySet<string>;
}

/** Reads the arguments of a call and reports what is wrong with them. */
export function readArgs(
  context: CheckContext,
  entity: EntityKey,
  capability: Capability,
  call: Call,
  bound: ReadonlySet<string> = new Set(),
): TypedArgs {
  const catalog = catalogOf(context.exposure.catalogs, entity.entryId);
  const { slots } = capabilitySlots(catalog, capability);
  const named = new Map(slots.map((slot) => [slot.name, slot]));
  const reader = { context, entity, capability, call, slots: named, bound };
  const args = new Map<string, TypedValue>();
  let whole = true;
  for (const arg of call.args) whole = readArg(reader, arg, args) && whole;
  if (whole) reportMissing(reader, args);
  // What is missing has been reported, as such or by what stands in its place.
  for (const slot of slots) {
    if (isMissing(reader, slot, args)) args.set(slot.name, UNKNOWN_VALUE);
  }
  return args;
}

/** Reads one argument; false if what it was for is unknown. */
function readArg(reader: ArgReader, arg: Arg, args: Map<string, TypedValue>): boolean {
  const { context } = reader;
  if (arg.name === undefined) {
    if (arg.value.kind !== "Bad") context.found.add(positional(reader, arg));
    return arg.value.kind === "PlaceholderValue" && arg.value.raw === "..";
  }
  const meaning = nameMeaning(context.exposure.symbols, arg.name.text);
  const wire = meaning.kind === "name" || meaning.kind === "unallocated" ? meaning.text : null;
  const slot = wire === null ? undefined : reader.slots.get(wire);
  if (slot === undefined) {
    const symbol = meaning.kind === "name" ? null : symbolProblem(context, arg.name, "p");
    context.found.add(symbol ?? unknownArgument(reader, arg.name, wire ?? arg.name.text));
    return false;
  }
  if (args.has(slot.name)) {
    const args = { slot: arg.name.text };
    context.found.add(diagnose(valueMessages.duplicateArgument, arg.span, args));
    return false;
  }
  args.set(slot.name, readSlot(reader, slot, arg));
  return true;
}

function readSlot(reader: ArgReader, slot: Slot, arg: Arg): TypedValue {
  const { context, entity, capability } = reader;
  const schema = capability.inputSchema;
  const refusesNull = schema?.validated === true && !schema.allowNull;
  const reading = readValue(context, arg.value, {
    shown: arg.name?.text ?? slot.name,
    type: { entryId: entity.entryId, type: slotType(slot) },
    nullable: !slot.required && !refusesNull,
    use: "wire",
  });
  for (const problem of reading.problems) context.found.add(problem);
  return reading.value ?? UNKNOWN_VALUE;
}

function positional(reader: ArgReader, arg: Arg): Diagnostic {
  const { context, entity, capability, call, slots } = reader;
  const speaker = speakerLike(context.exposure, call.name.text);
  const all = [...slots.values()];
  if (arg.value.kind === "PlaceholderValue" && arg.value.raw === "..") {
    const optional = all.filter((slot) => !slot.required);
    const name = call.name.text;
    if (optional.length === 0) {
      return diagnose(valueMessages.placeholderOptionsNone, arg.span, { name });
    }
    const named = optional.map((slot) => {
      const type = { entryId: entity.entryId, type: slotType(slot) };
      return `${speaker.name(slot.name)} ${typeText(context.exposure, type)}`;
    });
    return diagnose(valueMessages.placeholderOptions, arg.span, { name, slots: named.join(", ") });
  }
  const required = all.filter((slot) => slot.required);
  const shown = required.length > 0 ? required : all.slice(0, 1);
  const forms = argumentForms(context, entity, shown, call.name.text);
  const args = {
    name: speaker.method(entity, capability.label),
    form: `${call.name.text}(${forms})`,
  };
  return diagnose(valueMessages.positional, arg.span, args);
}

function unknownArgument(reader: ArgReader, name: Name, wire: string): Diagnostic {
  const { context, entity, capability, slots } = reader;
  const speaker = speakerLike(context.exposure, name.text);
  const names = [...slots.keys()];
  const near = nearestName(wire, names);
  const args = {
    name: speaker.method(entity, capability.label),
    slot: speaker.name(wire),
    nearest: speaker.nearest(names, wire),
    slots: speaker.names(names, wire),
  };
  const edits = near === null ? undefined : [{ span: name.span, replacement: speaker.code(near) }];
  return diagnose(valueMessages.unknownArgument, name.span, args, edits);
}

function isMissing({ bound }: ArgReader, slot: Slot, args: TypedArgs): boolean {
  return slot.required && !args.has(slot.name) && !bound.has(slot.name);
}

/** All required arguments that are absent in one error, at the end of the call (ERR-002). */
function reportMissing(reader: ArgReader, args: TypedArgs): void {
  const { context, entity, capability, call, slots } = reader;
  const missing = [...slots.values()].filter((slot) => isMissing(reader, slot, args));
  if (missing.length === 0) return;
  const speaker = speakerLike(context.exposure, call.name.text);
  const named = missing.map((slot) => {
    const type = { entryId: entity.entryId, type: slotType(slot) };
    return `${speaker.name(slot.name)} ${typeText(context.exposure, type)}`;
  });
  const end = Math.max(call.span.start, call.span.end - 1);
  const texts = {
    name: speaker.method(entity, capability.label),
    slots: named.join(", "),
    forms: argumentForms(context, entity, missing, call.name.text),
  };
  context.found.add(
    diagnose(valueMessages.missingArguments, spanIn(context.source, end, end), texts),
  );
}
