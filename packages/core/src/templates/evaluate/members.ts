import type { TextRange } from "../../source/span.ts";
import { characterAt } from "./characters.ts";
import { memberOf } from "./from-json.ts";
import type { Run } from "./run.ts";
import { describe, type Value } from "./value.ts";

const HINT = "Test it with is defined, or add | default(value).";

/** A member of an object by its key; anything else has none. */
export function member(of: Value, key: string, at: TextRange): Value {
  const value = of.kind === "object" ? memberOf(of.data, key) : undefined;
  if (value !== undefined) return value;
  const holder = of.kind === "object" ? "The object" : `What is ${describe(of)}`;
  return { kind: "missing", at, message: `${holder} has no ${key}. ${HINT}` };
}

/** `x[i]`: an item of a list or a character of a text by its number, negative from the end; or a member. */
export function indexed(run: Run, of: Value, index: Value, at: TextRange): Value {
  if (index.kind === "text") return member(of, index.value, at);
  const missing = (what: string): Value => ({
    kind: "missing",
    at,
    message: `${what}. ${HINT}`,
  });
  if (of.kind !== "list" && of.kind !== "text") {
    return missing(`What is ${describe(of)} has no ${describe(index)} as key`);
  }
  if (index.kind !== "integer") {
    return run.fail(at, `Found ${describe(index)} in [ ]. Allowed: a whole number or a key.`);
  }
  const number = Number(index.value);
  if (of.kind === "text") {
    run.spendOn(at, of.value.length);
    const character = characterAt(of.value, number);
    if (character !== undefined) return { kind: "text", value: character };
    return missing(`The text has no character ${number}`);
  }
  const place = number < 0 ? of.length + number : number;
  if (place >= 0 && place < of.length) return of.item(place);
  return missing(`The list has ${of.length} items and no item ${number}`);
}
