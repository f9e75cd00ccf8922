import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import type { Name } from "../../language/ast-names.ts";
import type { CheckContext } from "../check-context.ts";
import type { SymbolFamily } from "../../symbols/resolve-symbol.ts";
import { familyName, nameMeaning, symbolRange } from "./symbol-name.ts";

/** The error of a symbol that is not allotted, or of another family than `wanted` (TEACH-11). */
export function symbolProblem(context: CheckContext, name: Name, wanted: SymbolFamily): Diagnostic {
  const { symbols } = context.exposure;
  const range = symbolRange(symbols, wanted);
  const meaning = nameMeaning(symbols, name.text);
  const family = name.text.slice(0, 1) as SymbolFamily;
  if (meaning.kind === "unallocated" && family === wanted) {
    return diagnose(nameMessages.unknownSymbol, name.span, { symbol: name.text, range });
  }
  const args = {
    symbol: name.text,
    is: familyName(family),
    wanted: familyName(wanted),
    range,
  };
  return diagnose(nameMessages.wrongFamily, name.span, args);
}
