import type { Json } from "../../values/json.ts";
import type { TypedKey, TypedValue } from "../typed-program.ts";

/** The constant a value is, exact decimals as text; undefined if it is known only at run. */
export function constantOf(value: TypedValue | null): Json | undefined {
  if (value?.kind === "lit") return value.value;
  if (value?.kind === "dec") return value.text;
  if (value?.kind !== "list") return undefined;
  const items = value.items.map(constantOf);
  return items.includes(undefined)
    ? undefined
    : items.flatMap((item) => (item === undefined ? [] : [item]));
}

/** A key whose parts are all constants, as an object; undefined if one is known only at run. */
export function constantKey(key: TypedKey): Readonly<Record<string, Json>> | undefined {
  const parts: [string, Json][] = [];
  for (const [name, value] of key) {
    const constant = constantOf(value);
    if (constant === undefined) return undefined;
    parts.push([name, constant]);
  }
  return Object.fromEntries(parts);
}
