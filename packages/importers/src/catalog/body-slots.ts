import type { RequestBody } from "../document/operation.ts";
import { itemShape, shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, isDocumentObject, listOf, memberOf, textOf } from "../json.ts";
import { clauseBeside } from "../names/clause.ts";
import { bodyForm, formLevels, type MemberValue } from "./body-form.ts";
import type { DraftExpression, PartDraft, SlotType } from "./capability-draft.ts";
import type { EntityDraft } from "./entity-draft.ts";
import { describeSlot, slotValue } from "./entity-fields.ts";
import { describedWith, hiddenBy, onlyKind } from "./sent-values.ts";
import { type Making, roleOf, take, typeOf, variable } from "./slot-making.ts";

/** A member of a body, or a parameter of a query that is written as one, that becomes an argument. */
interface BodyMember {
  readonly property: string;
  readonly schema: DocumentObject;
  readonly required: boolean;
  /** how many levels of objects in it are taught */
  readonly levels: number;
}

export function addBodySlot(
  making: Making,
  { property, schema, required, levels }: BodyMember,
): string {
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

/** Bytes of a file, in a part of a body. */
const isFile = (schema: DocumentObject): boolean =>
  ["binary", "byte"].includes(textOf(memberOf(schema, "format")) ?? "") ||
  memberOf(schema, "contentMediaType") === "application/octet-stream";

/** A list of files, each a part of its own. */
function isFileList(schema: DocumentObject): boolean {
  const items = memberOf(schema, "items");
  return memberOf(schema, "type") === "array" && isDocumentObject(items) && isFile(items);
}

function addFileSlot(making: Making, { property, schema, required }: BodyMember) {
  const { entity, values } = making.scene;
  const name = take(making, property);
  making.slots.push({
    name,
    type: { kind: "value", value: isFileList(schema) ? values.ofFiles() : values.ofFile() },
    required,
    role: null,
    description: clauseBeside(textOf(memberOf(schema, "description")), name, entity.name),
    ref: null,
  });
  return name;
}

/** The parts of a multipart body; a body that says no parts has none, and cannot be sent. Those that are held are names. */
export function addParts(making: Making, held: ReadonlyMap<string, string>): readonly PartDraft[] {
  const { operation } = making.scene;
  const { body } = operation;
  const shape = shapeOf(body?.schema ?? {});
  if (body === null || shape.kind !== "record") return [];
  const levels = formLevels(shape.properties);
  return [...shape.properties]
    .filter(([name, schema]) => held.has(name) || memberOf(schema, "readOnly") !== true)
    .map(([property, schema]) => {
      const key = held.get(property);
      if (key !== undefined) return { name: property, content: variable(key) };
      const required = shape.required.has(property);
      const add = isFile(schema) || isFileList(schema) ? addFileSlot : addBodySlot;
      return partOf(body, property, schema, add(making, { property, schema, required, levels }));
    });
}

/** A part; a list of plain values or files as the document has lists written, each its own part where it says nothing. */
function partOf(
  { lists }: RequestBody,
  property: string,
  schema: DocumentObject,
  name: string,
): PartDraft {
  const content = variable(name);
  const shape = shapeOf(schema, property);
  const isPlain =
    shape.kind === "list" && ["scalar", "options"].includes(itemShape(shape, property).kind);
  const style = lists.get(property) ?? "repeat";
  if ((!isPlain && !isFileList(schema)) || style === "json") return { name: property, content };
  if (style === "repeat" || style === "[]")
    return { name: style === "[]" ? `${property}[]` : property, content, repeat: true };
  return { name: property, content: { type: "join", sep: style, expr: content } };
}

/**
 * The members of a body, each an argument; a body of no certain form is one argument of JSON. Those that hold the key of
 * a row are its names.
 */
export function addBody(making: Making, held: ReadonlyMap<string, string>): DraftExpression | null {
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
    const kind = required ? onlyKind(schema, property) : undefined;
    if (kind !== undefined) {
      fields.push([property, { type: "const", value: kind }]);
      continue;
    }
    const part = identity.find((one) => one.property === property);
    // The row that is written says its own key; it is sent where the API demands it.
    if (part !== undefined && !required) continue;
    const name = part?.name ?? addBodySlot(making, { property, schema, required, levels });
    fields.push(memberExpression(body, property, schema, name));
  }
  return fields.length === 0 ? null : { type: "object", fields };
}

/** A body that is one file, or one text, as one argument. */
function addFileBody(
  making: Making,
  { required, mediaType, isText }: RequestBody,
): DraftExpression {
  const { values, entity } = making.scene;
  const what = isText === true ? "the text" : "the file";
  const description = mediaType === undefined ? what : `${what}, ${mediaType}`;
  const name = take(making, "content");
  const value =
    isText === true
      ? values.ofShape({ kind: "scalar", type: "prose" }, name, entity.snake)
      : values.ofFile();
  making.slots.push({
    name,
    type: { kind: "value", value },
    required,
    role: null,
    description,
    ref: null,
  });
  return variable(name);
}

/** A body that has no members to speak of, as one argument. */
function addWholeBody(
  { scene, taken, slots }: Making,
  { required, isUnsaid }: RequestBody,
): DraftExpression {
  taken.add("input");
  slots.push({
    name: "input",
    type: {
      kind: "value",
      value: scene.values.ofShape({ kind: "free" }, "input", scene.entity.snake),
    },
    required,
    role: null,
    description:
      isUnsaid === true ? "the body, of which the document says nothing" : "the whole body",
    ref: null,
  });
  return variable("input");
}

/**
 * A body that may be left out though each of its members is demanded: all of them are given, or none, and then no body
 * is sent.
 */
export function optionalBody(
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
  const shape = shapeOf(schema, property);
  if (format !== "form" || style === undefined || shape.kind !== "list")
    return [property, variable(name)];
  // Objects in a list are told apart by numbers (MAP-015).
  if (itemShape(shape).kind === "record") return [property, variable(name)];
  if (style === "json") return [property, variable(name)];
  if (style === "[]") return [`${property}[]`, variable(name)];
  return [
    property,
    style === "repeat" ? variable(name) : { type: "join", sep: style, expr: variable(name) },
  ];
}
