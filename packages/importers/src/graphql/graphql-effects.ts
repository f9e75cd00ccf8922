import { getNamedType } from "graphql";
import type { CapabilityDraft, DraftKind } from "../catalog/capability-draft.ts";
import { type EntityDraft, identityNamesOf } from "../catalog/entity-draft.ts";
import { clause } from "../names/clause.ts";
import { singular } from "../names/singular.ts";
import { folded, wordsOf } from "../names/words.ts";
import { type Argument, argumentsOf, isKeyOf, makeArguments } from "./arguments.ts";
import type { TypeEntity } from "./graphql-entities.ts";
import {
  bodyOf,
  draftOf,
  type GraphqlScene,
  keysTo,
  saidOf,
  takeSceneLabel,
} from "./graphql-scene.ts";
import {
  bare,
  type GraphqlField,
  isLeaf,
  isRowType,
  openFields,
  type FieldRows,
  rowsOf,
  type GraphqlRowType,
} from "./schema-types.ts";

const VERBS: readonly (readonly [DraftKind, ReadonlySet<string>])[] = [
  ["create", new Set("create add new insert make register open post submit".split(" "))],
  ["update", new Set("update edit change modify patch set save".split(" "))],
  ["delete", new Set("delete remove destroy drop".split(" "))],
];

/** What a mutation says that it does, by its first word or its last: `createBoat`, `boatCreate`. */
function verbOf(name: string): DraftKind | null {
  const words = wordsOf(name);
  for (const word of [words[0], words.at(-1)]) {
    const found = VERBS.find(([, verbs]) => verbs.has(word ?? ""));
    if (found !== undefined) return found[0];
  }
  return null;
}

const PAYLOAD = /(?:payload|result|response|output|answer)$/i;
const ERRORS = /^(?:usererrors|errors|.*usererrors|problems)$/;

/** What a mutation answers: rows of an entity, in the answer itself or in an object around them. */
interface Given {
  readonly target: TypeEntity | null;
  readonly path: readonly string[];
  /** whether that is what `path` leads to, or a list of it */
  readonly isList: boolean;
  /** what is asked for; empty for a value */
  readonly selection: string;
  /** where the API tells of faults of its own, with an answer that is none */
  readonly faults: readonly string[] | null;
  readonly isValue: boolean;
}

const selectionOf = (scene: GraphqlScene, target: TypeEntity): string =>
  scene.columns.get(target)?.selection ?? "__typename";

function faultsIn(type: GraphqlRowType): { readonly name: string; readonly select: string } | null {
  for (const field of openFields(type)) {
    const rows = rowsOf(field.type);
    if (!ERRORS.test(folded(field.name)) || rows?.isList !== true || rows.path.length > 0) continue;
    const leaves = openFields(rows.type).filter(isLeaf);
    if (leaves.some(({ name }) => name === "message"))
      return { name: field.name, select: `${field.name} { message }` };
  }
  return null;
}

function givenBy(scene: GraphqlScene, field: GraphqlField): Given {
  const nothing: Given = {
    target: null,
    path: [],
    isList: false,
    selection: "",
    faults: null,
    isValue: true,
  };
  const plain = bare(field.type);
  const rows = rowsOf(plain);
  if (rows === null)
    return isRowType(getNamedType(plain)) || !isLeaf(field)
      ? { ...nothing, selection: isLeafList(field) ? "" : "__typename" }
      : nothing;
  const own = scene.entities.of(rows.type);
  const isOwn = own !== undefined && own.draft.key.length > 0 && !PAYLOAD.test(rows.type.name);
  if (isOwn && rows.path.length === 0)
    return {
      ...nothing,
      target: own,
      isList: rows.isList,
      selection: selectionOf(scene, own),
      isValue: false,
    };
  return ofPayload(scene, field, rows);
}

const isLeafList = ({ type }: GraphqlField): boolean =>
  !isRowType(getNamedType(type)) && String(type).includes("[");

/** Rows in a payload: of the entity that the mutation's name says, else of the first. */
function ofPayload(scene: GraphqlScene, field: GraphqlField, rows: FieldRows): Given {
  const type = rows.envelope ?? rows.type;
  const faults = faultsIn(type);
  const words = new Set(wordsOf(field.name).map(singular));
  const found = openFields(type).flatMap((one) => {
    const inner = rowsOf(one.type);
    const target =
      inner === null || inner.inner !== null ? undefined : scene.entities.of(inner.type);
    if (target === undefined || inner === null || target.draft.key.length === 0) return [];
    if (PAYLOAD.test(inner.type.name) || inner.path.length > 0 || one.name === faults?.name)
      return [];
    return [{ one, inner, target }];
  });
  const isSaid = ({ target }: (typeof found)[number]): boolean =>
    target.draft.snake.split("_").every((word) => words.has(singular(word)));
  const chosen =
    found.find((each) => isSaid(each) && !each.inner.isList) ??
    found.find(({ inner }) => !inner.isList) ??
    found.find(isSaid);
  const leaves = openFields(type)
    .filter(isLeaf)
    .map(({ name }) => name)
    .filter((name) => name !== "clientMutationId");
  const more = faults === null ? [] : [faults.select];
  const at = faults === null ? null : [field.name, faults.name];
  if (chosen === undefined) {
    const selection = [...leaves, ...more].join(" ") || "__typename";
    return { target: null, path: [], isList: false, selection, faults: at, isValue: false };
  }
  const { one, inner, target } = chosen;
  const row = `${one.name} { ${selectionOf(scene, target)} }`;
  return {
    target,
    path: [one.name],
    isList: inner.isList,
    selection: [row, ...more].join(" "),
    faults: at,
    isValue: false,
  };
}

/** The entity that a name is about: the one with the most words that all stand in it. */
function namedBy(scene: GraphqlScene, name: string): TypeEntity | null {
  const words = new Set(wordsOf(name).map(singular));
  const fits = scene.entities.all.filter(
    ({ draft }) =>
      draft.key.length > 0 &&
      !PAYLOAD.test(draft.name) &&
      draft.snake.split("_").every((word) => words.has(singular(word))),
  );
  const [best = null] = fits.toSorted(
    (a, b) => b.draft.snake.split("_").length - a.draft.snake.split("_").length,
  );
  return best;
}

interface Subject {
  readonly entity: EntityDraft;
  readonly kind: DraftKind;
  /** the argument that takes the row's own key */
  readonly anchor: Argument | null;
}

/**
 * What a mutation is done to: the row whose key it takes, else what it answers, else what its name says. A call with
 * variables and without a row is a create, whatever it is called: nothing else may go without one (TEACH-34).
 */
function subjectOf(
  scene: GraphqlScene,
  field: GraphqlField,
  given: Given,
  all: readonly Argument[],
): Subject {
  const verb = verbOf(field.name);
  const said = namedBy(scene, field.name);
  const about = (verb === "delete" ? said : null) ?? given.target ?? said;
  // A key that whoever creates gives is a value like the others.
  if (about !== null && verb === "create")
    return { entity: about.draft, kind: "create", anchor: null };
  const required = all.filter((one) => one.required);
  const anchorOf = ({ draft }: TypeEntity, isOwn: boolean): Argument | null => {
    const fits = (one: Argument): boolean => isKeyOf(one, draft, isOwn);
    // An id in the one object that is given may be left out by its type, and is still the row's.
    return required.find(fits) ?? all.find((one) => fits(one) && one.path.length > 1) ?? null;
  };
  const kind = verb === null || verb === "create" ? "action" : verb;
  if (about !== null) {
    const anchor = anchorOf(about, true);
    return { entity: about.draft, kind: anchor === null ? "create" : kind, anchor };
  }
  for (const other of scene.entities.all) {
    const anchor = other.getter === null ? null : anchorOf(other, false);
    if (anchor !== null) return { entity: other.draft, kind: "action", anchor };
  }
  return { entity: scene.entities.root, kind: "create", anchor: null };
}

/** Where the answer of an effect has its rows, and what it gives besides. */
function answerOf(
  scene: GraphqlScene,
  field: GraphqlField,
  given: Given,
  entity: EntityDraft,
): Pick<CapabilityDraft, "response" | "properties" | "output"> {
  const { target, path, faults, isList } = given;
  const failure =
    faults === null
      ? null
      : {
          path: [...keysTo(...faults), "0"],
          present: true,
          message_path: [...keysTo(...faults), "0", "message"],
        };
  const errors = failure === null ? {} : { error_when: [failure] };
  const at = keysTo(field.name, ...path);
  if (target === null) {
    const items = given.isValue ? ["data"] : at;
    return {
      response: { items_path: items, single: true, ...errors },
      properties: null,
      output: { type: "custom", schema: { type: "object" } },
    };
  }
  const named = { entity_type: target.draft.name };
  if (isList)
    return {
      response: { items_path: at, ...errors },
      properties: null,
      output: { type: "collection", ...named },
    };
  const response = { items_path: at, single: true, ...errors };
  return target.draft === entity
    ? { response, properties: scene.columns.get(target)?.properties ?? new Set(), output: null }
    : { response, properties: null, output: { type: "entity", ...named } };
}

/** An effect of a mutation, or why there is none. */
export function mutationEffect(scene: GraphqlScene, field: GraphqlField): CapabilityDraft | string {
  const all = argumentsOf(field).filter(({ path }) => path.at(-1) !== "clientMutationId");
  const given = givenBy(scene, field);
  const { entity, kind, anchor } = subjectOf(scene, field, given, all);
  const [part] = entity.key;
  const made = makeArguments(
    {
      ...scene,
      entity,
      field,
      kind: "write",
      keyed:
        anchor === null || part === undefined
          ? new Map()
          : new Map([[anchor.path.join("."), part.name]]),
      paged: new Set(),
      taken: anchor === null ? [] : [...identityNamesOf(entity)],
    },
    all,
  );
  if (typeof made === "string") return made;
  for (const line of made.left) scene.say(`mutation ${field.name}: ${line}`);
  const plain = kind === "action" || (kind === "create" && verbOf(field.name) !== kind) ? "" : kind;
  const words = saidOf(field.name, entity);
  const label = takeSceneLabel(scene, entity, [
    plain !== "" && (words === plain || verbOf(words) === kind) && !words.includes("_")
      ? plain
      : words,
    field.name,
  ]);
  const answer = answerOf(scene, field, given, entity);
  const text = given.selection === "" ? "" : ` { ${given.selection} }`;
  return draftOf(
    scene,
    bodyOf("mutation", made.declared, `${field.name}${made.passed}${text}`, made.variables),
    {
      label,
      kind,
      entity,
      description: clause(field.description ?? undefined) || wordsOf(field.name).join(" "),
      slots: made.slots,
      ...answer,
    },
  );
}
