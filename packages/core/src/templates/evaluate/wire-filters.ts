import { parseInstant } from "../../values/instant.ts";
import { wireDate } from "../../values/wire-date.ts";
import { isWireTimeFormat, WIRE_TIME_FORMATS } from "../filters/wire-time-formats.ts";
import { type Filter, failInput, textArgument, textFilter } from "./filter-call.ts";
import { fromJson } from "./from-json.ts";
import { jsonText } from "./print.ts";
import { NULL, textValue } from "./value.ts";

const LONE_SURROGATE = /\p{Cs}/gu;
const HAS_SURROGATE = /[\ud800-\udfff]/;

/** What forms write in another way than the language's own encoding of a part of an address. */
const OF_FORMS = /%20|[!'()~]/g;
const FORM_WRITING: Readonly<Record<string, string>> = {
  "%20": "+",
  "!": "%21",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "~": "%7E",
};

/**
 * A text as a form writes it: blanks as `+`, other unsafe characters as percent-encoded UTF-8, half a
 * surrogate pair as U+FFFD.
 */
export function formEncode(text: string): string {
  const whole = HAS_SURROGATE.test(text) ? text.replaceAll(LONE_SURROGATE, "\ufffd") : text;
  return encodeURIComponent(whole).replaceAll(OF_FORMS, (found) => FORM_WRITING[found] ?? found);
}

export const urlencode = textFilter(formEncode, 4);

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
