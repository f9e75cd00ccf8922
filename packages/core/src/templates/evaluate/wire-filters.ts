import { utf8Bytes } from "../../text/utf8-bytes.ts";
import { parseInstant } from "../../values/instant.ts";
import { wireDate } from "../../values/wire-date.ts";
import { isWireTimeFormat, WIRE_TIME_FORMATS } from "../filters/wire-time-formats.ts";
import { type Filter, failInput, textArgument, textFilter } from "./filter-call.ts";
import { fromJson } from "./from-json.ts";
import { jsonText } from "./print.ts";
import { NULL, textValue } from "./value.ts";

/** What a form does not leave as it is. */
const FORM_UNSAFE = /[^A-Za-z0-9*._-]/gu;

/** A text as a form writes it: blanks as `+`, other unsafe characters as percent-encoded UTF-8. */
export function formEncode(text: string): string {
  return text.replaceAll(FORM_UNSAFE, (character) => {
    if (character === " ") return "+";
    const bytes = Array.from(utf8Bytes(character), (byte) => byte.toString(16).toUpperCase());
    return bytes.map((byte) => `%${byte.padStart(2, "0")}`).join("");
  });
}

export const urlencode = textFilter(formEncode);

export const jsonEncode: Filter = ({ run, at, input }) => run.text(at, jsonText(run, at, input));

/** A date in a wire format, in UTC; digits and `now…` as they are, null as nothing. */
export const wireTime: Filter = (call) => {
  const { input } = call;
  const format = textArgument(call, 0);
  if (format === null) return NULL;
  if (!isWireTimeFormat(format)) {
    const at = call.argumentsAt[0] ?? call.at;
    return call.run.fail(at, `Found format ${format}. Allowed: ${WIRE_TIME_FORMATS.join(", ")}.`);
  }
  if (input.kind === "null" || input.kind === "blank") return textValue("");
  if (input.kind === "integer" && input.value >= 0n) return input;
  if (input.kind === "text") {
    const text = input.value.trim();
    if (/^(?:\d+$|now)/.test(text)) return textValue(text);
    const instant = parseInstant(text);
    if (instant !== null) return fromJson(wireDate(instant, format)) ?? NULL;
  }
  return failInput(call, "a date such as 2026-01-31 or 2026-01-31T10:00:00Z, digits, or now…");
};
