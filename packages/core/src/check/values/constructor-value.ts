import type { ConstructorValue } from "../../language/grammar/ast-values.ts";
import { unknownFunction } from "../../language/recovery/foreign-values.ts";
import type { CheckContext } from "../check-context.ts";
import { bindEntityName } from "../names/bind-head.ts";
import { keyReference, readKeyArgs } from "./key-args.ts";
import type { ReadValue } from "./list-value.ts";
import { unreadable, type ValueReading } from "./value-reading.ts";

/** Reads `Person("ann")` where no slot says what is meant, so that any entity may be. */
export function readConstructor(
  context: CheckContext,
  value: ConstructorValue,
  read: ReadValue,
): ValueReading {
  const entity = bindEntityName(context, value.name);
  if (entity.kind === "problem") return unreadable(unknownFunction(value.name) ?? entity.problem);
  const { name, args, span } = value;
  const { key, problems } = readKeyArgs(context, entity.key, name, args, span, read);
  return key === null
    ? unreadable(...problems)
    : { value: keyReference(entity.key, key), problems };
}
