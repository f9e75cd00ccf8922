import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nearestName } from "../../diagnostics/nearest-name.ts";
import type { ConstructorValue } from "../../language/grammar/ast-values.ts";
import { functionCalled, FUNCTIONS } from "../../language/grammar/functions.ts";
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
  if (entity.kind === "problem") return unreadable(functionProblem(value) ?? entity.problem);
  const { name, args, span } = value;
  const { key, problems } = readKeyArgs(context, entity.key, name, args, span, read);
  return key === null
    ? unreadable(...problems)
    : { value: keyReference(entity.key, key), problems };
}

/** The error of a name that is meant as a function, in lower case as those are; null for any other. */
function functionProblem({ name }: ConstructorValue): Diagnostic | null {
  if (!/^[a-z][a-z_]*[A-Za-z_]*$/.test(name.text)) return null;
  const near = functionCalled(name.text) ?? nearestName(name.text, FUNCTIONS);
  const args = {
    name: name.text,
    nearest: near === null ? "" : `use ${near}; `,
    names: FUNCTIONS.join(", "),
  };
  const edits = near === null ? undefined : [{ span: name.span, replacement: near }];
  return diagnose(expressionMessages.unknownFunction, name.span, args, edits);
}
