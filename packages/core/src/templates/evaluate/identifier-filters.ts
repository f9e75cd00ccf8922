import { type Filter, textArgument, textFilter, textOf } from "./filter-call.ts";
import { splitText } from "./text-filters.ts";
import { NULL, textValue } from "./value.ts";

/**
 * A text as a name (CAT-017): each run of other characters than letters, digits and `_` is one `_`, none
 * at the ends; a leading digit gets one before it. `_` if nothing is left.
 */
function identifier(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_]+/g, "_");
  const start = name.startsWith("_") && !text.startsWith("_") ? 1 : 0;
  const cut = name.endsWith("_") && !text.endsWith("_") ? 1 : 0;
  const bare = name.slice(start, Math.max(start, name.length - cut));
  return /^[A-Za-z_]/.test(bare) ? bare : `_${bare}`;
}

export const sanitizeIdentifier = textFilter(identifier);

/** The parts of a text between separators as names, joined by another separator; empty parts are left out. */
export const joinSanitize: Filter = (call) => {
  const text = textOf(call);
  const separator = textArgument(call, 0);
  const parts = splitText(call, text ?? "", 1);
  if (text === null || separator === null || parts === null) return NULL;
  const names = parts.filter((part) => part !== "").map(identifier);
  const length = text.length + names.length * (separator.length + 1);
  return call.run.mayMake(call.at, length) ? textValue(names.join(separator)) : NULL;
};
