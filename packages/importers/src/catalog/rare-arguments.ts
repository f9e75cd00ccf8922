import { isDocumentObject, memberOf } from "../json.ts";
import { singularWords } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
import type { CapabilityDraft, SlotDraft } from "./capability-draft.ts";
import { formFields, type TableDraft } from "./table-size.ts";

/** A capability with so many options is not what makes a table large. */
const FEW = 5;

/** What a name says, in either number: `states` asks for rows by their `state`. */
const thingOf = (name: string): string => singularWords(wordsOf(name)).join("");

type Step = (
  slot: SlotDraft,
  capability: CapabilityDraft,
  columns: ReadonlySet<string>,
) => SlotDraft;

const READS = new Set(["query", "search", "get", "singleton"]);

const rare = (slot: SlotDraft): SlotDraft => ({ ...slot, detail: true });

const hasMany = ({ slots }: CapabilityDraft): boolean =>
  slots.filter(({ required }) => !required).length > FEW;

/** What a list is asked for in an order by: without it, "the latest" costs a read of all rows. */
const isOrder = ({ role }: SlotDraft): boolean => role === "sort" || role === "sort_direction";

const STEPS: readonly Step[] = [
  (slot) => withForm(slot, (form) => markedForm(form, 2)),
  (slot) => withForm(slot, (form) => markedForm(form, 1)),
  (slot, capability, columns) =>
    !READS.has(capability.kind) && hasMany(capability) && !columns.has(thingOf(slot.name))
      ? rare(slot)
      : slot,
  (slot, capability, columns) =>
    READS.has(capability.kind) &&
    hasMany(capability) &&
    !isOrder(slot) &&
    !columns.has(thingOf(slot.name))
      ? rare(slot)
      : slot,
];

/**
 * Marks the optional arguments that tables leave out (`detail`), each step more of them: members two objects deep, all
 * optional members, arguments of effects that rows do not have, and such conditions of lists, but not their order.
 * What is demanded is never marked (ADR 0142).
 */
export const RARE_ARGUMENTS: readonly ((table: TableDraft) => TableDraft)[] = STEPS.map(
  (step) =>
    ({ columns, capabilities }) => {
      const names = new Set(columns.map(({ name }) => thingOf(name)));
      return { columns, capabilities: capabilities.map((one) => withSlots(one, step, names)) };
    },
);

/** A table without the optional arguments of effects that are objects, or of which nothing is said. */
export const rareObjects = ({ columns, capabilities }: TableDraft): TableDraft => ({
  columns,
  capabilities: capabilities.map((one) => {
    if (READS.has(one.kind)) return one;
    const isObject = ({ type }: SlotDraft): boolean =>
      type.kind === "form" || type.value === "free";
    const slots = one.slots.map((slot) => (!slot.required && isObject(slot) ? rare(slot) : slot));
    return { ...one, slots };
  }),
});

function withSlots(
  capability: CapabilityDraft,
  step: Step,
  columns: ReadonlySet<string>,
): CapabilityDraft {
  const slots = capability.slots.map((slot) =>
    slot.required ? withRequired(slot, step, capability, columns) : step(slot, capability, columns),
  );
  return { ...capability, slots };
}

/** Of what is demanded only members may be rare. */
function withRequired(
  slot: SlotDraft,
  step: Step,
  capability: CapabilityDraft,
  columns: ReadonlySet<string>,
): SlotDraft {
  const made = step(slot, capability, columns);
  return made.type === slot.type ? slot : { ...slot, type: made.type };
}

const withForm = (slot: SlotDraft, mark: (form: unknown) => unknown): SlotDraft =>
  slot.type.kind === "form"
    ? { ...slot, type: { kind: "form", form: mark(slot.type.form) } }
    : slot;

/** A form whose optional members from a depth on are marked: 1 is that of its own. */
function markedForm(form: unknown, from: number): unknown {
  if (!isDocumentObject(form)) return form;
  const element = memberOf(form, "element_type");
  if (element !== undefined) return { ...form, element_type: markedForm(element, from) };
  const fields = formFields(form).map((field) => {
    const inner = memberOf(field, "input_type");
    const deeper = inner === undefined ? {} : { input_type: markedForm(inner, from - 1) };
    const isRare = from <= 1 && memberOf(field, "required") !== true;
    return { ...field, ...deeper, ...(isRare ? { detail: true } : {}) };
  });
  return { ...form, fields };
}
