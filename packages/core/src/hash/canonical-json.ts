import canonicalize from "canonicalize";

/**
 * The RFC 8785 text of a JSON value: keys sorted, no blanks, one spelling per number.
 * Members that are undefined are left out.
 * @throws if the value has no such form: a lone surrogate, NaN, Infinity, a cycle, undefined.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("No JSON value.");
  return text;
}
