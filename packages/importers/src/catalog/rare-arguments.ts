import { groupBy } from "../group-by.ts";
import { isDocumentObject, listOf, memberOf, textOf } from "../json.ts";
import { singularWords } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
import type { CapabilityDraft, SlotDraft } from "./capability-draft.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { EntityFields } from "./entity-fields.ts";

/** What the rows of an entity may take, in characters: with the contract some 1,500 tokens. */
const ROOM = 2_600;

/** A capability with so many options is not what makes a table large. */
const FEW = 5;

/** What a name says, in either number: `states` asks for rows by their `state`. */
const thingOf = (name: string): string => singularWords(wordsOf(name)).join("");

/** A member of a form, as files have it. */
type Field = Readonly<Record<string, unknown>>;

/**
 * Marks the optional arguments that tables leave out (`detail`), entity by entity, where the table of one would take too
 * much. In this order, until it fits: members two objects deep, all optional members, arguments of effects that rows do
 * not have, and such conditions of lists. What is demanded is never marked.
 */
export function markRareArguments(
  capabilities: readonly CapabilityDraft[],
  fields: ReadonlyMap<EntityDraft, EntityFields>,
): readonly CapabilityDraft[] {
  const marked = new Map<CapabilityDraft, CapabilityDraft>();
  for (const [entity, own] of groupBy(capabilities, (one) => one.entity)) {
    const columns = fields.get(entity)?.fields ?? [];
    const names = new Set(columns.map(({ name }) => thingOf(name)));
    const base = new Map(columns.map(({ name, description }) => [name, description]));
    let made = own;
    for (const step of STEPS) {
      if (sizeOf(base, made) <= ROOM) break;
      made = made.map((one) => withSlots(one, step, names));
    }
    own.forEach((one, at) => marked.set(one, made[at] ?? one));
  }
  return capabilities.map((one) => marked.get(one) ?? one);
}

type Step = (
  slot: SlotDraft,
  capability: CapabilityDraft,
  columns: ReadonlySet<string>,
) => SlotDraft;

const READS = new Set(["query", "search", "get", "singleton"]);

const rare = (slot: SlotDraft): SlotDraft => ({ ...slot, detail: true });

const hasMany = ({ slots }: CapabilityDraft): boolean =>
  slots.filter(({ required }) => !required).length > FEW;

const STEPS: readonly Step[] = [
  (slot) => withForm(slot, (form) => markedForm(form, 2)),
  (slot) => withForm(slot, (form) => markedForm(form, 1)),
  (slot, capability, columns) =>
    !READS.has(capability.kind) && hasMany(capability) && !columns.has(thingOf(slot.name))
      ? rare(slot)
      : slot,
  (slot, capability, columns) =>
    READS.has(capability.kind) && hasMany(capability) && !columns.has(thingOf(slot.name))
      ? rare(slot)
      : slot,
];

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

const fieldsOf = (form: unknown): readonly Field[] =>
  listOf(memberOf(form, "fields")).filter(isDocumentObject);

/** A form whose optional members from a depth on are marked: 1 is that of its own. */
function markedForm(form: unknown, from: number): unknown {
  if (!isDocumentObject(form)) return form;
  const element = memberOf(form, "element_type");
  if (element !== undefined) return { ...form, element_type: markedForm(element, from) };
  const fields = fieldsOf(form).map((field) => {
    const inner = memberOf(field, "input_type");
    const deeper = inner === undefined ? {} : { input_type: markedForm(inner, from - 1) };
    const isRare = from <= 1 && memberOf(field, "required") !== true;
    return { ...field, ...deeper, ...(isRare ? { detail: true } : {}) };
  });
  return { ...form, fields };
}

/** How many characters the rows of an entity take, about: of its fields, of arguments and of calls. */
function sizeOf(
  columns: ReadonlyMap<string, string>,
  capabilities: readonly CapabilityDraft[],
): number {
  const table: Counted = { known: new Map(), size: 0 };
  for (const [name, description] of columns) {
    nameOf(table, name, description);
    table.size += REFERENCE;
  }
  for (const { slots } of capabilities) {
    const shown = slots.filter(({ detail }) => detail !== true);
    table.size += ROW + shown.length * REFERENCE;
    for (const { name, description, type, required } of shown) {
      nameOf(table, name, description);
      if (type.kind === "form") formSize(table, type.form, shown.length * REFERENCE, required);
    }
  }
  return table.size;
}

interface Counted {
  /** what is said of each name */
  readonly known: Map<string, string>;
  size: number;
}

/** A row without what it names; a name in a row; a name with its type in a row of its own. */
const [ROW, REFERENCE, NAMED] = [60, 4, 16];

function nameOf(table: Counted, name: string, description: string): void {
  const said = table.known.get(name);
  if (said !== undefined && (description === "" || said.includes(description))) return;
  if (said === undefined) table.known.set(name, description);
  table.size += NAMED + (said === undefined ? name.length : 0) + Math.min(description.length, 80);
}

/** What the members of an argument take: their names, and a row for each object that need not be there. */
function formSize(table: Counted, form: unknown, row: number, required: boolean): void {
  const element = memberOf(form, "element_type");
  if (element !== undefined) {
    formSize(table, element, row, required);
    return;
  }
  const shown = fieldsOf(form).filter((field) => memberOf(field, "detail") !== true);
  if (shown.length === 0) return;
  const own = row + shown.length * 2 * REFERENCE;
  table.size += required ? shown.length * 2 * REFERENCE : ROW + own;
  for (const field of shown) {
    nameOf(
      table,
      textOf(memberOf(field, "name")) ?? "",
      textOf(memberOf(field, "description")) ?? "",
    );
    const inner = memberOf(field, "input_type");
    if (inner !== undefined) formSize(table, inner, own, memberOf(field, "required") === true);
  }
}
