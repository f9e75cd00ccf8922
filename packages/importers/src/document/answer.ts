import { isDocumentObject, type DocumentObject, listOf, memberOf, sortedEntries } from "../json.ts";
import { folded, wordsOf } from "../names/words.ts";
import { singular } from "../names/singular.ts";
import {
  BESIDE,
  calledAs,
  isAround,
  LIST_KEYS,
  recordItems,
  REPORTS,
  saysPages,
  WRAPPERS,
} from "./answer-members.ts";
import { isThing, type ListPlace, pagedList } from "./paged-lists.ts";
import {
  type RecordShape,
  type ScalarType,
  schemaName,
  type SchemaShape,
  shapeOf,
} from "./schema-shape.ts";

/** What an operation answers with when it succeeds. */
export type DocumentAnswer =
  /** `isAt`: a header says where what was made is; `isOpen`: an answer may have a body of which nothing is said */
  | { readonly kind: "none"; readonly isAt: boolean; readonly isOpen: boolean }
  /** `markup` is no answer of a call: where JSON is expected it is an error (RUN-038) */
  | {
      readonly kind: "other";
      readonly why: string;
      readonly has: "markup" | "list" | "json";
      /** of what is one value */
      readonly scalar?: ScalarType;
    }
  | AnswerRows;

/** Rows in an answer: one, or a list; `path` are the keys that lead to them. */
export interface AnswerRows {
  readonly kind: "row" | "list";
  readonly schema: DocumentObject;
  readonly record: RecordShape;
  readonly path: readonly string[];
  /** the whole body, where rows are not all of it */
  readonly envelope: RecordShape | null;
  /** headers that the answer declares, in lower case */
  readonly headers: readonly string[];
  /** nothing is known of a row: it is JSON as a whole */
  readonly isFree: boolean;
  /** the member of each element that holds the row, and is all that it has: `[{boat: {…}}]` */
  readonly inner?: string;
  /** the list is a map: what tells its rows apart are its keys, `{b1: {…}}` */
  readonly isMap?: true;
}

/** What a read answers of which the document does not say what it has: JSON, or rows of JSON. */
export const freeRows = (isList: boolean): AnswerRows => ({
  kind: isList ? "list" : "row",
  schema: {},
  record: { kind: "record", properties: new Map(), required: new Set() },
  path: [],
  envelope: null,
  headers: [],
  isFree: true,
});

/** `applicationjson` is written by mistake. */
const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]+\+)?json\b|^applicationjson\b|^\*\/\*$/i;

const XML_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?xml\b/i;

/** The schema of an XML body among media types, where there is no JSON; undefined if there is none. */
function xmlSchema(content: unknown): DocumentObject | undefined {
  const [, media] = sortedEntries(content).find(([type]) => XML_TYPE.test(type)) ?? [];
  if (media === undefined || bodySchema(content) !== undefined) return undefined;
  const schema = memberOf(media, "schema");
  return isDocumentObject(schema) ? schema : {};
}

/** Which of several types of JSON is taken; a patch by operations only where there is no other. */
const rankOf = (type: string): number =>
  type === "application/json"
    ? 0
    : /merge-patch/i.test(type)
      ? 1
      : /json-patch/i.test(type)
        ? 3
        : 2;

/** The type of a JSON body among media types, and its schema; undefined if there is none. */
export function jsonBody(content: unknown): { type: string; schema: DocumentObject } | undefined {
  const types = sortedEntries(content).filter(([type]) => JSON_TYPE.test(type));
  const [chosen] = types.toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  if (chosen === undefined) return undefined;
  const [type, media] = chosen;
  const schema = memberOf(media, "schema");
  return { type, schema: isDocumentObject(schema) ? schema : {} };
}

/** The schema of a JSON body among media types; undefined if there is none. */
export const bodySchema = (content: unknown): DocumentObject | undefined =>
  jsonBody(content)?.schema;

interface Place {
  readonly schema: DocumentObject;
  readonly path: readonly string[];
  readonly isMap?: true;
}

/** What a map holds under keys of which nothing is said, if that are objects; null for what is no such map. */
function mapValues(schema: DocumentObject): DocumentObject | null {
  const types = [memberOf(schema, "type")].flat().filter((type) => type !== "null");
  const isPlain = types.every((type) => type === undefined || type === "object");
  const others = ["properties", "allOf", "anyOf", "oneOf", "$ref"];
  if (!isPlain || others.some((key) => Object.hasOwn(schema, key))) return null;
  const patterns = sortedEntries(memberOf(schema, "patternProperties"));
  const [[, ofPattern] = [], second] = patterns;
  const additional = memberOf(schema, "additionalProperties");
  const values = isDocumentObject(additional)
    ? additional
    : second === undefined
      ? ofPattern
      : undefined;
  return isDocumentObject(values) && shapeOf(values).kind === "record" ? values : null;
}

/** What is known of an answer from its operation. */
export interface AnswerScene {
  /** the path names one thing */
  readonly ofItem: boolean;
  /** the last word of the path */
  readonly last: string;
  /** parameters or members of the answer say that it has pages */
  readonly isPaged: boolean;
  /** parameters ask for pages, and for no time from which a list begins */
  readonly asksPages: boolean;
  /** the words of the path */
  readonly words: readonly string[];
  /** parameters take a page and its size, and the path goes on to one of what it has: a list, though it is said to be one */
  readonly isCollection: boolean;
  /** parameters take a page and its size, and words say that it gives several: the same, where it answers what has an id */
  readonly saysMany: boolean;
}

/**
 * The one list of rows in an object, if it is certain which: of several the one that the path names, or that is called
 * as lists are. Where the path names one thing, or the object has a key of its own, nothing else may say anything,
 * unless there are pages.
 */
function listIn({ properties }: RecordShape, scene: AnswerScene, depth = 0): Place | null {
  const { ofItem, last, isPaged } = scene;
  // What the path names one of stands beside a list of its own: `{Group: {…}, Users: […]}` of a group.
  const isBesideRow = ([name, one]: readonly [string, DocumentObject]): boolean =>
    calledAs(name, last) && shapeOf(one).kind === "record";
  if (ofItem && depth === 0 && [...properties].some(isBesideRow)) return null;
  const lists = [...properties].flatMap(([name, property]) => {
    // What the path names are its rows, whatever they are called.
    const isBeside = BESIDE.has(folded(name)) && !calledAs(name, last);
    const items = isBeside ? null : recordItems(shapeOf(property));
    return items === null ? [] : [{ schema: items, path: [name], key: name }];
  });
  const called = lists.filter(({ key }) => LIST_KEYS.has(folded(key)));
  const ofPath = lists.filter(({ key }) => calledAs(key, last));
  const [found] = [lists, ofPath, called].find((all) => all.length === 1) ?? [];
  const others = [...properties.keys()].filter((name) => name !== found?.key);
  if (
    properties.has("id") &&
    !(isPaged && !ofItem && found !== undefined && called.includes(found))
  )
    return null;
  if (found !== undefined) {
    const { schema, path, key } = found;
    // Where the path names one thing, what an envelope holds is that thing, and lists in it are its own.
    const isOwn = ofItem && depth > 0;
    const isSure = lists.length === 1 && (others.every(isAround) || (isPaged && !isOwn));
    const isCalled = !ofItem && (LIST_KEYS.has(folded(key)) || calledAs(key, last));
    return isSure || isCalled ? { schema, path } : null;
  }
  if (lists.length > 0) return null;
  const maps = [...properties].flatMap(([name, property]) => {
    const values = BESIDE.has(folded(name)) ? null : mapValues(property);
    const isCalled = LIST_KEYS.has(folded(name)) || WRAPPERS.has(name) || calledAs(name, last);
    return values === null || !isCalled
      ? []
      : [{ schema: values, path: [name], isMap: true as const }];
  });
  const [map, other] = maps;
  if (map !== undefined && other === undefined) return map;
  if (depth > 0) return null;
  for (const key of [...WRAPPERS, "_embedded", "hits"]) {
    const shape = properties.has(key) ? shapeOf(properties.get(key) ?? {}) : null;
    const deeper = shape?.kind === "record" ? listIn(shape, scene, depth + 1) : null;
    if (deeper !== null) return { ...deeper, path: [key, ...deeper.path] };
  }
  return null;
}

/** Whether a name ends in the words of another: `domain_record` in those of `/domains/{}/records/{}`. */
function endsNamed(name: string, last: string): boolean {
  const [words, end] = [name, last].map((one) => wordsOf(one).map(singular));
  return words !== undefined && end !== undefined && end.length > 0
    ? words.slice(-end.length).join() === end.join()
    : false;
}

/** The one object that an envelope holds, if that is all it does. */
function rowIn({ properties }: RecordShape, last: string): Place | null {
  const inner = [...properties].filter(([, property]) => shapeOf(property).kind === "record");
  const held = inner.filter(([name]) => WRAPPERS.has(name) || calledAs(name, last));
  const ending = inner.filter(([name, property]) => {
    const of = schemaName(property) ?? "";
    return endsNamed(name, last) || endsNamed(name, of) || endsNamed(of, name);
  });
  const [only, second] = held.length > 0 ? held : ending;
  if (only === undefined || second !== undefined) return null;
  const [key, schema] = only;
  const others = [...properties].filter(([name]) => name !== key);
  // What says how the call went is no part of a row, and then neither are texts beside it.
  const isReport = WRAPPERS.has(key) && others.some(([name]) => REPORTS.has(folded(name)));
  const isBeside = ([name, one]: readonly [string, DocumentObject]): boolean =>
    isAround(name) ||
    (calledAs(key, last) && shapeOf(one).kind === "list") ||
    (folded(name) === "version" && shapeOf(one).kind === "record") ||
    (isReport && ["scalar", "options"].includes(shapeOf(one).kind));
  return others.every(isBeside) && !properties.has("id") ? { schema, path: [key] } : null;
}

/** The row that is all that each element of a list has: `{boat: {id, …}}`. */
function heldRow({
  properties,
}: RecordShape): Pick<AnswerRows, "schema" | "record" | "inner"> | null {
  const [[inner, schema] = [], second] = [...properties];
  if (inner === undefined || schema === undefined || second !== undefined) return null;
  const record = shapeOf(schema);
  return record.kind === "record" && record.properties.has("id") ? { schema, record, inner } : null;
}

function rowsOf(schema: DocumentObject, scene: AnswerScene): DocumentAnswer {
  const shape = shapeOf(schema);
  const items = recordItems(shape);
  const rows = (kind: AnswerRows["kind"], place: Place): DocumentAnswer => {
    const record = shapeOf(place.schema);
    if (record.kind !== "record")
      return { kind: "other", why: "its rows have no properties", has: "json" };
    const envelope = shape.kind === "record" && place.path.length > 0 ? shape : null;
    const held =
      kind === "list" && envelope !== null && place.isMap === undefined ? heldRow(record) : null;
    if (held !== null)
      return { kind, path: place.path, envelope, headers: [], isFree: false, ...held };
    const { schema: own, path, isMap } = place;
    const found = { kind, schema: own, record, path, envelope, headers: [], isFree: false };
    return isMap === undefined ? found : { ...found, isMap };
  };
  if (items !== null) return rows("list", { schema: items, path: [] });
  const values = mapValues(schema);
  if (values !== null) return rows("list", { schema: values, path: [], isMap: true });
  if (shape.kind !== "record") {
    const has = shape.kind === "list" ? "list" : "json";
    const scalar = shape.kind === "scalar" ? { scalar: shape.type } : {};
    return { kind: "other", why: whyNoRows(schema, shape), has, ...scalar };
  }
  const isPaged = scene.isPaged || [...shape.properties.keys()].some(saysPages);
  const list = listIn(shape, { ...scene, isPaged });
  if (list !== null) return rows("list", list);
  const paged = scene.asksPages ? pagedList(shape, scene) : null;
  if (paged !== null) return pagedRows(paged, shape);
  const isMany = scene.isCollection || (scene.saysMany && isThing(shape));
  if (isMany && !isPagedAnswer(shape)) return rows("list", { schema, path: [] });
  return rows("row", rowIn(shape, scene.last) ?? { schema, path: [] });
}

/** The rows of a list that was found by its pages; of texts or anything, each is JSON as a whole. */
function pagedRows({ items, path }: ListPlace, envelope: RecordShape): AnswerRows {
  const record = items === null ? null : shapeOf(items);
  const free = { ...freeRows(true), path, envelope };
  return items === null || record?.kind !== "record"
    ? free
    : { ...free, schema: items, record, isFree: false };
}

/** Whether an object is an envelope of pages, by its members. */
const isPagedAnswer = ({ properties }: RecordShape): boolean =>
  [...properties].some(([name, one]) => saysPages(name) || shapeOf(one).kind === "list") &&
  [...properties.keys()].every((name) => isAround(name) || LIST_KEYS.has(folded(name)));

function whyNoRows(schema: DocumentObject, shape: SchemaShape): string {
  if (Object.hasOwn(schema, "$ref")) return "what it answers stands in another document";
  const forms = listOf(memberOf(schema, "oneOf")).length + listOf(memberOf(schema, "anyOf")).length;
  if (forms > 1) return "it answers one of several forms";
  return shape.kind === "list"
    ? "it answers a list of what has no properties"
    : "it answers no object with properties";
}

const rowsAlike = (a: DocumentObject, b: DocumentObject): boolean =>
  a === b || (schemaName(a) !== undefined && schemaName(a) === schemaName(b));

/** Whether an answer says where what was made is. */
const saysWhere = (response: unknown): boolean =>
  sortedEntries(memberOf(response, "headers")).some(([name]) => name.toLowerCase() === "location");

/** The bodies of success that a document tells of, and whether any says where what was made is. */
function goodAnswers(responses: unknown) {
  const good = sortedEntries(responses).filter(([status]) => /^2(?:\d\d|XX)$/i.test(status));
  const fallback = memberOf(responses, "default");
  const all = good.length > 0 || fallback === undefined ? good : [["default", fallback] as const];
  const told = all.flatMap(([status, response]) => {
    const content = memberOf(response, "content");
    const types = sortedEntries(content).map(([type]) => type);
    return types.length === 0 ? [] : [{ status, response, content, types }];
  });
  // 202 says that the answer is not there yet, beside one that has it; what it then has is none of the rows.
  const there = told.filter(({ status }) => status !== "202");
  return { good, bodies: there.length > 0 ? there : told };
}

/** Whether all that is answered with success is that a call was taken on: 202. */
export function isTakenOn(responses: unknown): boolean {
  const { good } = goodAnswers(responses);
  return good.length > 0 && good.every(([status]) => status === "202");
}

/** What is answered in XML, and no JSON: its schema and its type; null where that is not so. */
export function xmlAnswer(
  responses: unknown,
): { readonly schema: DocumentObject; readonly mediaType: string } | null {
  const [first] = goodAnswers(responses).bodies;
  const schema = first === undefined ? undefined : xmlSchema(first.content);
  const mediaType = first?.types.find((type) => XML_TYPE.test(type));
  return schema === undefined || mediaType === undefined ? null : { schema, mediaType };
}

/** What an operation's `responses` say of success. */
export function answerOf(responses: unknown, scene: AnswerScene): DocumentAnswer {
  const { good, bodies } = goodAnswers(responses);
  const [first] = bodies;
  if (first === undefined) {
    const isAt = good.some(([, one]) => saysWhere(one));
    return { kind: "none", isAt, isOpen: !good.every(([status]) => /^20[245]$/.test(status)) };
  }
  const schemas = bodies.map(({ content }) => bodySchema(content) ?? xmlSchema(content));
  const [schema] = schemas;
  if (schema === undefined) {
    const isMarkup = first.types.every((type) => /\b(?:html|xml)\b/i.test(type));
    const why = `it answers ${first.types.join(", ")}`;
    return { kind: "other", why, has: isMarkup ? "markup" : "json" };
  }
  const other = schemas.findIndex((one) => one === undefined || !rowsAlike(schema, one));
  if (other !== -1 && shapeOf(schemas[other] ?? {}).kind !== "free") {
    const [a, b] = [first.status, bodies[other]?.status];
    const why = `it answers other things with ${a} than with ${b}`;
    return { kind: "other", why, has: "json" };
  }
  const rows = rowsOf(schema, scene);
  if (rows.kind !== "row" && rows.kind !== "list") return rows;
  const declared = sortedEntries(memberOf(first.response, "headers"));
  return { ...rows, headers: declared.map(([name]) => name.toLowerCase()) };
}
