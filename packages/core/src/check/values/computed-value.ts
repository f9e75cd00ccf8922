import { expressionMessages } from "../../diagnostics/expression-messages.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import type { Value } from "../../language/grammar/ast-values.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { type CheckContext, programText } from "../check-context.ts";
import { coerceValue } from "../../values/coerce-value.ts";
import { type Expression, inDays } from "./expression-parts.ts";
import { readExpression } from "./expression.ts";
import { KIND_NAMES } from "./function-table.ts";
import type { ReadValue } from "./list-value.ts";
import { acceptedForms, slotTypeName } from "./slot-problems.ts";
import { holeFits } from "./template-text.ts";
import { unreadable, type ValueReading, type ValueSlot } from "./value-reading.ts";

/** Text that is put together is no number, though its characters may be digits: `1 + "2"`. */
function isTextForNumber({ kind }: Expression, { type: { type } }: ValueSlot): boolean {
  const wantsNumber = type.kind === "number" || type.kind === "integer" || type.kind === "boolean";
  return kind === "text" && wantsNumber;
}

/** A number made of numbers alone is no text: `555 - 1234` is a telephone number that lacks its quotes. */
function isNumberForText({ kind, value }: Expression, { type: { type } }: ValueSlot): boolean {
  const isConstant = value.kind === "lit" || value.kind === "dec";
  return isConstant && kind === "number" && type.kind === "string";
}

/** A computed value as a slot takes it: its type is checked now, its value when it is known (LANG-045, LANG-048). */
export function readComputed(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  read: ReadValue,
): ValueReading {
  const expression = inDays(value, readExpression(context, value, read));
  if (expression.problems.length > 0) return unreadable(...expression.problems);
  if (expression.kind === "null")
    return read(context, { kind: "NullValue", span: value.span }, slot);
  const { value: typed } = expression;
  const isAnother = isTextForNumber(expression, slot) || isNumberForText(expression, slot);
  const isConstant = typed.kind === "lit" && slot.use === "wire";
  const coerced = isConstant ? coerceValue(typed.value, slot.type.type) : null;
  if (coerced !== null && "value" in coerced && !isAnother) {
    return { value: { kind: "lit", value: coerced.value }, problems: [] };
  }
  const fits = coerced === null && holeFits(context.exposure, expression.type, slot.type);
  if (!fits || isAnother) {
    const written = programText(context, value.span);
    const isText = slot.type.type.kind === "string";
    const fix = isText
      ? `write text(${written}), or ${quoteText(written)} for these words`
      : `write ${acceptedForms(context, slot)}`;
    const args = {
      slot: slot.shown,
      type: slotTypeName(context, slot),
      found: KIND_NAMES[expression.kind],
      fix,
    };
    return unreadable(diagnose(expressionMessages.slot, value.span, args));
  }
  return { value: expression.value, problems: [] };
}
