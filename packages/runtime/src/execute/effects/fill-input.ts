import type { InputType, Json, PlanValue } from "@plasm/core";
import type { Engine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import { hasHole, nullValue } from "../null-value.ts";
import { resolveValue } from "../resolve-value.ts";

/** What is filled: for which slot, asked by whom. */
export interface Filling {
  readonly engine: Engine;
  readonly feed: Feed;
  /** the slot as messages name it */
  readonly name: string;
  /** null: nothing is declared, any value goes */
  readonly input: InputType | null;
  /** whether null may stand there: it is then sent (LANG-045) */
  readonly nullable: boolean;
  /** whether the capability's rules leave null to optional members (LANG-042) */
  readonly nullableMembers: boolean;
}

type ObjectValue = Extract<PlanValue, { obj: unknown }>;

/** The declared member inputs of an object value; of a union, those of the variant it names. */
function membersOf(value: ObjectValue, input: InputType | null) {
  if (input?.kind === "object") return input.fields;
  if (input?.kind !== "union") return [];
  const told = value.obj[input.wireField];
  const wire = told !== undefined && "lit" in told ? JSON.stringify(told.lit) : "";
  return input.variants.find(({ wireValue }) => JSON.stringify(wireValue) === wire)?.fields ?? [];
}

async function fillMembers(value: ObjectValue, filling: Filling): Promise<Json> {
  const fields = new Map(membersOf(value, filling.input).map((field) => [field.name, field]));
  const entries = await Promise.all(
    Object.entries(value.obj).map(async ([name, member]) => {
      const field = fields.get(name);
      const inner: Filling = {
        ...filling,
        name: `${filling.name}.${name}`,
        input: field?.input ?? null,
        nullable: field === undefined || (filling.nullableMembers && !field.required),
      };
      return [name, await fillInput(member, inner)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/**
 * Fills the holes of an argument at any depth, each by the type of its own slot (LANG-045, PLAN-064).
 * Null where a value is needed is `null_value`.
 */
export async function fillInput(value: PlanValue, filling: Filling): Promise<Json> {
  const { engine, feed, name, input } = filling;
  if ("list" in value && input?.kind === "array") {
    const element: Filling = { ...filling, input: input.element, nullable: false };
    return Promise.all(value.list.map((item) => fillInput(item, element)));
  }
  if ("obj" in value) return fillMembers(value, filling);
  const slot = input?.kind === "value" ? { name, type: input.type } : null;
  const filled = await resolveValue(value, { engine, feed, slot });
  if (filled === null && !filling.nullable && hasHole(value))
    throw nullValue(engine, feed, name, value);
  return filled;
}
