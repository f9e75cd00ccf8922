import type { AnswerRows } from "../document/answer.ts";
import type { Operation } from "../document/operation.ts";
import { schemaName } from "../document/schema-shape.ts";
import { clause } from "../names/clause.ts";
import { wordsOf } from "../names/words.ts";
import type { CapabilityDraft, DraftKind } from "./capability-draft.ts";
import type { CapabilityScene } from "./capability-scene.ts";
import { type EntityDraft, ownNamesOf } from "./entity-draft.ts";
import { familyOf } from "./entity-names.ts";
import { placeAbove } from "./find-entities.ts";
import { takeLabel } from "./labels.ts";
import { pathNames } from "./path-names.ts";
import { listResponse, rowResponse } from "./reads.ts";
import { requestOf } from "./request-slots.ts";

/** What an effect is done to. */
interface Subject {
  readonly entity: EntityDraft;
  readonly kind: DraftKind;
  /** how many variables of the path are the key of the row that it is called on */
  readonly anchored: number;
  readonly labels: readonly string[];
}

const hasVariables = ({ segments }: Operation): boolean =>
  segments.some(({ kind }) => kind === "variable");

const VERBS: Readonly<Record<Operation["method"], readonly [DraftKind, string]>> = {
  GET: ["action", "get"],
  POST: ["action", "post"],
  PUT: ["update", "update"],
  PATCH: ["update", "update"],
  DELETE: ["delete", "delete"],
};

/** Words of a POST to a row that say that it changes the row's members. */
const UPDATES = /^(?:update|edit|modif(?:y|ie)|change)s?\b/;

const endsInVariable = ({ segments }: Operation): boolean => segments.at(-1)?.kind === "variable";

/** A row's own path, or the path of the one thing that there is: POST makes the latter. */
function atHome(operation: Operation, entity: EntityDraft): Subject {
  const { method } = operation;
  const isRows = endsInVariable(operation) && entity.records.length > 0;
  if (method === "POST" && entity.implicit && !isRows) {
    return { entity, kind: "create", anchored: 0, labels: ["create"] };
  }
  const isUpdate = method === "POST" && UPDATES.test(clause(operation.summary));
  const [kind, verb] = isUpdate ? VERBS.PATCH : VERBS[method];
  const other = method === "PUT" ? ["update", "replace"] : [verb];
  const last = operation.segments.findLast((one) => one.kind === "literal" && one.value !== "");
  const word = last?.kind === "literal" ? wordsOf(last.value).join("_") : "";
  const labels = {
    GET: [word],
    POST: isUpdate ? other : [],
    PUT: other,
    PATCH: other,
    DELETE: other,
  }[method];
  return { entity, kind, anchored: entity.key.length, labels };
}

/** What is done to the place that an operation's path goes on from. */
function above(scene: CapabilityScene, operation: Operation): Subject | undefined {
  const place = placeAbove(scene.entities, operation);
  if (place === undefined) return undefined;
  const { entity, at } = place;
  // A call without a row is a create, whatever it is called; nothing else may go without one.
  const kind = at === "list" && hasVariables(operation) ? "create" : "action";
  return { entity, kind, anchored: at === "row" ? entity.key.length : 0, labels: [] };
}

function subjectOf(scene: CapabilityScene, operation: Operation): Subject | undefined {
  const { homes, collections } = scene.entities;
  if (operation.method === "GET") {
    const found = above(scene, operation);
    if (found !== undefined) return found;
  }
  const home = homes.get(operation.template);
  if (home !== undefined) {
    // Of a place whose rows say nothing, what it belongs to is the better subject: `Gist("1").star()`.
    const isSilent = home.records.every(({ properties }) => properties.size === 0);
    const owner = isSilent && home.records.length > 0 ? above(scene, operation) : undefined;
    return owner?.kind === "action" && owner.anchored > 0 ? owner : atHome(operation, home);
  }
  const collection = collections.get(operation.template);
  if (collection !== undefined && operation.method === "POST") {
    return { entity: collection, kind: "create", anchored: 0, labels: ["create"] };
  }
  const found = above(scene, operation);
  if (found !== undefined) return found;
  const place = scene.entities.places.get(operation.template);
  if (place !== undefined) return { entity: place, kind: "action", anchored: 0, labels: [] };
  return collection !== undefined && !hasVariables(operation)
    ? { entity: collection, kind: "action", anchored: 0, labels: [] }
    : undefined;
}

/** What an effect gives: rows of the entity that it is done to, of another one, or of none. */
type Given = Pick<CapabilityDraft, "response" | "properties" | "output">;

const NOTHING: Given = { response: null, properties: null, output: null };

function givenBy(scene: CapabilityScene, operation: Operation, subject: Subject): Given {
  const { answer } = operation;
  const own = answered(scene, operation, subject);
  if (own !== null) {
    const properties = new Set(own.record.properties.keys());
    return { response: rowResponse(own.path), properties, output: null };
  }
  if (answer.kind === "none" || (answer.kind === "other" && answer.has === "markup"))
    return NOTHING;
  const open = { type: "custom", schema: { type: "object" } };
  if (answer.kind === "other") {
    const response = { single: true, wrap_root_scalar: true };
    return { response, properties: null, output: open };
  }
  const other = scene.entities.ofSchema(answer.schema);
  if (answer.kind === "row") {
    const output = other === undefined ? open : { type: "entity", entity_type: other.name };
    return { response: rowResponse(answer.path), properties: null, output };
  }
  if (other !== undefined && answer.isMap === undefined) {
    const output = { type: "collection", entity_type: other.name };
    return { response: listResponse(answer.path), properties: null, output };
  }
  // Rows of no entity: each element of a bare list, or one row that has the list as a column.
  return { response: rowResponse([]), properties: null, output: open };
}

/** Rows that an effect answers, if they are of the entity that it is done to. */
function answered(
  scene: CapabilityScene,
  { answer, template }: Operation,
  { entity, kind, anchored }: Subject,
): AnswerRows | null {
  if (answer.kind !== "row") return null;
  const named = schemaName(answer.schema);
  if (named !== undefined) {
    const family = familyOf(named).join(" ");
    const own = entity.families.has(family) && scene.entities.saysKey(entity, answer.record);
    return own || (entity.implicit && entity.families.has(family)) ? answer : null;
  }
  // A form without a name is the row's where it was made or changed in its own place, and says its key.
  const place = kind === "create" || kind === "update";
  const there = anchored > 0 ? entity.home : null;
  const own = scene.entities.collections.get(template) === entity || there === template;
  return place && own && scene.entities.saysKey(entity, answer.record) ? answer : null;
}

/** A write: a create, update, delete or action of the entity that its path leads to. Why not, if it has none. */
export function effectOf(scene: CapabilityScene, operation: Operation): CapabilityDraft | string {
  const subject = subjectOf(scene, operation);
  if (subject === undefined)
    return "its path leads to nothing that can be read: whose it is, is not certain";
  const { entity, kind, anchored } = subject;
  const made = requestOf({
    ...scene,
    entity,
    operation,
    anchored,
    path: pathNames(operation, scene.entities.homes, ownNamesOf(entity)),
    paged: new Set(),
    kind: "write",
    fieldRefs: scene.fieldRefs(entity),
  });
  if (!made.ok) return made.why;
  const label = takeLabel(scene.labelsOf(entity), operation, entity, subject.labels);
  const given = givenBy(scene, operation, subject);
  scene.say(operation, made.left);
  return {
    label,
    kind,
    entity,
    operation,
    description: clause(operation.summary) || `${label.replaceAll("_", " ")} (${operation.method})`,
    slots: made.slots,
    request: made.request,
    ...given,
    pagination: null,
    remark: null,
  };
}
