import type { Derive, Json } from "@plasm/core";
import { hasMember, isArray, isObject, isScalar, typeName } from "../json-kinds.ts";

/** A derived value, with what was wrong about its input if anything was (RUN-034). */
export interface Derived {
  readonly value: Json;
  readonly problem: string | null;
}

const ok = (value: Json): Derived => ({ value, problem: null });
const bad = (problem: string): Derived => ({ value: null, problem });

type Of<T extends Derive["type"]> = Extract<Derive, { type: T }>;

const sameText = (a: Json | undefined, b: string, ignoreCase: boolean): boolean =>
  isScalar(a) && (ignoreCase ? String(a).toLowerCase() === b.toLowerCase() : String(a) === b);

function segmentsAfterPrefix(rule: Of<"segments_after_prefix">, input: Json): Derived {
  if (typeof input !== "string") return bad(`${typeName(input)} where text was expected`);
  const prefix = input.startsWith(rule.prefix)
    ? rule.prefix
    : rule.alternatePrefixes.find((each) => input.startsWith(each));
  if (prefix === undefined) return bad("no matching prefix");
  const parts = input
    .slice(prefix.length)
    .replace(/\.git\/*$/, "")
    .split("/")
    .filter((part) => part !== "");
  return ok(parts[rule.partIndex] ?? null);
}

function nameValueLookup(rule: Of<"name_value_array_lookup">, input: Json): Derived {
  if (!isArray(input)) return bad(`${typeName(input)} where an array was expected`);
  const found = input.find(
    (item) =>
      hasMember(item, rule.matchKeyField) &&
      sameText(item[rule.matchKeyField], rule.equals, rule.caseInsensitive),
  );
  return ok(hasMember(found, rule.valueField) ? (found[rule.valueField] ?? null) : null);
}

function objectKeyLookup(rule: Of<"object_key_lookup">, input: Json): Derived {
  if (!isObject(input)) return bad(`${typeName(input)} where an object was expected`);
  const key = Object.keys(input).find((name) => sameText(name, rule.key, rule.caseInsensitive));
  return ok(key === undefined ? null : (input[key] ?? null));
}

/** The part after `segment` in text like `a:segment:b`. */
function afterSegment(text: Json | undefined, segment: string): string | null {
  if (typeof text !== "string") return null;
  const parts = text.split(":");
  const at = parts.indexOf(segment);
  return at < 0 ? null : (parts[at + 1] ?? null);
}

type ColonPair = Of<"colon_pair_prefer_keys_else_block_refs">;

function colonPair(rule: ColonPair, input: Json): Derived {
  if (!isObject(input)) return bad(`${typeName(input)} where an object was expected`);
  for (const key of rule.preferKeys) {
    const found = hasMember(input, key) ? afterSegment(input[key], rule.segment) : null;
    if (found !== null) return ok(found);
  }
  const blocks = hasMember(input, rule.blocksKey) ? input[rule.blocksKey] : null;
  if (blocks === null || blocks === undefined) return ok(null);
  if (!isArray(blocks)) return bad(`${typeName(blocks)} under ${rule.blocksKey}`);
  for (const block of blocks) {
    const ref = hasMember(block, rule.refField) ? block[rule.refField] : undefined;
    const found = afterSegment(ref, rule.segment);
    if (found !== null) return ok(found);
  }
  return ok(null);
}

/** Applies a field's `derive` to what its path led to; null stays null (RUN-034). */
export function derive(rule: Derive, input: Json): Derived {
  if (input === null) return ok(null);
  switch (rule.type) {
    case "segments_after_prefix":
      return segmentsAfterPrefix(rule, input);
    case "name_value_array_lookup":
      return nameValueLookup(rule, input);
    case "object_key_lookup":
      return objectKeyLookup(rule, input);
    case "colon_pair_prefer_keys_else_block_refs":
      return colonPair(rule, input);
  }
}
