import type { TextRange } from "../../base/span.ts";
import { sortedKeys } from "./print.ts";
import type { Run } from "./run.ts";
import { type TemplateList, listValue, textValue, type TemplateValue } from "./value.ts";

/** What a loop goes over: items, characters, keys in their order; nothing for null. Null for other values. */
export function itemsOf(run: Run, at: TextRange, value: TemplateValue): TemplateList | null {
  switch (value.kind) {
    case "null":
    case "blank":
      return listValue([]);
    case "list":
      return value;
    case "text":
      if (!run.spend(at, value.value.length)) return null;
      return listValue(Array.from(value.value, textValue));
    case "object": {
      const keys = sortedKeys(value.data);
      run.spend(at, keys.length);
      return listValue(keys.map(textValue));
    }
    default:
      return null;
  }
}
