import { list } from "../shape/list.ts";
import { object, optional, required, withDefault } from "../shape/object.ts";
import { anything, boolean, text } from "../shape/scalars.ts";
import type { Read } from "../shape/shape.ts";

/** An entry of `preconditions` of an effect; it has exactly one of the four tests (CAT-143). */
export const precondition = object({
  param: optional(text),
  field: required(text),
  eq: optional(anything),
  in: optional(list(anything)),
  not_in: optional(list(anything)),
  exists: optional(boolean),
  description: withDefault(text, ""),
});

export type PreconditionDoc = Read<typeof precondition>;
