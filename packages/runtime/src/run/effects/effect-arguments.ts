import type {
  Capability,
  Catalog,
  Entity,
  InputType,
  Json,
  JsonObject,
  PlanValue,
} from "@plasm/core";
import {
  coerceInput,
  type JudgeValue,
  keyParts,
  keyText,
  receiverSlots,
  ruleFaults,
} from "@plasm/core/internal";
import { type Identity, idValue } from "../../decode/entity-row.ts";
import { clip, isObject, jsonText, sizeOf } from "../../base/json-kinds.ts";
import { compoundKey } from "../../request/environment.ts";
import { argumentSlots } from "../../request/write-environment.ts";
import { failure, RunFailure } from "../../base/run-failure.ts";
import type { RunEngine } from "../engine.ts";
import type { Feed } from "../feed.ts";
import { hasHole, nullValue, unfitValue } from "../hole-value.ts";
import { resolveValue } from "../resolve-value.ts";

/** A path variable that nothing declares is a required text argument (RUN-011). */
const PATH_TEXT: InputType = {
  kind: "value",
  type: { kind: "string", semantics: "short" },
};

/** What an effect is, and the row it is called on, if any. */
export interface CalledOn {
  readonly catalog: Catalog;
  readonly capability: Capability;
  readonly entity: Entity;
  readonly target: Identity | null;
}

type Args = Readonly<Record<string, PlanValue>>;

async function fillArgument(
  engine: RunEngine,
  feed: Feed,
  capability: Capability,
  args: Args,
  name: string,
): Promise<Json> {
  const value = args[name];
  if (value === undefined) throw new Error(`no argument ${name}`);
  const told = (field: string): Json | undefined => {
    const given = args[field];
    return given !== undefined && "lit" in given ? given.lit : undefined;
  };
  const slot = argumentSlots(capability, told).get(name);
  const schema = capability.inputSchema;
  const refusesNull = schema?.validated === true && !schema.allowNull;
  const input = slot?.input ?? ("ref" in value ? null : PATH_TEXT);
  const filled = await fillInput(value, {
    engine,
    feed,
    name,
    input,
    nullable: slot !== undefined && !slot.required && !refusesNull,
    nullableMembers: !refusesNull,
  });
  // Constants have been checked when planned.
  if (input === null || !hasHole(value)) return filled;
  const coerced = coerceInput(input, filled);
  if ("takes" in coerced) throw unfitValue(filled, name, coerced.takes);
  return coerced.value;
}

/** Asks a registered function about a value, with all arguments as its environment (RUN-105). */
function functionJudge(engine: RunEngine, args: JsonObject): JudgeValue {
  return (name, value) => {
    const judged = engine.functions.get(name)?.([value], new Map(Object.entries(args))) ?? {
      error: `no function ${name} is registered`,
    };
    if ("error" in judged) return judged.error;
    return judged.value === true ? null : `${clip(jsonText(value), 40)} does not satisfy ${name}`;
  };
}

/** Judges the rules of the capability's `validation` now that all values are known (RUN-016). */
function checkRules(
  engine: RunEngine,
  capability: Capability,
  entity: Entity,
  target: Identity | null,
  args: JsonObject,
): void {
  const schema = capability.inputSchema;
  if (schema === undefined) return;
  const id = target === null ? {} : { id: idValue(target), [entity.idField]: idValue(target) };
  const known = new Map(Object.entries({ ...id, ...target?.key, ...args }));
  const faults = ruleFaults(schema, known, functionJudge(engine, args));
  if (faults.length === 0) return;
  const said = faults.map(({ text }) => text).join("; ");
  throw new RunFailure(
    failure(
      "argument_invalid",
      `The arguments of ${capability.label} break a rule: ${said}.`,
      "give values that keep the rule, or leave such rows out",
    ),
  );
}

/** Refuses an argument that says another row than the one the effect is called on (RUN-010). */
function checkReceiver(
  catalog: Catalog,
  capability: Capability,
  entity: Entity,
  target: Identity | null,
  args: JsonObject,
): void {
  if (target === null) return;
  for (const name of receiverSlots(catalog, capability)) {
    const given = compoundKey(entity, args[name] ?? null);
    const parts = keyParts(entity).map((part) => [part, partOf(given, part)] as const);
    if (given === null || parts.some(([, value]) => value === undefined)) continue;
    const found = keyText(Object.fromEntries(parts.map(([part, value]) => [part, value ?? null])));
    if (found === keyText(target.key)) continue;
    throw new RunFailure(
      failure(
        "argument_invalid",
        `${name} is ${clip(found, 100)}, but ${capability.label} is called on ${target.text}.`,
        `give ${name} that row, or call ${capability.label} on the row that is meant`,
      ),
    );
  }
}

/** A part of a key that is an object of its parts, or that is the only one. */
const partOf = (key: Json, part: string): Json | undefined => (isObject(key) ? key[part] : key);

/**
 * The arguments of an effect in the shape its capability declares, holes filled, converted and checked
 * (RUN-016, LANG-045, PLAN-064). Throws RunFailure, RunStop or SourceEnded.
 */
export async function effectArguments(
  engine: RunEngine,
  feed: Feed,
  { catalog, capability, entity, target }: CalledOn,
  args: Args,
): Promise<JsonObject> {
  const names = Object.keys(args);
  const filled = await Promise.all(
    names.map(
      async (name) => [name, await fillArgument(engine, feed, capability, args, name)] as const,
    ),
  );
  const values = Object.fromEntries(filled);
  // They are written down before they are sent, and told afterwards.
  await engine.rows.compute(() => capability.label, sizeOf(values));
  checkReceiver(catalog, capability, entity, target, values);
  checkRules(engine, capability, entity, target, values);
  return values;
}

/** What is filled: for which slot, asked by whom. */
interface Filling {
  readonly engine: RunEngine;
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
async function fillInput(value: PlanValue, filling: Filling): Promise<Json> {
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
