import { changeSaidBy, nounsOf, readsAsRead, verbInCall } from "@plasm/core/internal";
import { getNamedType, type GraphQLSchema, isRequiredArgument } from "graphql";
import { areCalls, isChange, thingOf, withoutAnswer } from "../names/call-names.ts";
import { clause } from "../names/clause.ts";
import { singular } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
import { PAYLOAD, tellsOnlyOutcome } from "./graphql-payloads.ts";
import { type GraphqlField, isLeaf, isRowType, plainKey, rowsOf } from "./schema-types.ts";

/** What a schema calls things by. */
interface Names {
  /** words of its types; of verbs only those that name a thing */
  readonly nouns: ReadonlySet<string>;
  /** types whose name is one word */
  readonly things: ReadonlySet<string>;
  /** what its queries list, in words */
  readonly listed: ReadonlySet<string>;
  /** whether most of its queries begin with a verb */
  readonly areCalls: boolean;
}

const oneOf = (name: string): string => wordsOf(name).map(singular).join(" ");

function namesOf(schema: GraphQLSchema, fields: readonly GraphqlField[]): Names {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const types = Object.values(schema.getTypeMap())
    .filter((type) => isRowType(type) && !roots.some((root) => root === type))
    .map(({ name }) => name.replace(PAYLOAD, ""));
  const listed = fields.flatMap(({ type }) => {
    const rows = rowsOf(type);
    return rows?.isList === true && !PAYLOAD.test(rows.type.name) ? [rows.type.name] : [];
  });
  const all = types.flatMap((name) => nounsOf(thingOf(name)));
  return {
    nouns: new Set([...all.filter((word) => !isChange(word)), ...listed.flatMap(nounsOf)]),
    things: new Set(types.map(wordsOf).flatMap((words) => (words.length === 1 ? words : []))),
    listed: new Set(listed.map(oneOf)),
    areCalls: areCalls(fields.map(({ name }) => name)),
  };
}

/** Whether a field is called like the rows it answers: `releaseStage` of a schema that lists stages of releases. */
function isNamedByRows({ name, type }: GraphqlField, { listed }: Names): boolean {
  const rows = rowsOf(type);
  if (rows === null || oneOf(name) !== oneOf(rows.type.name)) return false;
  return listed.has(oneOf(name)) || (wordsOf(name).length === 1 && plainKey(rows.type) !== null);
}

/** Words that say how something is, or ask for that. */
const STATE =
  /(?:ed|able|ible|ing)$|^(?:is|has|can|may|should|exists?|valid|empty|open|active|online|public|private|ready|pending)$/;
/** Verbs behind which a state is what is made of something: `markDone`, `setLocked`. */
const MAKES_STATE = new Set(["mark", "set"]);
/** What follows a verb and no noun: `markAllRead`, `addToCart`. */
const NO_NOUN_BEHIND = new Set("all any each every it my our them to as".split(" "));
/** Verbs of change that are as often what a thing is like. */
const ADJECTIVES = new Set("open complete clear duplicate set".split(" "));
/** To run one of these is to read. */
const READINGS = /^(?:quer(?:y|ies)|search(?:es)?|reports?|lookup|select|sql|calculation)$/;

/** Whether a field of such a name is a call that changes something, where nothing is said of it. */
function isChangingCall({ name, type, args }: GraphqlField, names: Names): boolean {
  const words = wordsOf(name);
  const [first = "", ...rest] = words;
  const asks = args.some(isRequiredArgument);
  const verb = verbInCall(name);
  const isSaidLast = asks && rest.length > 0 && verb !== "reads" && isChange(words.at(-1) ?? "");
  if (isSaidLast) return !words.some((word) => STATE.test(word));
  if (names.things.has(first) || rest.some((word) => READINGS.test(word))) return false;
  if (verb !== "changes" && verb !== "either") return false;
  if (!MAKES_STATE.has(first) && rest.some((word) => STATE.test(word))) return false;
  const rows = rowsOf(type);
  const isFlag = isLeaf({ type }) && getNamedType(type).name === "Boolean";
  const isOutcome = isFlag || (rows !== null && tellsOnlyOutcome(rows.envelope ?? rows.type));
  if (names.areCalls || isOutcome || NO_NOUN_BEHIND.has(rest[0] ?? "")) return true;
  const answers = rows === null ? "" : oneOf(rows.type.name);
  // `blockUser` answers the user; `openOrder` may be one that is open.
  const isDone =
    rows?.isList === false && answers === oneOf(rest.join(" ")) && !ADJECTIVES.has(first);
  return asks && (verb === "changes" || isDone);
}

/**
 * The fields of queries that say that they change something, by what is said of them or by their names (CAT-164): they
 * are effects, though GraphQL has none there.
 */
export function changingFields(
  schema: GraphQLSchema,
  fields: readonly GraphqlField[],
): ReadonlySet<GraphqlField> {
  const names = namesOf(schema, fields);
  const saysChange = (field: GraphqlField): boolean => {
    const description = withoutAnswer(clause(field.description ?? undefined));
    const said = { label: "", description, end: "" };
    if (isNamedByRows(field, names)) return changeSaidBy(said, names.nouns) !== null;
    if (changeSaidBy({ ...said, label: field.name }, names.nouns) !== null) return true;
    return !readsAsRead(description) && isChangingCall(field, names);
  };
  return new Set(fields.filter(saysChange));
}
