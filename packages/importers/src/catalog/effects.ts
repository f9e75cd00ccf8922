import type { AnswerRows } from "../document/answer.ts";
import { isAround, isRowAddress, tellsOfCall } from "../document/answer-members.ts";
import { listAbove, type Operation } from "../document/operation.ts";
import { type RecordShape, schemaName, shapeOf } from "../document/schema-shape.ts";
import type { DocumentObject } from "../json.ts";
import { clause } from "../names/clause.ts";
import { singular } from "../names/singular.ts";
import { folded, wordsOf } from "../names/words.ts";
import type { CapabilityDraft, DraftKind } from "./capability-draft.ts";
import type { CapabilityScene } from "./capability-scene.ts";
import { type EntityDraft, ownNamesOf } from "./entity-draft.ts";
import { hasKey } from "./entity-keys.ts";
import { familyOf } from "./entity-names.ts";
import { placeAbove } from "./effect-places.ts";
import { takeLabel } from "./labels.ts";
import { tellsOfWork } from "./made-forms.ts";
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

/** Whether a POST to a row changes it: it says so, or it answers the row where nothing else changes it. */
function changesRow(scene: CapabilityScene, operation: Operation, entity: EntityDraft): boolean {
  if (UPDATES.test(clause(operation.summary))) return true;
  if (!endsInVariable(operation) || scene.updated.has(operation.template)) return false;
  const subject: Subject = { entity, kind: "update", anchored: entity.key.length, labels: [] };
  return !entity.implicit && answered(scene, operation, subject)?.kind === "row";
}

/** A row's own path, or the path of the one thing that there is: POST makes the latter. */
function atHome(scene: CapabilityScene, operation: Operation, entity: EntityDraft): Subject {
  const { method } = operation;
  const isRows = endsInVariable(operation) && entity.records.length > 0;
  if (method === "POST" && entity.implicit && !isRows) {
    return { entity, kind: "create", anchored: 0, labels: ["create"] };
  }
  const isUpdate = method === "POST" && changesRow(scene, operation, entity);
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
    return owner?.kind === "action" && owner.anchored > 0 ? owner : atHome(scene, operation, home);
  }
  const collection = collections.get(operation.template);
  if (collection !== undefined && operation.method === "POST") {
    return { entity: collection, kind: "create", anchored: 0, labels: ["create"] };
  }
  const named = scene.entities.named.get(operation.template);
  if (named !== undefined) return { entity: named, kind: "action", anchored: 1, labels: [] };
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
    if (own.kind === "row") return { response: rowResponse(own.path), properties, output: null };
    const output = { type: "collection", entity_type: subject.entity.name };
    return { response: listResponse(own), properties: null, output };
  }
  const key = answeredKey(scene, operation, subject);
  if (key !== null) {
    const { property, name } = subject.entity.key.at(-1) ?? {};
    return { response: key.response, properties: new Set([property ?? name ?? ""]), output: null };
  }
  const isSilent = answer.kind === "none" && !answer.isOpen;
  if (isSilent || (answer.kind === "other" && answer.has === "markup")) return NOTHING;
  const open = { type: "custom", schema: { type: "object" } };
  if (answer.kind === "other" || answer.kind === "none") {
    const response = { single: true, wrap_root_scalar: true };
    return { response, properties: null, output: open };
  }
  const other = scene.entities.ofSchema(answer.schema) ?? scene.entities.ofPath(operation, answer);
  if (answer.kind === "row") {
    const output = other === undefined ? open : { type: "entity", entity_type: other.name };
    return { response: rowResponse(answer.path), properties: null, output };
  }
  if (other !== undefined && answer.isMap === undefined) {
    const output = { type: "collection", entity_type: other.name };
    return { response: listResponse(answer), properties: null, output };
  }
  // Rows of no entity: each element of a bare list, or one row that has the list as a column.
  return { response: rowResponse([]), properties: null, output: open };
}

/** Whether an object has nothing but what is known of an entity's rows: at least half of it, or its key alone. */
function isFormOf(record: RecordShape, { records }: EntityDraft): boolean {
  const names = [...record.properties.keys()].filter((name) => !isRowAddress(name));
  const own = names.filter((name) => records.some(({ properties }) => properties.has(name)));
  return own.length * 2 >= names.length;
}

/** Whether a member of an answer is work that was begun with the row, and is told of elsewhere: `action`, `next_actions`. */
const isWork = (name: string, schema: DocumentObject, entity: EntityDraft): boolean => {
  const word = singular(wordsOf(name).at(-1) ?? "");
  const told = word === "action" || tellsOfWork([word], entity);
  return told && ["record", "list"].includes(shapeOf(schema).kind);
};

/**
 * The object in an answer that is called as the entity is, where all beside it tells of the call or of work that it
 * began: `{boat: {…}, action: {…}}`. A text beside it, such as a password, may be told nowhere else.
 */
function heldRow(entity: EntityDraft, answer: AnswerRows): AnswerRows {
  const { snake } = entity;
  const { properties } = answer.record;
  if (answer.kind !== "row" || answer.path.length > 0 || properties.has("id")) return answer;
  const held = [...properties].flatMap(([name, schema]) => {
    const record = shapeOf(schema);
    const word = singular(snake.split("_").at(-1) ?? "");
    return record.kind === "record" && singular(wordsOf(name).at(-1) ?? "") === word
      ? [{ name, schema, record }]
      : [];
  });
  const [only, second] = held;
  if (only === undefined || second !== undefined) return answer;
  const { name, schema, record } = only;
  const isBeside = ([one, said]: readonly [string, DocumentObject]): boolean =>
    one === name || isAround(one) || isWork(one, said, entity);
  if (![...properties].every(isBeside)) return answer;
  return { ...answer, schema, record, path: [name], envelope: answer.record };
}

/** Rows that an effect answers, if they are of the entity that it is done to. */
function answered(
  scene: CapabilityScene,
  operation: Operation,
  { entity, kind, anchored }: Subject,
): AnswerRows | null {
  const { template } = operation;
  const bare = template.replace(/(?<=.)\/$/, "");
  if (operation.answer.kind !== "row" && operation.answer.kind !== "list") return null;
  if (operation.answer.isMap === true) return null;
  const answer = heldRow(entity, operation.answer);
  const { record, schema } = answer;
  const named = schemaName(schema);
  const family = familyOf(named ?? "");
  const there = anchored > 0 ? entity.home : null;
  const isMade = kind === "create" && entity.home !== null && listAbove(entity.home) === bare;
  const own = scene.entities.collections.get(template) === entity || there === template || isMade;
  const isKnown = hasKey(entity, record) || scene.entities.saysKey(entity, record);
  // Of rows that an answer gives no key, the columns are worth more than JSON; their address is not known.
  if (named !== undefined && entity.families.has(family.join(" ")))
    return entity.implicit || entity.key.length === 0 || isKnown || own ? answer : null;
  // A form of another name, or of none, is the row's where it was made or changed in its own place, and says its key.
  const place = kind === "create" || kind === "update";
  const isHeld = answer !== operation.answer;
  if (!place || !(own || isHeld) || !isKnown) return null;
  if (named === undefined) return operation.isTakenOn && !isFormOf(record, entity) ? null : answer;
  const other = scene.entities.ofSchema(schema);
  const isOther = other !== undefined && other !== entity;
  return isOther || tellsOfWork(family, entity) || !isFormOf(record, entity) ? null : answer;
}

/** Names under which an answer tells the key of what was made, and nothing else of it. */
const NEW_KEYS = new Set(
  "id uuid itemid newid createdid entityid insertid insertedid objectid recordid resourceid".split(
    " ",
  ),
);

/** Whether a member of an answer is the row as it was sent, without a key. */
const isSentBack = ([name, schema]: readonly [string, DocumentObject], key: string): boolean => {
  const shape = shapeOf(schema);
  const isCalled = ["result", "data", "item"].includes(folded(name));
  return isCalled && shape.kind === "record" && !shape.properties.has(key);
};

/** Where a create answers the key of its row and nothing else of it; in a header there is no response to read. */
function answeredKey(
  { entities }: CapabilityScene,
  { answer, template }: Operation,
  { entity, kind }: Subject,
): { readonly response: unknown } | null {
  const key = entity.key.at(-1);
  const isOwn = kind === "create" && entities.collections.get(template) === entity;
  if (!isOwn || key === undefined || entity.implicit) return null;
  if (answer.kind === "none")
    return answer.isAt && entity.home !== null ? { response: null } : null;
  if (answer.kind === "other") {
    const shape = shapeOf(key.schema);
    const isKey = shape.kind === "scalar" && shape.type === answer.scalar;
    return isKey && (shape.type === "integer" || shape.type === "uuid")
      ? { response: { single: true, wrap_root_scalar: true } }
      : null;
  }
  if (answer.kind !== "row") return null;
  const { properties } = answer.record;
  const told = [...properties].filter(([name]) => !tellsOfCall(name) && !isRowAddress(name));
  // `{id, result: {…}}`: beside the key, what was sent.
  const [only, second] = told.filter((one) => told.length === 1 || !isSentBack(one, key.name));
  if (only === undefined || second !== undefined) return null;
  const [name, schema] = only;
  const noun = entity.snake.split("_").at(-1) ?? "";
  const called = folded(name);
  const isUsual = ["id", "uuid"].includes(called);
  const isKey = !isUsual || key.property === null || folded(key.property) === called;
  const isNamed =
    (isKey && NEW_KEYS.has(called)) || [`${noun}id`, `${folded(entity.snake)}id`].includes(called);
  const { kind: form } = shapeOf(schema);
  const isValue = form === "scalar" || form === "free";
  return isNamed && isValue ? { response: rowResponse([...answer.path, name]) } : null;
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
    fieldNames: scene.fieldNames(entity),
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
