import type { TextRange } from "../../source/span.ts";
import type { LoopPart } from "../tree.ts";
import type { Loop, Scope } from "./scope.ts";
import { booleanValue, integerValue, NULL, type Value } from "./value.ts";

/** What `loop` tells about the innermost loop around. */
export function loopPart(
  { loop }: Scope,
  expression: TextRange & { readonly part: LoopPart },
): Value {
  if (loop === null) return NULL;
  const { items, at } = loop;
  switch (expression.part) {
    case "index":
      return integerValue(at + 1);
    case "index0":
      return integerValue(at);
    case "revindex":
      return integerValue(items.length - at);
    case "revindex0":
      return integerValue(items.length - at - 1);
    case "first":
      return booleanValue(at === 0);
    case "last":
      return booleanValue(at === items.length - 1);
    case "length":
      return integerValue(items.length);
    case "previtem":
      return neighbour(loop, at - 1, expression);
    case "nextitem":
      return neighbour(loop, at + 1, expression);
  }
}

function neighbour(
  { items }: Loop,
  at: number,
  expression: TextRange & { readonly part: LoopPart },
): Value {
  if (at >= 0 && at < items.length) return items.item(at);
  const turn = at < 0 ? "first" : "last";
  const message = `The ${turn} turn has no loop.${expression.part}. Test loop.${turn}, or add | default(value).`;
  return { kind: "missing", at: expression, message };
}
