import type { Operation, Parameter, RequestBody } from "../document/operation.ts";
import { itemShape, type SchemaShape, shapeOf } from "../document/schema-shape.ts";
import { isDocumentObject, type DocumentObject, listOf, memberOf, textOf } from "../json.ts";
import { clauseBeside } from "../names/clause.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import { folded } from "../names/words.ts";
import { bodyForm, formLevels, type MemberValue } from "./body-form.ts";
import type {
  DraftExpression,
  RequestDraft,
  Role,
  SlotDraft,
  SlotType,
} from "./capability-draft.ts";
import { type EntityDraft, identityNamesOf } from "./entity-draft.ts";
import { describeSlot, slotValue } from "./entity-fields.ts";
import { sameForm } from "./entity-keys.ts";
import type { Entities } from "./find-entities.ts";
import type { PathName } from "./path-names.ts";
import { describedWith, fixedValue, hiddenBy, type SentIn, unlessGiven } from "./sent-values.ts";
import type { ValueTable } from "./value-table.ts";

/** What slots of a capability are made with. */
export interface SlotScene {
  readonly entity: EntityDraft;
  readonly entities: Entities;
  readonly values: ValueTable;
  readonly operation: Operation;
  /** how many variables of the path are the key of the row that it is called on */
  readonly anchored: number;
  readonly path: readonly PathName[];
  /** parameters that paging takes */
  readonly paged: ReadonlySet<string>;
  /** members of the body that paging takes */
  readonly pagedBody?: ReadonlySet<string>;
  readonly kind: "list" | "read" | "write";
  /** the entity whose key a field of this name is, where the rows have one */
  readonly fieldRefs: ReadonlyMap<string, EntityDraft | null>;
}

/** The slots of a request and what it is made of, or why it cannot be made. */
export type MadeRequest =
  | {
      readonly ok: true;
      readonly slots: readonly SlotDraft[];
      readonly request: RequestDraft;
      readonly left: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

interface Making {
  readonly scene: SlotScene;
  readonly taken: Set<string>;
  readonly slots: SlotDraft[];
}

const variable = (name: string): DraftExpression => ({ type: "var", name });

const SORTS = new Set(["sort", "sortby", "orderby", "sortfield"]);
const DIRECTIONS = new Set([
  "direction",
  "order",
  "sortdirection",
  "sortorder",
  "orderdirection",
  "dir",
]);
const CONTROLS = new Set([
  "fields",
  "include",
  "includes",
  "expand",
  "embed",
  "format",
  "pretty",
  "view",
]);

function roleOf(name: string, kind: SlotScene["kind"]): Role | null {
  if (kind !== "list") return null;
  const key = folded(name);
  if (SORTS.has(key)) return "sort";
  if (DIRECTIONS.has(key)) return "sort_direction";
  return CONTROLS.has(key) ? "response_control" : null;
}

/** A reference must be to what the field of its name refers to (CAT-076); else it is plain. */
function typeOf(making: Making, name: string, property: string, schema: DocumentObject) {
  const { scene } = making;
  const { entity, values, fieldRefs } = scene;
  const found = slotValue(scene, schema, property, entity.snake);
  const field = fieldRefs.get(name);
  // What rows refer to under this name is what an argument of the same form means.
  const [key, second] = field?.key ?? [];
  const isSame = key !== undefined && second === undefined && sameForm(key.schema, schema);
  if (found.ref === null && field !== undefined && field !== null && isSame)
    return { value: values.ofEntity(field), ref: field };
  const isOther =
    found.ref !== null && field !== undefined && field !== null && field !== found.ref;
  const clash = isOther && scene.kind !== "write";
  const value = clash
    ? values.ofShape(shapeOf(schema, property), property, entity.snake)
    : found.value;
  return { value, ref: clash ? null : found.ref };
}

function take(making: Making, wanted: string): string {
  const plain = catalogName(wanted, "value");
  return reserveName(making.taken, plain === "input" ? "input_value" : plain);
}

function addPath(making: Making): readonly string[] {
  const { entity, values, path, anchored, kind, operation, fieldRefs } = making.scene;
  return path.map((one, at) => {
    const part = at < anchored ? entity.key[at] : undefined;
    if (part !== undefined) return part.name;
    const name = take(making, one.name);
    const shape = shapeOf(one.schema, one.variable);
    const field = fieldRefs.get(name);
    const clash = kind !== "write" && field !== undefined && field !== null && field !== one.ref;
    const ref = clash ? null : one.ref;
    const [key] = one.ref?.key ?? [];
    const plain: SchemaShape =
      shape.kind === "scalar" || shape.kind === "options"
        ? shape
        : { kind: "scalar", type: "text" };
    const value =
      ref !== null && key !== undefined && one.ref?.key.length === 1
        ? values.ofEntity(ref)
        : values.ofShape(plain, one.variable, entity.snake);
    making.slots.push({
      name,
      type: { kind: "value", value },
      required: true,
      role: kind === "write" ? null : "scope",
      description: clauseBeside(operation.pathParameters.get(one.variable)?.description, name),
      ref,
    });
    return name;
  });
}

/** What variables of a place are called by what they are sent as, where that is not the path. */
function sentNames(
  operation: Operation,
  path: readonly PathName[],
  names: readonly string[],
  where: "inQuery" | "inBody",
): ReadonlyMap<string, string> {
  const own = new Map(path.map(({ variable: name }, at) => [name, names[at] ?? name]));
  const sent = [...(operation.sent?.[where] ?? [])];
  return new Map(sent.map(([wire, name]) => [wire, own.get(name) ?? name]));
}

/** How a list is written in a query. */
function queryExpression(parameter: Parameter, name: string, shape: SchemaShape): DraftExpression {
  return shape.kind === "list" && parameter.style !== "repeat"
    ? { type: "join", sep: parameter.style, expr: variable(name) }
    : variable(name);
}

/** Whether nothing is said of what a list holds: texts then. */
const saysNoItems = (shape: SchemaShape): boolean =>
  shape.kind === "list" && (shape.items === null || Object.keys(shape.items).length === 0);

/** A parameter in the one of its forms that is a value or a list of values, where it has others. */
function inPlainForm(parameter: Parameter): Parameter {
  if (shapeOf(parameter.schema).kind !== "free") return parameter;
  const forms = ["anyOf", "oneOf"].flatMap((key) => listOf(memberOf(parameter.schema, key)));
  const plain = forms.filter(isDocumentObject).find((one) => {
    const shape = shapeOf(one);
    const { kind } = shape.kind === "list" ? itemShape(shape) : shape;
    return kind === "scalar" || kind === "options";
  });
  return plain === undefined ? parameter : { ...parameter, schema: plain };
}

/** Why a parameter cannot be given. */
function whyNoValue({ schema }: Parameter): string {
  const shape = shapeOf(schema);
  if (memberOf(schema, "format") === "binary") return "takes a file, which only a body holds";
  if (shape.kind === "list") return "takes a list of objects, for which a query has no form";
  return shape.kind === "free" && memberOf(schema, "type") === "object"
    ? "takes an object whose members the document does not name"
    : "takes an object, for which it has no form";
}

/** A parameter of the query, a header or a cookie; null if no value that a program has can be it. */
function addParameter(
  making: Making,
  written: Parameter,
  place: SentIn,
): readonly [string, DraftExpression] | null {
  const { scene } = making;
  const parameter = inPlainForm(written);
  const isHeader = place !== "query";
  const fixed = parameter.always ?? fixedValue(parameter, place, scene.kind === "write");
  if (fixed !== undefined) return [parameter.name, { type: "const", value: fixed }];
  const shape = shapeOf(parameter.schema, parameter.name);
  const scalar = shape.kind === "scalar" || shape.kind === "options";
  const items = itemShape(shape).kind;
  const list =
    place !== "cookie" &&
    shape.kind === "list" &&
    (items === "scalar" || items === "options" || saysNoItems(shape));
  const untyped = shape.kind === "free" && Object.keys(parameter.schema).length === 0;
  const json = !isHeader && parameter.object === "json" && !scalar && !list && !untyped;
  if (!scalar && !list && !untyped && !json) return null;
  const name = take(making, parameter.name);
  const said = parameter.description ?? textOf(memberOf(parameter.schema, "description"));
  const typed = untyped ? { type: "string" } : parameter.schema;
  const schema = parameter.description === undefined ? typed : { ...typed, description: said };
  const { value, ref } = typeOf(making, name, parameter.name, schema);
  // What stands in a header chooses no rows.
  const control = isHeader && scene.kind === "list" ? "response_control" : null;
  const role = control ?? roleOf(parameter.name, scene.kind);
  const isFilter = scene.kind === "list" && role === null && !parameter.required;
  const hidden = isFilter ? hiddenBy(parameter.schema, place, scene.fieldRefs.has(name)) : null;
  making.slots.push({
    name,
    type: { kind: "value", value },
    required: parameter.required,
    role,
    description: describedWith(describeSlot(said, ref, name), hidden),
    ref,
    ...(hidden?.only === undefined ? {} : { listsOnly: hidden.only }),
  });
  // A header holds a list joined by commas, however it is exploded.
  const sent: Parameter = isHeader ? { ...parameter, style: "," } : parameter;
  // `deepObject` says nothing of lists; those who write it take a list as `expand[]`.
  const isBracketed = place === "query" && list && parameter.object === "deep";
  const key = isBracketed ? `${parameter.name}[]` : parameter.name;
  const asked = queryExpression(sent, name, shape);
  return [key, hidden?.every === undefined ? asked : unlessGiven(name, asked, hidden.every)];
}

interface BodyMember {
  readonly property: string;
  readonly schema: DocumentObject;
  readonly required: boolean;
  /** how many levels of objects in it are taught */
  readonly levels: number;
}

function addBodySlot(making: Making, { property, schema, required, levels }: BodyMember): string {
  const { entity } = making.scene;
  const name = take(making, property);
  const shape = shapeOf(schema, property);
  const refsWithin: EntityDraft[] = [];
  const valueOf = (inner: DocumentObject, member: string): MemberValue => {
    const found = slotValue(making.scene, inner, member, entity.snake);
    if (found.ref !== null) refsWithin.push(found.ref);
    return found;
  };
  const form = bodyForm(schema, { valueOf }, property, levels);
  const plain = form === null ? typeOf(making, name, property, schema) : null;
  const type: SlotType =
    form === null ? { kind: "value", value: plain?.value ?? "" } : { kind: "form", form };
  const { kind, fieldRefs } = making.scene;
  const role = roleOf(property, kind);
  const isFilter = kind === "list" && role === null && !required;
  const hidden = isFilter ? hiddenBy(schema, "body", fieldRefs.has(name)) : null;
  const said = describeSlot(
    textOf(memberOf(schema, "description")),
    plain?.ref ?? null,
    name,
    entity.name,
  );
  making.slots.push({
    name,
    type,
    required,
    role,
    description: describedWith(said, hidden),
    ...(hidden?.only === undefined ? {} : { listsOnly: hidden.only }),
    ref: shape.kind === "scalar" ? (plain?.ref ?? null) : null,
    ...(refsWithin.length === 0 ? {} : { refsWithin }),
  });
  return name;
}

type Members = readonly (readonly [string, DraftExpression])[];

/** Bytes of a file, in a part of a body. */
const isFile = (schema: DocumentObject): boolean =>
  ["binary", "byte"].includes(textOf(memberOf(schema, "format")) ?? "") ||
  memberOf(schema, "contentMediaType") === "application/octet-stream";

function addFileSlot(making: Making, { property, schema, required }: BodyMember) {
  const { entity, values } = making.scene;
  const name = take(making, property);
  making.slots.push({
    name,
    type: { kind: "value", value: values.ofFile() },
    required,
    role: null,
    description: clauseBeside(textOf(memberOf(schema, "description")), name, entity.name),
    ref: null,
  });
  return name;
}

/** The parts of a multipart body; a body that says no parts has none, and cannot be sent. Those that are held are names. */
function addParts(making: Making, held: ReadonlyMap<string, string>): Members {
  const { operation } = making.scene;
  const { body } = operation;
  const shape = shapeOf(body?.schema ?? {});
  if (body === null || shape.kind !== "record") return [];
  const levels = formLevels(shape.properties);
  return [...shape.properties]
    .filter(([name, schema]) => held.has(name) || memberOf(schema, "readOnly") !== true)
    .map(([property, schema]) => {
      const key = held.get(property);
      if (key !== undefined) return [property, variable(key)] as const;
      const required = shape.required.has(property);
      const add = isFile(schema) ? addFileSlot : addBodySlot;
      return [property, variable(add(making, { property, schema, required, levels }))] as const;
    });
}

/**
 * The members of a body, each an argument; a body of no certain form is one argument of JSON. Those that hold the key of
 * a row are its names.
 */
function addBody(making: Making, held: ReadonlyMap<string, string>): DraftExpression | null {
  const { operation, entity, anchored, pagedBody } = making.scene;
  const { body } = operation;
  if (body === null) return null;
  if (body.format === "binary") return addFileBody(making, body);
  const shape = shapeOf(body.schema);
  if (shape.kind !== "record") return addWholeBody(making, body);
  const identity = anchored > 0 ? entity.key : [];
  const fields: (readonly [string, DraftExpression])[] = [];
  const levels = formLevels(shape.properties);
  for (const [property, schema] of shape.properties) {
    // What the place of a call names is sent, whatever else is said of it.
    const key = held.get(property);
    if (key !== undefined) {
      fields.push([property, variable(key)]);
      continue;
    }
    if (memberOf(schema, "readOnly") === true || pagedBody?.has(property) === true) continue;
    const required = shape.required.has(property);
    const part = identity.find((one) => one.property === property);
    // The row that is written says its own key; it is sent where the API demands it.
    if (part !== undefined && !required) continue;
    const name = part?.name ?? addBodySlot(making, { property, schema, required, levels });
    fields.push(memberExpression(body, property, schema, name));
  }
  return fields.length === 0 ? null : { type: "object", fields };
}

/** A body that is one file, as one argument. */
function addFileBody(making: Making, { required, mediaType }: RequestBody): DraftExpression {
  const description = mediaType === undefined ? "the file" : `the file, ${mediaType}`;
  const name = take(making, "content");
  const type = { kind: "value", value: making.scene.values.ofFile() } as const;
  making.slots.push({ name, type, required, role: null, description, ref: null });
  return variable(name);
}

/** A body that has no members to speak of, as one argument. */
function addWholeBody({ scene, taken, slots }: Making, { required }: RequestBody): DraftExpression {
  taken.add("input");
  slots.push({
    name: "input",
    type: {
      kind: "value",
      value: scene.values.ofShape({ kind: "free" }, "input", scene.entity.snake),
    },
    required,
    role: null,
    description: "the whole body",
    ref: null,
  });
  return variable("input");
}

/**
 * A body that may be left out though each of its members is demanded: all of them are given, or none, and then no body
 * is sent.
 */
function optionalBody(
  { scene, slots }: Making,
  made: DraftExpression | null,
  before: number,
): { readonly body: DraftExpression | null; readonly together: readonly string[] } {
  const own = slots.slice(before);
  const [first] = own;
  const isWhole = scene.operation.body?.mayBeLeftOut === true && scene.kind === "write";
  const isObject = made?.["type"] === "object" && listOf(made["fields"]).length === own.length;
  if (first === undefined || !isWhole || !isObject || own.some(({ required }) => !required))
    return { body: made, together: [] };
  slots.splice(before, own.length, ...own.map((slot) => ({ ...slot, required: false })));
  const body = {
    type: "if",
    condition: { type: "exists", var: first.name },
    then_expr: made,
    else_expr: { type: "const", value: null },
  };
  return { body, together: own.map(({ name }) => name) };
}

/** A member of a body under its name; a list in a form as the document has lists written. */
function memberExpression(
  { format, lists }: RequestBody,
  property: string,
  schema: DocumentObject,
  name: string,
): readonly [string, DraftExpression] {
  const style = lists.get(property);
  if (format !== "form" || style === undefined || shapeOf(schema, property).kind !== "list")
    return [property, variable(name)];
  if (style === "[]") return [`${property}[]`, variable(name)];
  return [
    property,
    style === "repeat" ? variable(name) : { type: "join", sep: style, expr: variable(name) },
  ];
}

const IDEMPOTENCY = /^(?:x-)?idempotency-key$/i;

/** A name of a header or cookie. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** One header of all cookies. */
const cookieHeader = (cookies: Members): DraftExpression => ({
  type: "format",
  template: cookies.map(([name], at) => `${name}={c${at}}`).join("; "),
  vars: Object.fromEntries(cookies.map(([, expression], at) => [`c${at}`, expression])),
});

/** Makes the slots of a capability and its request. */
export function requestOf(scene: SlotScene): MadeRequest {
  const { operation, paged, entity, anchored, kind } = scene;
  const reserved = anchored > 0 || kind === "read" ? identityNamesOf(entity) : [];
  const making: Making = { scene, taken: new Set(reserved), slots: [] };
  const path = addPath(making);
  const left: string[] = [];
  const asked = sentNames(operation, scene.path, path, "inQuery");
  const query = [...asked].map(([name, own]): readonly [string, DraftExpression] => [
    name,
    variable(own),
  ]);
  const headers: (readonly [string, DraftExpression])[] = [];
  let idempotency: string | null = null;
  const cookies: (readonly [string, DraftExpression])[] = [];
  for (const [place, parameters, list] of [
    ["query", operation.query, query],
    ["header", operation.headers, headers],
    ["cookie", operation.cookies, cookies],
  ] as const) {
    for (const parameter of parameters) {
      if (place === "query" && paged.has(parameter.name)) continue;
      if (place === "header" && IDEMPOTENCY.test(parameter.name)) {
        if (kind === "write") idempotency = parameter.name;
        continue;
      }
      const isName = place === "query" || TOKEN.test(parameter.name);
      const said = isName ? addParameter(making, parameter, place) : null;
      const what = `the ${place === "query" ? "parameter" : place} ${parameter.name}`;
      if (said !== null) list.push(said);
      else if (parameter.required)
        return { ok: false, why: `it needs ${what}, which ${whyNoValue(parameter)}` };
      else left.push(`${what}: it ${whyNoValue(parameter)}`);
    }
  }
  if (cookies.length > 0) headers.push(["Cookie", cookieHeader(cookies)]);
  const isMultipart = operation.body?.format === "multipart";
  const type = operation.body?.mediaType;
  if (type !== undefined) headers.push(["Content-Type", { type: "const", value: type }]);
  const held = sentNames(operation, scene.path, path, "inBody");
  const parts = isMultipart ? addParts(making, held) : null;
  if (parts !== null && parts.length === 0) return { ok: false, why: "its body says no parts" };
  const before = making.slots.length;
  const made = isMultipart ? null : addBody(making, held);
  const { body, together } = optionalBody(making, made, before);
  return {
    ok: true,
    slots: making.slots,
    request: { path, query, headers, body, parts, idempotency, together },
    left,
  };
}
