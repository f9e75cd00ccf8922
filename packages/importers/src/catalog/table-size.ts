import { isDocumentObject, listOf, memberOf, textOf } from "../json.ts";
import type { CapabilityDraft } from "./capability-draft.ts";
import type { FieldDraft } from "./entity-fields.ts";

/** An entity as its table shows it. */
export interface TableDraft {
  readonly columns: readonly FieldDraft[];
  readonly capabilities: readonly CapabilityDraft[];
}

/** A member of a form, as files have it. */
export type FormField = Readonly<Record<string, unknown>>;

export const formFields = (form: unknown): readonly FormField[] =>
  listOf(memberOf(form, "fields")).filter(isDocumentObject);

/** How many characters the rows of an entity take, about: of its fields, of arguments and of calls. */
export function tableSize({ columns, capabilities }: TableDraft): number {
  const table: Counted = { known: new Map(), size: 0 };
  for (const { name, description, detail } of columns) {
    if (detail === true) continue;
    nameOf(table, name, description);
    table.size += REFERENCE;
  }
  for (const { slots, detail, label } of capabilities) {
    if (detail === true) {
      table.size += label.length + REFERENCE;
      continue;
    }
    const shown = slots.filter(({ detail }) => detail !== true);
    table.size += ROW + shown.length * REFERENCE;
    for (const { name, description, type, required } of shown) {
      nameOf(table, name, description);
      if (type.kind === "form") formSize(table, type.form, required);
    }
  }
  return table.size;
}

interface Counted {
  /** what is said of each name: first where it is taught, then at places where it is another thing */
  readonly known: Map<string, { readonly first: string; readonly others: Set<string> }>;
  size: number;
}

/** A row without what it names; a name in a row; a name with its type in a row of its own. */
const [ROW, REFERENCE, NAMED] = [60, 4, 16];

function nameOf(table: Counted, name: string, description: string): void {
  const said = table.known.get(name);
  const isSaid = said?.first.includes(description) === true || said?.others.has(description);
  if (isSaid === true) return;
  if (said === undefined) table.known.set(name, { first: description, others: new Set() });
  else said.others.add(description);
  table.size += NAMED + (said === undefined ? name.length : 0) + Math.min(description.length, 80);
}

/** What the members of an argument take: their names, and a row for each object that need not be there. */
function formSize(table: Counted, form: unknown, required: boolean): void {
  const element = memberOf(form, "element_type");
  if (element !== undefined) {
    formSize(table, element, required);
    return;
  }
  const shown = formFields(form).filter((field) => memberOf(field, "detail") !== true);
  if (shown.length === 0) return;
  table.size += (required ? 0 : ROW) + shown.length * 2 * REFERENCE;
  for (const field of shown) {
    nameOf(
      table,
      textOf(memberOf(field, "name")) ?? "",
      textOf(memberOf(field, "description")) ?? "",
    );
    const inner = memberOf(field, "input_type");
    if (inner !== undefined) formSize(table, inner, memberOf(field, "required") === true);
  }
}
