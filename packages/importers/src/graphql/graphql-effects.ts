import type { CapabilityDraft, DraftKind } from "../catalog/capability-draft.ts";
import { type EntityDraft, identityNamesOf } from "../catalog/entity-draft.ts";
import { clause } from "../names/clause.ts";
import { singular } from "../names/singular.ts";
import { wordsOf } from "../names/words.ts";
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
import { type Given, givenBy, PAYLOAD, verbOf } from "./graphql-payloads.ts";
import type { GraphqlField } from "./schema-types.ts";

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
  const errors = faults.length === 0 ? {} : { error_when: faults };
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

/** An effect of a mutation, or of a query that says that it changes something; or why there is none. */
export function fieldEffect(
  scene: GraphqlScene,
  field: GraphqlField,
  root: "query" | "mutation",
): CapabilityDraft | string {
  const all = argumentsOf(field, true).filter(({ path }) => path.at(-1) !== "clientMutationId");
  const given = givenBy(scene, field);
  if (typeof given === "string") return given;
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
  for (const line of made.left) scene.say(`${root} ${field.name}: ${line}`);
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
    bodyOf(root, made.declared, `${field.name}${made.passed}${text}`, made.variables),
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
