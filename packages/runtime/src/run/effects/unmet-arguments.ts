import type { Capability, Entity, Field, Json, JsonObject, ValueType } from "@plasm/core";
import { clip, type HttpTemplate, testValue } from "@plasm/core/internal";
import type { DiagnosticLog } from "../../base/diagnostic.ts";
import { hasMember, isArray, isObject, isScalar } from "../../base/json-kinds.ts";
import type { EntityRow } from "../../decode/entity-row.ts";
import { foldText, isDay, isSameType, writtenValue } from "../unmet-conditions.ts";

/** A key that is a number, in whichever form it is written; null for any other. */
const numberKey = (value: Json): string | null =>
  /^"?(-?\d+)"?$/.exec(JSON.stringify(value))?.[1] ?? null;

/** What two texts differ in without being others: case, accents, blanks and marks. */
const bare = (text: string): string => foldText(text).replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** APIs trim, render and shorten text; what has none of the other in it is another. */
function isOtherText(sent: Json, shown: Json): boolean {
  if (typeof sent !== "string" || typeof shown !== "string") return false;
  const [one, other] = [bare(sent), bare(shown)];
  return !(one.includes(other) || other.includes(one));
}

/** Whether an answer shows another value than the one sent; false where it may be the same in another form. */
function isOther(sent: Json, shown: Json, type: ValueType): boolean {
  if (sent === null || shown === null) return sent !== shown;
  switch (type.kind) {
    case "boolean":
    case "select":
    case "number":
    case "integer":
      return !testValue(shown, "=", sent, type);
    case "date":
      return isDay(sent) === isDay(shown) && !testValue(shown, "=", sent, type);
    case "string":
      return isOtherText(sent, shown);
    case "entity_ref":
      return (
        [sent, shown].every((key) => numberKey(key) !== null) &&
        numberKey(sent) !== numberKey(shown)
      );
    case "array":
    case "multi_select": {
      if (!isArray(sent) || !isArray(shown) || !shown.every(isScalar)) return false;
      // A list that was to be emptied is not, where it has something; more than was sent may have been there before.
      if (sent.length === 0) return shown.length > 0;
      const words = new Set(shown.map((each) => bare(String(each))));
      return sent.some((each) => isScalar(each) && !words.has(bare(String(each))));
    }
    case "uuid":
    case "blob":
    case "json":
      return false;
  }
}

/** The value of a field in an answer; undefined where the answer does not have it. */
function shownValue({ fields, wire }: EntityRow, { name, path, derive }: Field): Json | undefined {
  const cell = fields.get(name);
  if (cell !== null) return cell;
  return path === undefined && derive === undefined && hasMember(wire, name) ? null : undefined;
}

/** Whether a value is a list without a value, or holds one. */
const holdsEmptyList = (value: Json): boolean =>
  isArray(value)
    ? value.length === 0 || value.some(holdsEmptyList)
    : isObject(value) && Object.values(value).some(holdsEmptyList);

/** Says which arguments were not sent: a form or a query holds nothing of a list without a value (MAP-013, MAP-015). */
export function tellEmptyArguments(
  log: DiagnosticLog,
  { label }: Capability,
  { body, bodyFormat }: Pick<HttpTemplate, "body" | "bodyFormat">,
  args: JsonObject,
): void {
  if (body !== undefined && bodyFormat === "json") return;
  const place = bodyFormat === "json" ? "query" : "form";
  for (const [name, value] of Object.entries(args)) {
    if (!holdsEmptyList(value)) continue;
    const what = isArray(value) && value.length === 0 ? `${name}=[]` : `an empty list in ${name}`;
    const says = `${label}: ${what} was not sent: a ${place} holds no empty list`;
    log.add("argument_unmet", `${says}; what the row has of it stays as it was`);
  }
}

/**
 * Says which arguments of a create or an update its own answer contradicts: an API that does not know an argument, or
 * does not take it in this state, answers with the row as it is (RUN-040). The effect is done all the same.
 */
export function tellUnmetArguments(
  log: DiagnosticLog,
  { kind, label, parameters }: Capability,
  args: JsonObject,
  entity: Entity,
  row: EntityRow,
): void {
  if (kind !== "create" && kind !== "update") return;
  for (const { name, input } of parameters) {
    const field = entity.fields.get(name);
    const sent = args[name];
    if (field === undefined || sent === undefined || input.kind !== "value") continue;
    const shown = shownValue(row, field);
    if (shown === undefined || !isSameType(input.type, field.type)) continue;
    if (!isOther(sent, shown, field.type)) continue;
    const says = `${label}: ${name}=${clip(writtenValue(sent), 60)} was sent, and the answer has ${name}=${clip(writtenValue(shown), 60)}`;
    log.add("argument_unmet", `${says}; read it again: the API may not take ${name} here`);
  }
}
