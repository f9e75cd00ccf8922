import { spanIn } from "../../base/source.ts";
import type { Span } from "../../base/span.ts";
import { type EntityKey, catalogOf } from "../../catalog/federation.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { inputMessages } from "../../diagnostics/step-messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { Arg } from "../../language/grammar/ast-values.ts";
import type { Call } from "../../language/grammar/ast.ts";
import { refusesNull, takesUndeclared } from "../../mapping/argument-limits.ts";
import { capabilitySlots, unsentSlots } from "../../mapping/capability-slots.ts";
import type { InputType, Slot } from "../../model/input.ts";
import type { Capability } from "../../model/model.ts";
import { type Known, LATER, type RuleFault, ruleFaults } from "../../model/rule-faults.ts";
import { type UnionInput, discriminatorInput } from "../../model/slots-of.ts";
import { effectKind } from "../../policy/may-use.ts";
import type { CheckContext } from "../check-context.ts";
import { readInput } from "../inputs/read-input.ts";
import { chooseVariant } from "../inputs/read-members.ts";
import { nameMeaning, speakerLike, symbolProblem, wireName } from "../names/name-formatter.ts";
import type { TypedArgs, TypedValue } from "../typed-program.ts";
import { UNKNOWN_VALUE } from "../values/value-reading.ts";
import {
  type ArgPlace,
  endOf,
  isMissing,
  missingArguments,
  positional,
  unknownArgument,
} from "./arg-problems.ts";

/**
 * Reports the rules of a capability's `validation` that its arguments break, as far as their values are
 * known now (RUN-016); values from other nodes are judged when they are filled in.
 */
function checkRules(context: CheckContext, place: ArgPlace, args: TypedArgs): void {
  const { capability, call, entity } = place;
  const schema = capability.inputSchema;
  if (schema === undefined) return;
  const known = new Map<string, Known>();
  for (const [name, value] of args) known.set(name, knownValue(value));
  for (const name of place.bound) if (!known.has(name)) known.set(name, LATER);
  const name = speakerLike(context.exposure, call.name.text).method(entity, capability.label);
  for (const fault of ruleFaults(schema, known)) {
    const arg = argOf(context, place, fault);
    const rule = fault.text;
    context.found.add(
      fault.kind === "value" && arg !== undefined
        ? diagnose(inputMessages.brokenRule, arg.value.span, {
            slot: arg.name?.text ?? fault.path,
            name,
            rule,
          })
        : diagnose(inputMessages.brokenRules, spanOf(context, place, arg), { name, rule }),
    );
  }
}

/** The argument a fault is about: the one that breaks a rule, or the last that is too many. */
function argOf(context: CheckContext, place: ArgPlace, fault: RuleFault): Arg | undefined {
  if (fault.kind === "fields" && !fault.surplus) return undefined;
  const paths = fault.kind === "value" ? [fault.path] : fault.fields;
  const names = new Set(paths.map((path) => path.split(".")[0]));
  return place.call.args.findLast((arg) => {
    return arg.name !== undefined && names.has(wireName(context.exposure.symbols, arg.name.text));
  });
}

function spanOf(context: CheckContext, { call }: ArgPlace, arg: Arg | undefined): Span {
  return arg === undefined ? endOf(context, call) : arg.span;
}

function knownValue(value: TypedValue): Known {
  switch (value.kind) {
    case "lit":
      return value.value;
    case "dec":
      return value.text;
    case "list":
      return value.items.map(knownValue);
    case "object":
      return Object.fromEntries([...value.entries].map(([name, each]) => [name, knownValue(each)]));
    case "now":
    case "hole":
    case "cursor":
    case "cell":
    case "total":
    case "computed":
    case "ref":
    case "placeholder":
      return LATER;
  }
}

/** A call whose arguments are read: by name, all required ones given (LANG-077). */
interface ArgReader extends ArgPlace {
  readonly context: CheckContext;
  /** arguments that no slot declares are sent, too (RUN-013) */
  readonly undeclared: boolean;
}

/**
 * Reads the arguments of a call and reports what is wrong with them. `bound` are slots that the row it
 * is called on fills, unless they are given.
 */
export function readArgs(
  context: CheckContext,
  entity: EntityKey,
  capability: Capability,
  call: Call,
  bound: ReadonlySet<string>,
): TypedArgs {
  const catalog = catalogOf(context.exposure.catalogs, entity.entryId);
  const { slots, told, known } = argSlots(context, entity, capability, call);
  const undeclared = takesUndeclared(catalog, capability);
  const isEffect = effectKind(capability.kind) !== null;
  const unsent = isEffect ? unsentSlots(catalog, capability) : NOTHING;
  // What is never sent is one error, and not missing besides (ERR-005).
  const filled = new Set([...bound, ...unsent]);
  const reader: ArgReader = { context, entity, capability, call, slots, bound: filled, undeclared };
  const before = context.found.size;
  reportUnsent(reader, unsent);
  const args = new Map<string, TypedValue>(told);
  let whole = known;
  for (const arg of call.args) whole = readArg(reader, arg, args, told) && whole;
  const missing = whole ? missingArguments(context, reader, args) : null;
  if (missing !== null) context.found.add(missing);
  if (known && context.found.size === before) checkRules(context, reader, args);
  // What is missing has been reported, as such or by what stands in its place.
  for (const slot of slots.values()) {
    if (isMissing(reader, slot, args)) args.set(slot.name, UNKNOWN_VALUE);
  }
  return args;
}

/** A required argument that no request has a place for: the effect would do something else (MAP-004). */
function reportUnsent(reader: ArgReader, unsent: ReadonlySet<string>): void {
  const { context, entity, capability, call } = reader;
  if (unsent.size === 0) return;
  const speaker = speakerLike(context.exposure, call.name.text);
  const args = {
    name: speaker.method(entity, capability.label),
    slots: [...unsent].map((name) => speaker.name(name)).join(", "),
    entry: entity.entryId,
  };
  context.found.add(diagnose(valueMessages.neverSent, call.name.span, args));
}

/** Reads one argument; false if what it was for is unknown. */
function readArg(
  reader: ArgReader,
  arg: Arg,
  args: Map<string, TypedValue>,
  told: TypedArgs,
): boolean {
  const { context } = reader;
  if (arg.name === undefined) {
    // One mistake, however many arguments stand without a name (ERR-005).
    const isFirst = reader.call.args.find(({ name }) => name === undefined) === arg;
    const isOptions = arg.value.kind === "PlaceholderValue" && arg.value.raw === "..";
    if (arg.value.kind !== "Bad" && (isFirst || isOptions)) {
      context.found.add(positional(context, reader, arg));
    }
    return arg.value.kind === "PlaceholderValue" && arg.value.raw === "..";
  }
  const meaning = nameMeaning(context.exposure.symbols, arg.name.text);
  const wire = meaning.kind === "name" || meaning.kind === "unallocated" ? meaning.text : null;
  if (wire !== null && told.has(wire)) {
    if (!isRepeated(reader, arg, wire)) return true;
    context.found.add(diagnose(valueMessages.duplicateArgument, arg.span, { slot: arg.name.text }));
    return false;
  }
  const slot = wire === null ? undefined : (reader.slots.get(wire) ?? undeclaredSlot(reader, wire));
  if (slot === undefined) {
    const symbol = meaning.kind === "name" ? null : symbolProblem(context, arg.name, "p");
    context.found.add(symbol ?? unknownArgument(context, reader, arg.name, wire ?? arg.name.text));
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

/** Whether an argument before this one has its name. */
function isRepeated({ context, call }: ArgReader, arg: Arg, wire: string): boolean {
  const { symbols } = context.exposure;
  const named = ({ name }: Arg) => name !== undefined && wireName(symbols, name.text) === wire;
  return call.args.find(named) !== arg;
}

const NOTHING: ReadonlySet<string> = new Set();
const ANY: InputType = { kind: "value", type: { kind: "json" } };

/** The slot of an argument that nothing declares, where such are sent. */
function undeclaredSlot({ undeclared }: ArgReader, name: string): Slot | undefined {
  if (!undeclared) return undefined;
  return { name, input: ANY, required: false, description: "", role: "filter" };
}

function readSlot(reader: ArgReader, slot: Slot, arg: Arg): TypedValue {
  const { context, entity, capability, call } = reader;
  const { catalogs } = context.exposure;
  const schema = capability.inputSchema;
  const nullableMembers = !(schema?.validated === true && !schema.allowNull);
  const speaker = speakerLike(context.exposure, arg.name?.text ?? call.name.text);
  const placeless = refusesNull(catalogOf(catalogs, entity.entryId), capability).has(slot.name);
  context.edits = effectKind(capability.kind) !== null && capability.kind !== "create";
  const reading = readInput(context, arg.value, {
    shown: arg.name?.text ?? slot.name,
    entryId: entity.entryId,
    input: slot.input,
    nullable: !slot.required && nullableMembers && !placeless,
    omittable: !slot.required,
    nullableMembers,
    code: (wire) => speaker.code(wire),
  });
  context.edits = false;
  for (const problem of reading.problems) context.found.add(problem);
  return reading.value ?? UNKNOWN_VALUE;
}

/** The slots a call may fill, by name. */
interface ArgSlots {
  readonly slots: ReadonlyMap<string, Slot>;
  /** the discriminator of a root union, which is settled before the arguments are read (RUN-017) */
  readonly told: TypedArgs;
  /** whether all slots are known: not if the variant of a root union is in error, reported */
  readonly known: boolean;
}

/** The slots of a capability; where the whole input is a union, those of the variant that is called. */
function argSlots(
  context: CheckContext,
  entity: EntityKey,
  capability: Capability,
  call: Call,
): ArgSlots {
  const catalog = catalogOf(context.exposure.catalogs, entity.entryId);
  const { slots, union } = capabilitySlots(catalog, capability);
  if (union === null) return { slots: byName(slots), told: new Map(), known: true };
  const nameOf = ({ name }: Arg): string | null =>
    name === undefined ? null : wireName(context.exposure.symbols, name.text);
  const own = new Set([union.wireField, ...slots.map(({ name }) => name)]);
  const end = Math.max(call.span.start, call.span.end - 1);
  const speaker = speakerLike(context.exposure, call.name.text);
  const choice = chooseVariant(context, union, {
    told: call.args.find((arg) => nameOf(arg) === union.wireField)?.value,
    names: call.args.flatMap((arg) => nameOf(arg) ?? []).filter((name) => !own.has(name)),
    end: spanIn(context.source, end, end),
    shown: call.name.text,
    code: (wire) => speaker.code(wire),
  });
  if (choice.kind === "chosen") {
    const { fields, wireValue } = choice.variant;
    const told: TypedArgs = new Map([[union.wireField, { kind: "lit", value: wireValue }]]);
    return { slots: byName([discriminatorSlot(union), ...slots, ...fields]), told, known: true };
  }
  if (choice.kind === "problem") context.found.add(choice.problem);
  const all = union.variants.flatMap(({ fields }) => fields);
  const optional = all.map((field): Slot => ({ ...field, required: false }));
  return {
    slots: byName([discriminatorSlot(union), ...slots, ...optional]),
    told: new Map(),
    known: choice.kind === "open",
  };
}

function discriminatorSlot(union: UnionInput): Slot {
  return {
    name: union.wireField,
    input: discriminatorInput(union),
    required: false,
    description: "",
    role: "filter",
  };
}

function byName(slots: readonly Slot[]): ReadonlyMap<string, Slot> {
  return new Map(slots.map((slot) => [slot.name, slot]));
}
