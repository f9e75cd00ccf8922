import { nearestName } from "../../diagnostics/nearest-name.ts";
import {
  type FilterName,
  filterNames,
  filterSignatures,
  isFilterName,
} from "../filters/signatures.ts";
import { isWireTimeFormat, WIRE_TIME_FORMATS } from "../filters/wire-time-formats.ts";
import type { Expression } from "../tree.ts";
import type { TagReader } from "./tag-reader.ts";
import { describeToken, type Token } from "./token.ts";

/** The filter behind a `|`, with its arguments. */
export function parseFilter(tag: TagReader, of: Expression, start: number): Expression {
  const name = tag.peek();
  if (name.kind !== "word" || !isFilterName(name.text)) {
    failFilter(tag, name);
    return of;
  }
  tag.take();
  const filter = name.text;
  const found = tag.isSign("(") ? parseArguments(tag) : [];
  const { usage, least, most } = filterSignatures[filter];
  if (found.length < least || found.length > most) {
    const count = `${found.length} argument${found.length === 1 ? "" : "s"}`;
    tag.fail(name, `Found filter ${filter} with ${count}. Allowed: ${usage}.`);
  }
  checkFormat(tag, filter, found);
  return tag.made({ kind: "filter", filter, of, arguments: found }, start, [of, ...found]);
}

function failFilter(tag: TagReader, name: Token): void {
  const allowed = filterNames.join(", ");
  if (name.kind !== "word") {
    tag.fail(name, `Found ${describeToken(name)}. Allowed after |: ${allowed}.`);
    return;
  }
  const nearest = nearestName(name.text, filterNames);
  const hint = nearest === null ? "" : ` (nearest: ${nearest})`;
  tag.fail(name, `There is no filter ${name.text}${hint}. Allowed: ${allowed}.`);
}

function parseArguments(tag: TagReader): readonly Expression[] {
  tag.take();
  const found: Expression[] = [];
  while (!tag.isSign(")")) {
    found.push(tag.expression());
    if (tag.isSign("=")) tag.unexpected("arguments without names, in their order");
    if (!tag.takeSign(",")) break;
  }
  if (!tag.takeSign(")")) tag.unexpected("a comma, or the closing )");
  return found;
}

function checkFormat(tag: TagReader, filter: FilterName, found: readonly Expression[]): void {
  const [format] = found;
  if (filter !== "wire_time" || format?.kind !== "literal") return;
  const { value } = format;
  if (value.kind === "text" && isWireTimeFormat(value.value)) return;
  const allowed = WIRE_TIME_FORMATS.map((each) => `"${each}"`).join(", ");
  tag.fail(format, `This is no format of wire_time. Allowed: ${allowed}.`);
}

/** The test behind an `is`. */
export function parseTest(tag: TagReader, of: Expression, start: number): Expression {
  const negated = tag.takeWord("not");
  const { kind, text } = tag.peek();
  if (kind !== "word" || (text !== "defined" && text !== "none")) {
    tag.unexpected("is defined, is not defined, is none, is not none");
    return of;
  }
  tag.take();
  return tag.made({ kind: "test", of, test: text, negated }, start, [of]);
}
