import type { TextRange } from "../../base/span.ts";
import { printTemplateValue } from "./print.ts";
import type { Run } from "./run.ts";
import { describe, NULL, type TemplateValue } from "./value.ts";

/** One use of a filter: its input, its arguments, where each stands; none of them is missing. */
export interface FilterCall {
  readonly run: Run;
  readonly name: string;
  readonly at: TextRange;
  readonly input: TemplateValue;
  readonly inputAt: TextRange;
  readonly arguments: readonly TemplateValue[];
  readonly argumentsAt: readonly TextRange[];
}

export type Filter = (call: FilterCall) => TemplateValue;

/** Fails a filter for what it was given. */
export function failInput(
  { run, name, inputAt, input }: FilterCall,
  allowed: string,
): TemplateValue {
  return run.fail(inputAt, `Found ${describe(input)} | ${name}. Allowed: ${allowed}.`);
}

/** The input as text: numbers, true and false as they print, null as nothing. Null for lists and objects. */
export function inputText(call: FilterCall): string | null {
  const { run, inputAt, input } = call;
  if (input.kind === "list" || input.kind === "object") {
    failInput(call, "a text, a number, true, false or null");
    return null;
  }
  const text = printTemplateValue(run, inputAt, input);
  return run.spendOn(inputAt, text.length) ? text : null;
}

/** A filter that makes a text of a text; `readings` is how dear that is, in readings of the text. */
export function textFilter(change: (text: string) => string, readings = 1): Filter {
  return (call) => {
    const { run, at } = call;
    const text = inputText(call);
    if (text === null || !run.spendOn(at, (readings - 1) * text.length)) return NULL;
    return run.text(at, change(text));
  };
}

/** An argument that must be a text; null if it is none. */
export function textArgument(call: FilterCall, index: number): string | null {
  const value = call.arguments[index];
  if (value?.kind === "text") return value.value;
  failArgument(call, index, "a text");
  return null;
}

/** An argument that must be a small whole number; null if it is none. */
export function integerArgument(call: FilterCall, index: number, limit: number): number | null {
  const value = call.arguments[index];
  if (value?.kind === "integer") {
    const number = Number(value.value);
    if (Math.abs(number) <= limit) return number;
  }
  failArgument(call, index, `a whole number from -${limit} to ${limit}`);
  return null;
}

function failArgument(call: FilterCall, index: number, allowed: string): void {
  const value = call.arguments[index] ?? NULL;
  const at = call.argumentsAt[index] ?? call.at;
  call.run.fail(at, `Found ${describe(value)} as argument of ${call.name}. Allowed: ${allowed}.`);
}
