import type { EntityKey } from "../../federation/entity-key.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import type { Call } from "../../language/ast-steps.ts";
import type { Arg } from "../../language/ast-values.ts";
import { capabilitySlots } from "../../mapping/capability-slots.ts";
import type { Capability } from "../../schema/capability.ts";
import type { Slot } from "../../schema/input.ts";
import { discriminatorInput, type UnionInput } from "../../schema/union-input.ts";
import { spanIn } from "../../source/source-text.ts";
import type { CheckContext } from "../check-context.ts";
import { chooseVariant } from "../inputs/choose-variant.ts";
import { wireName } from "../names/symbol-name.ts";
import { speakerLike } from "../names/speaker.ts";
import type { TypedArgs } from "../typed-program.ts";

/** The slots a call may fill, by name. */
export interface ArgSlots {
  readonly slots: ReadonlyMap<string, Slot>;
  /** the discriminator of a root union, which is settled before the arguments are read (RUN-017) */
  readonly told: TypedArgs;
  /** whether all slots are known: not if the variant of a root union is in error, reported */
  readonly known: boolean;
}

/** The slots of a capability; where the whole input is a union, those of the variant that is called. */
export function argSlots(
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
