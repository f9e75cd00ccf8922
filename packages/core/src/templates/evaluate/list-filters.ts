import { characterAt, characterCount } from "./characters.ts";
import { type Filter, failInput, textArgument } from "./filter-call.ts";
import { itemsOf } from "./items.ts";
import { printValue } from "./print.ts";
import { integerValue, NULL, textValue } from "./value.ts";

/** Characters, items or members. */
export const length: Filter = (call) => {
  const { run, at, input } = call;
  switch (input.kind) {
    case "text":
      run.spendOn(at, input.value.length);
      return integerValue(characterCount(input.value));
    case "list":
      return integerValue(input.length);
    case "object": {
      const { length: members } = Object.keys(input.data);
      return run.spend(at, members) ? integerValue(members) : NULL;
    }
    default:
      return failInput(call, "a text, a list or an object");
  }
};

const pick =
  (which: "first" | "last"): Filter =>
  (call) => {
    const { at, input } = call;
    if (input.kind === "text") {
      const character = characterAt(input.value, which === "first" ? 0 : -1);
      if (character !== undefined) return textValue(character);
    } else if (input.kind === "list") {
      if (input.length > 0) return input.item(which === "first" ? 0 : input.length - 1);
    } else {
      return failInput(call, "a list or a text");
    }
    const message = `There is no ${which} of nothing: what it is taken from is empty. Test its length first, or add | default(value).`;
    return { kind: "missing", at, message };
  };

export const first = pick("first");
export const last = pick("last");

/** The printed items with a separator between them; null is an empty list, in a list an empty item. */
export const join: Filter = (call) => {
  const { run, at, input } = call;
  const separator = call.arguments.length === 0 ? "" : textArgument(call, 0);
  const items = itemsOf(run, at, input);
  if (items === null) return failInput(call, "a list");
  if (separator === null) return NULL;
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; index < items.length && run.spend(at); index++) {
    const part = printValue(run, at, items.item(index));
    parts.push(part);
    length += part.length + (index > 0 ? separator.length : 0);
    if (length > run.limits.output) break;
  }
  return run.mayMake(at, length) ? textValue(parts.join(separator)) : NULL;
};
