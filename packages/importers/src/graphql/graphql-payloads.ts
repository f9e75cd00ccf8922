import { type GraphQLObjectType, getNamedType, isLeafType, isListType, isUnionType } from "graphql";
import type { DraftKind } from "../catalog/capability-draft.ts";
import { singular } from "../names/singular.ts";
import { folded, wordsOf } from "../names/words.ts";
import type { TypeEntity } from "./graphql-entities.ts";
import { type GraphqlScene, keysTo } from "./graphql-scene.ts";
import {
  bare,
  type GraphqlField,
  isLeaf,
  isRowType,
  openFields,
  type GraphqlRowType,
  rowsOf,
} from "./schema-types.ts";

const VERBS: readonly (readonly [DraftKind, ReadonlySet<string>])[] = [
  ["create", new Set("create add new insert make register open post submit".split(" "))],
  ["update", new Set("update edit change modify patch set save".split(" "))],
  ["delete", new Set("delete remove destroy drop".split(" "))],
];

/** What a mutation says that it does, by its first word or its last: `createBoat`, `boatCreate`. */
export function verbOf(name: string): DraftKind | null {
  const words = wordsOf(name);
  for (const word of [words[0], words.at(-1)]) {
    const found = VERBS.find(([, verbs]) => verbs.has(word ?? ""));
    if (found !== undefined) return found[0];
  }
  return null;
}

export const PAYLOAD = /(?:payload|result|response|output|answer|success)$/i;
const ERRORS = /^(?:.*errors?|problems?|failures?|errormessages?)$/;
const FLAGS = new Set("success ok successful succeeded issuccess issuccessful".split(" "));
const MESSAGES = "message errormessage reason detail details description title error".split(" ");
/** Words in the name of a type that is what went wrong. */
const FAULTS = new Set(
  "error errors failure failures failed fault exception problem invalid denied forbidden unauthorized unauthenticated conflict rejected violation unavailable not taken missing exceeded duplicate already".split(
    " ",
  ),
);
const MOST_LEAVES = 40;

/** A sign in an answer that a mutation was not done, as a mapping's `error_when` has it. */
type ErrorSign = Readonly<Record<string, unknown>> & { readonly path: readonly string[] };

/** What a mutation answers: rows of an entity, in the answer itself or in an object around them. */
export interface Given {
  readonly target: TypeEntity | null;
  readonly path: readonly string[];
  /** whether that is what `path` leads to, or a list of it */
  readonly isList: boolean;
  /** what is asked for; empty for a value */
  readonly selection: string;
  /** by what the API tells of faults of its own, with an answer that is none */
  readonly faults: readonly ErrorSign[];
  readonly isValue: boolean;
}

const NOTHING: Given = {
  target: null,
  path: [],
  isList: false,
  selection: "",
  faults: [],
  isValue: true,
};

const selectionOf = (scene: GraphqlScene, target: TypeEntity): string =>
  scene.columns.get(target)?.selection ?? "__typename";

const isText = ({ type }: GraphqlField): boolean => getNamedType(type).name === "String";

/** Values, and lists of values, that can be asked for as they are. */
const leavesOf = (type: GraphqlRowType): readonly GraphqlField[] =>
  openFields(type)
    .filter((one) => isLeafType(getNamedType(one.type)) && one.name !== "clientMutationId")
    .slice(0, MOST_LEAVES);

const namesOf = (type: GraphqlRowType): string =>
  leavesOf(type)
    .map(({ name }) => name)
    .join(" ") || "__typename";

/** The values of each type of a union, under names of their own: those of two types need not go together. */
const fragmentOf = (type: GraphQLObjectType): string => {
  const leaves = leavesOf(type).map(({ name }) => `${type.name}_${name}: ${name}`);
  return leaves.length === 0 ? "" : `... on ${type.name} { ${leaves.join(" ")} }`;
};

/** Whether an object only says how a call went: by a flag, with words and faults beside it. */
export function tellsOnlyOutcome(type: GraphqlRowType): boolean {
  const fields = openFields(type);
  const says = ({ name }: GraphqlField): boolean =>
    FLAGS.has(folded(name)) || MESSAGES.includes(folded(name)) || ERRORS.test(folded(name));
  return (
    fields.some(({ name }) => FLAGS.has(folded(name))) &&
    fields.every(
      (one) => says(one) || /^(?:status)?code$|^status$|^clientmutationid$/.test(folded(one.name)),
    )
  );
}

/** What is asked of a member that tells of faults; null where it holds none. */
function faultSelection({ name, type }: GraphqlField): string | null {
  const named = getNamedType(type);
  if (isLeafType(named)) return named.name === "String" ? name : null;
  if (isUnionType(named)) {
    const parts = named.getTypes().map(fragmentOf);
    return `${name} { ${["__typename", ...parts].filter(Boolean).join(" ")} }`;
  }
  return isRowType(named) ? `${name} { ${namesOf(named)} }` : null;
}

/** The value of a type that says in words what went wrong. */
function messageOf(type: GraphqlRowType): GraphqlField | undefined {
  const texts = leavesOf(type).filter((one) => isText(one) && isLeaf(one));
  return (
    MESSAGES.flatMap((name) => texts.filter((one) => folded(one.name) === name))[0] ?? undefined
  );
}

/** What the object that a mutation answers says of faults: in lists and members for them, by a flag. */
function faultsIn(type: GraphqlRowType, at: readonly string[]) {
  const signs: ErrorSign[] = [];
  const names = new Set<string>();
  const selections: string[] = [];
  const open = openFields(type);
  for (const field of open) {
    if (!ERRORS.test(folded(field.name))) continue;
    const select = faultSelection(field);
    if (select === null) continue;
    const path = [...at, field.name];
    const isList = isListType(bare(field.type));
    signs.push({ path: isList ? [...path, "0"] : path, present: true, message_path: path });
    names.add(field.name);
    selections.push(select);
  }
  const message = messageOf(type);
  for (const field of open) {
    if (!FLAGS.has(folded(field.name)) || !isLeaf(field)) continue;
    if (getNamedType(field.type).name !== "Boolean") continue;
    const words = message === undefined ? {} : { message_path: [...at, message.name] };
    signs.push({ path: [...at, field.name], eq: false, ...words });
  }
  return { signs, names, selections };
}

/** What a mutation answers, and how faults are told in it; a text where nothing is done by asking it. */
export function givenBy(scene: GraphqlScene, field: GraphqlField): Given | string {
  const plain = bare(field.type);
  const at = keysTo(field.name);
  if (isUnionType(plain)) return ofUnion(scene, field, plain.getTypes());
  const rows = rowsOf(plain);
  if (rows === null) {
    if (!isLeafType(getNamedType(plain)))
      return { ...NOTHING, selection: "__typename", isValue: false };
    const isDone = verbOf(field.name) === "delete" && getNamedType(plain).name === "Boolean";
    return isDone && isLeaf(field) ? { ...NOTHING, faults: [{ path: at, eq: false }] } : NOTHING;
  }
  const own = scene.entities.of(rows.type);
  const isOwn = own !== undefined && own.draft.key.length > 0 && !PAYLOAD.test(rows.type.name);
  if (isOwn && rows.path.length === 0)
    return {
      ...NOTHING,
      target: own,
      isList: rows.isList,
      selection: selectionOf(scene, own),
      isValue: false,
    };
  const type = rows.envelope ?? rows.type;
  const isGroup = field.args.length === 0 && leavesOf(type).length === 0 && holdsCalls(type);
  return isGroup
    ? `it only groups what stands in ${type.name}, which is not asked for`
    : ofPayload(scene, field, type, at);
}

const holdsCalls = (type: GraphqlRowType): boolean =>
  Object.values(type.getFields()).some(({ args }) => args.length > 0);

/** Rows in a payload: of the entity that the mutation's name says, else of the first. */
function ofPayload(
  scene: GraphqlScene,
  field: GraphqlField,
  type: GraphqlRowType,
  at: readonly string[],
): Given {
  const faults = faultsIn(type, at);
  const words = new Set(wordsOf(field.name).map(singular));
  const found = openFields(type).flatMap((one) => {
    const inner = rowsOf(one.type);
    const target =
      inner === null || inner.inner !== null ? undefined : scene.entities.of(inner.type);
    if (target === undefined || inner === null || target.draft.key.length === 0) return [];
    if (PAYLOAD.test(inner.type.name) || inner.path.length > 0 || faults.names.has(one.name))
      return [];
    return [{ one, inner, target }];
  });
  const isSaid = ({ target }: (typeof found)[number]): boolean =>
    target.draft.snake.split("_").every((word) => words.has(singular(word)));
  const chosen =
    found.find((each) => isSaid(each) && !each.inner.isList) ??
    found.find(({ inner }) => !inner.isList) ??
    found.find(isSaid);
  const leaves = leavesOf(type)
    .map(({ name }) => name)
    .filter((name) => !faults.names.has(name));
  const more = [...leaves, ...faults.selections];
  const base = { ...NOTHING, faults: faults.signs, isValue: false };
  if (chosen === undefined) return { ...base, selection: more.join(" ") || "__typename" };
  const { one, inner, target } = chosen;
  const row = `${one.name} { ${selectionOf(scene, target)} }`;
  return {
    ...base,
    target,
    path: [one.name],
    isList: inner.isList,
    selection: [row, ...more].join(" "),
  };
}

const says = (name: string): boolean => wordsOf(name).some((word) => FAULTS.has(word));

/** Whether a type of a union is what went wrong: by its name, or by an interface for that. */
const isFault = (type: GraphQLObjectType): boolean =>
  says(type.name) || type.getInterfaces().some(({ name }) => says(name));

/** Of an answer that is one of several types: the row that is meant, and by which type the others tell of faults. */
function ofUnion(
  scene: GraphqlScene,
  field: GraphqlField,
  types: readonly GraphQLObjectType[],
): Given {
  const at = keysTo(field.name);
  const faults = types.filter(isFault);
  const [done, second] = types.filter((type) => !isFault(type));
  const signs = faults.map((type): ErrorSign => {
    const message = messageOf(type) ?? leavesOf(type).find((one) => isText(one) && isLeaf(one));
    const words =
      message === undefined ? {} : { message_path: [...at, `${type.name}_${message.name}`] };
    return { path: [...at, "__typename"], eq: type.name, ...words };
  });
  const told = ["__typename", ...faults.map(fragmentOf)];
  if (done === undefined || second !== undefined) {
    const others = types.filter((type) => !isFault(type)).map(fragmentOf);
    const selection = [...told, ...others].filter(Boolean).join(" ");
    return { ...NOTHING, selection, faults: signs, isValue: false };
  }
  const own = scene.entities.of(done);
  const given =
    own !== undefined && own.draft.key.length > 0 && !PAYLOAD.test(done.name)
      ? { ...NOTHING, target: own, selection: selectionOf(scene, own), isValue: false }
      : ofPayload(scene, field, done, at);
  return {
    ...given,
    selection: [...told, `... on ${done.name} { ${given.selection} }`].filter(Boolean).join(" "),
    faults: [...signs, ...given.faults],
  };
}
