import type { Json } from "../../values/value-type.ts";
import type { Precondition } from "../../model/precondition.ts";
import { wireText } from "./printer.ts";

/**
 * A precondition as a condition of a program: `status=pending`, `status in [a, b]`, `not{status in [a, b]}`,
 * `exists(owner)`; `name` writes a field or argument. A value longer than `limit` code points is clipped; of a
 * list longer than that values are left out, and how many is said.
 */
export function preconditionText(
  { param, field, test }: Precondition,
  name: (wire: string) => string = (wire) => wire,
  limit = Number.POSITIVE_INFINITY,
): string {
  const path = param === undefined ? name(field) : `${name(param)}.${name(field)}`;
  switch (test.op) {
    case "eq":
      return `${path}=${clip(wireText(test.value), limit)}`;
    case "in":
      return `${path} in ${listText(test.values, limit)}`;
    case "not_in":
      return `not{${path} in ${listText(test.values, limit)}}`;
    case "exists":
      return test.exists ? `exists(${path})` : `not{exists(${path})}`;
  }
}

function clip(text: string, limit: number): string {
  const points = Array.from(text);
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join("")}…`;
}

/** At least one value is shown. */
function listText(all: readonly Json[], limit: number): string {
  const values = all.map((value) => clip(wireText(value), limit));
  for (let shown = values.length; shown > 1; shown--) {
    const text = cutList(values, shown);
    if (Array.from(text).length <= limit) return text;
  }
  return cutList(values, 1);
}

function cutList(values: readonly string[], shown: number): string {
  const rest = values.length - shown;
  return `[${values.slice(0, shown).join(", ")}${rest > 0 ? `, … +${rest}` : ""}]`;
}
