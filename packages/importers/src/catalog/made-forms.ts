import type { AnswerRows } from "../document/answer.ts";
import { isRowAddress } from "../document/answer-members.ts";
import type { Operation } from "../document/operation.ts";
import { type RecordShape, schemaName } from "../document/schema-shape.ts";
import type { EntityDraft } from "./entity-draft.ts";
import { saysKey } from "./entity-keys.ts";
import { familyOf } from "./entity-names.ts";

const rowIn = ({ answer }: Operation): AnswerRows | null =>
  answer.kind === "row" && !answer.isFree ? answer : null;

/** What a create answers in the place of its rows, where that is one object: it may say a key that their own get does not. */
export function madeForm(around: readonly Operation[]): RecordShape | null {
  const creates = around.flatMap((one) => (one.method === "POST" && !one.reads ? [one] : []));
  const [only, second] = creates.map(rowIn);
  return second === undefined ? (only?.record ?? null) : null;
}

interface KnownForms {
  readonly collections: ReadonlyMap<string, EntityDraft>;
  readonly families: ReadonlyMap<string, readonly EntityDraft[]>;
}

/** What only a create answers of its row, beside the row's key: columns of it, too. */
export function addMadeForms(
  { collections, families }: KnownForms,
  operations: readonly Operation[],
  familyKey: (rows: AnswerRows) => string | undefined,
): void {
  for (const operation of operations) {
    const { template, method, reads, isTakenOn } = operation;
    const entity = collections.get(template);
    if (method !== "POST" || reads || isTakenOn || entity === undefined || entity.implicit)
      continue;
    const rows = rowIn(operation);
    if (rows === null || !saysKey(entity, rows.record)) continue;
    const words = familyOf(schemaName(rows.schema) ?? "");
    const family = familyKey(rows);
    const others = family === undefined ? [] : (families.get(family) ?? []);
    const isOther = others.length > 0 && !others.includes(entity);
    const isNews = [...rows.record.properties.keys()].some(
      (name) =>
        !isRowAddress(name) &&
        !["result", "data", "item"].includes(name) &&
        !entity.records.some(({ properties }) => properties.has(name)),
    );
    if (isNews && !isOther && !tellsOfWork(words, entity)) entity.records.push(rows.record);
  }
}

/** Words of a schema that say that it tells of the work begun, and not of what it is done for. */
const WORK = new Set(
  "job task operation process batch request async queue import export".split(" "),
);

/** Whether the words of a schema, or of a member, are those of work that an entity's rows are not. */
export const tellsOfWork = (words: readonly string[], { snake }: EntityDraft): boolean =>
  words.some((word) => WORK.has(word) && !snake.includes(word));
