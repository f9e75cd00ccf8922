import { diagnose } from "../diagnostics/messages.ts";
import { textMessages } from "../diagnostics/text-messages.ts";
import type { Name } from "./ast-names.ts";
import { freeName } from "./free-name.ts";
import type { ParserState } from "./parser-state.ts";

const RESERVED: ReadonlySet<string> = new Set(
  "_ page wait cancel any all not exists in true false null rows return let const var".split(" "),
);
const SYMBOL = /^[emp][0-9]+$/;

/** Whether a name cannot be a label whatever the session holds (LANG-021). */
export function isReservedLabel(name: string): boolean {
  return RESERVED.has(name) || SYMBOL.test(name);
}

/** Reports a label that is a word of the language or has the form of a symbol. */
export function checkLabel(p: ParserState, label: Name): void {
  if (!isReservedLabel(label.text)) return;
  const base = label.text === "_" || label.text === "rows" ? "found" : `${label.text}_rows`;
  const free = freeName(p, base);
  const entry = SYMBOL.test(label.text) ? textMessages.symbolLabel : textMessages.reservedLabel;
  p.report(diagnose(entry, label.span, { label: label.text, free }));
}
