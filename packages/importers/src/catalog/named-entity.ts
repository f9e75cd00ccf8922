import { shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, memberOf, textOf } from "../json.ts";
import { folded, wordsOf } from "../names/words.ts";
import type { EntityDraft } from "./entity-draft.ts";
import type { Entities } from "./find-entities.ts";

/** What a description says that is a key: `ID of the customer who pays`, `the customer's key`. */
const SAYS_KEY =
  /^(?:the )?(?:unique )?id(?:entifier)? (?:of|for) (?:the|an?) ([a-z]+)(?: ([a-z]+))?|^(?:the )?([a-z]+)(?: ([a-z]+))?['\u2019]s (?:unique )?(?:id|identifier|key)$/iu;

/** Names of properties that are numbers of their own, though there may be rows that are called so. */
const NUMBERS = new Set(
  "version number count position order status level page size total priority rank index month year day score stage".split(
    " ",
  ),
);

/** Words that documents write in short. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ["org", "organization"],
  ["repo", "repository"],
  ["env", "environment"],
  ["app", "application"],
  ["dept", "department"],
  ["acct", "account"],
  ["cust", "customer"],
  ["emp", "employee"],
  ["proj", "project"],
  ["doc", "document"],
  ["msg", "message"],
]);

/** The entity that a property is called as: a whole number or a UUID is its key, a text if the description says so. */
function calledEntity(
  entities: Entities,
  words: readonly string[],
  schema: DocumentObject,
): EntityDraft | undefined {
  if (NUMBERS.has(words.at(-1) ?? "")) return undefined;
  const shape = shapeOf(schema);
  const isKey = shape.kind === "scalar" && ["integer", "uuid"].includes(shape.type);
  const said = textOf(memberOf(schema, "description")) ?? "";
  return isKey || /\b(?:id|identifier|uuid)\b/i.test(said)
    ? entities.called(words, schema)
    : undefined;
}

/**
 * The entity that a property refers to by its name, `boat_id` or `boat` the boats, or by its description, if they have
 * keys of that form.
 */
export function namedEntity(
  entities: Entities,
  property: string,
  schema: DocumentObject,
): EntityDraft | undefined {
  const words = wordsOf(property);
  if (words.length > 1 && words.at(-1) === "id") {
    const noun = words.slice(0, -1);
    const [short = "", second] = noun;
    const long = second === undefined ? SHORT.get(short) : undefined;
    return (
      entities.called(noun, schema) ??
      (long === undefined ? undefined : entities.called([long], schema))
    );
  }
  // `customerNumber` of customers whose key is their number.
  const numbered = words.length > 1 ? entities.called(words.slice(0, -1), schema) : undefined;
  const [part] = numbered?.key ?? [];
  if (typeof part?.property === "string" && folded(part.property) === words.at(-1)) return numbered;
  const said = (textOf(memberOf(schema, "description")) ?? "").trim().replace(/\.$/, "");
  const [whole, ...found] = SAYS_KEY.exec(said) ?? [];
  if (words.at(-1) === "id") return undefined;
  if (whole === undefined) return calledEntity(entities, words, schema);
  const nouns = found.flatMap((word) => (word === undefined ? [] : [word.toLowerCase()]));
  return (
    entities.called(nouns, schema) ??
    entities.called(nouns.slice(0, 1), schema) ??
    calledEntity(entities, words, schema)
  );
}
