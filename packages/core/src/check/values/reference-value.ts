import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import { catalogOf } from "../../federation/entity-of.ts";
import type { ConstructorValue, ObjectValue, Value } from "../../language/ast-values.ts";
import type { ValueType } from "../../values/value-type.ts";
import type { CheckContext } from "../check-context.ts";
import { nameMeaning } from "../names/symbol-name.ts";
import { symbolProblem } from "../names/symbol-problem.ts";
import { speakerLike } from "../names/speaker.ts";
import { keyTypes } from "../type-text.ts";
import { jsonObject } from "./fold-value.ts";
import { keyReference, readKeyArgs, type KeyPart } from "./key-args.ts";
import type { ReadValue } from "./list-value.ts";
import { literalText } from "./literal-text.ts";
import { acceptedForms, invalidValue } from "./slot-problems.ts";
import {
  readAs,
  UNKNOWN_VALUE,
  unreadable,
  type ValueReading,
  type ValueSlot,
} from "./value-reading.ts";

/** A constructor of the target, its scalar key, or an object of its key parts (LANG-040). */
export function readReferenceTo(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  target: string,
  read: ReadValue,
): ValueReading {
  const { entryId } = slot.type;
  if (entryId === null) return unreadable(invalidValue(context, value, slot));
  if (value.kind === "ConstructorValue") {
    return readConstructor(context, value, slot, { entryId, entity: target }, read);
  }
  const parts = keyTypes(context.exposure, entryId, target);
  if (value.kind === "ObjectValue") {
    return readKeyObject(context, value, slot, { entryId, entity: target }, parts, read);
  }
  const [only] = parts;
  if (parts.length > 1 || only === undefined) return readSplitText(context, value, slot, parts);
  const type = scalarKeyType(context, entryId, target);
  const reading = read(context, value, {
    ...slot,
    nullable: false,
    omittable: false,
    type: { entryId, type },
  });
  const refused = reading.value === null && reading.problems.length > 0;
  const misfits = reading.problems.every(({ code }) => code === "argument_invalid");
  return refused && misfits ? unreadable(invalidValue(context, value, slot)) : reading;
}

/**
 * The type of the value a one-part key is written as, through keys that are references themselves;
 * text where these end in several parts or nowhere.
 */
function scalarKeyType({ exposure }: CheckContext, entryId: string, target: string): ValueType {
  const seen = new Set<string>();
  let entity = target;
  while (!seen.has(entity)) {
    seen.add(entity);
    const [only, ...others] = keyTypes(exposure, entryId, entity);
    if (only === undefined || others.length > 0) return TEXT;
    if (only[1].kind !== "entity_ref") return only[1];
    entity = only[1].target;
  }
  return TEXT;
}

const TEXT = { kind: "string", semantics: "short" } as const;

interface Target {
  readonly entryId: string;
  readonly entity: string;
}

function readConstructor(
  context: CheckContext,
  value: ConstructorValue,
  slot: ValueSlot,
  target: Target,
  read: ReadValue,
): ValueReading {
  const meaning = nameMeaning(context.exposure.symbols, value.name.text);
  if (meaning.kind === "unallocated" || meaning.kind === "method") {
    return readAsUnknown(symbolProblem(context, value.name, "e"));
  }
  const meant =
    meaning.kind === "entity"
      ? meaning.key.entryId === target.entryId && meaning.key.entity === target.entity
      : isNamed(context, target, meaning.text);
  if (!meant) {
    const speaker = speakerLike(context.exposure, value.name.text);
    const args = {
      slot: slot.shown,
      wanted: speaker.entity(target),
      found: value.name.text,
      forms: acceptedForms(context, slot),
    };
    return readAsUnknown(diagnose(valueMessages.wrongConstructor, value.name.span, args));
  }
  const key = readKeyArgs(context, target, value.name, value.args, value.span, read);
  if (key.key === null) return { value: UNKNOWN_VALUE, problems: key.problems };
  return { value: keyReference(target, key.key), problems: key.problems };
}

/** A constructor in error still fills its slot, so that no other error follows (ERR-005). */
function readAsUnknown(problem: ReturnType<typeof symbolProblem>): ValueReading {
  return { value: UNKNOWN_VALUE, problems: [problem] };
}

function isNamed(context: CheckContext, target: Target, name: string): boolean {
  const { cgs } = catalogOf(context.exposure.catalogs, target.entryId);
  return target.entity === name || (cgs.entities.get(target.entity)?.aliases ?? []).includes(name);
}

function readKeyObject(
  context: CheckContext,
  value: ObjectValue,
  slot: ValueSlot,
  target: Target,
  parts: readonly KeyPart[],
  read: ReadValue,
): ValueReading {
  const known = new Map(parts);
  const { symbols } = context.exposure;
  const named = value.entries.map((entry) => {
    const { key } = entry;
    const meaning = key.kind === "Name" ? nameMeaning(symbols, key.text) : null;
    return { part: meaning?.kind === "name" ? meaning.text : key.text, value: entry.value };
  });
  const whole = named.length === known.size && named.every(({ part }) => known.has(part));
  if (!whole) return unreadable(invalidValue(context, value, slot));
  const readings = named.map((each) => {
    const type = known.get(each.part) ?? TEXT;
    const inner = {
      ...slot,
      shown: each.part,
      nullable: false,
      omittable: false,
      type: { ...slot.type, type },
    };
    return [each.part, read(context, each.value, { ...inner, use: "wire" })] as const;
  });
  const problems = readings.flatMap(([, reading]) => reading.problems);
  const key = new Map(readings.map(([part, reading]) => [part, reading.value ?? UNKNOWN_VALUE]));
  return { value: keyReference(target, key), problems };
}

/** A compound key as text `a/b`, for two text parts (RUN-012). */
function readSplitText(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  parts: readonly KeyPart[],
): ValueReading {
  const pieces = literalText(value)?.split("/") ?? [];
  const whole = parts.length === 2 && pieces.length === 2 && pieces.every((piece) => piece !== "");
  if (!whole) return unreadable(invalidValue(context, value, slot));
  const entries = parts.map(([part], at): [string, string] => [part, pieces[at] ?? ""]);
  return readAs({ kind: "lit", value: jsonObject(entries) });
}
