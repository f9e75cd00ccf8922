import type { Operation, Parameter } from "../document/operation.ts";
import { catalogName } from "../names/free-name.ts";
import { folded } from "../names/words.ts";
import { itemShape, type SchemaShape, shapeOf } from "../document/schema-shape.ts";
import { type NumberedDraft, numberedMembers } from "../document/numbered-query.ts";
import { isDocumentObject, listOf, memberOf, textOf } from "../json.ts";
import { addBody, addBodySlot, addParts, optionalBody } from "./body-slots.ts";
import type { DraftExpression, RequestDraft, SlotDraft } from "./capability-draft.ts";
import { identityNamesOf } from "./entity-draft.ts";
import { describeSlot } from "./entity-fields.ts";
import type { PathName } from "./path-names.ts";
import { describedWith, fixedValue, hiddenBy, type SentIn, unlessGiven } from "./sent-values.ts";
import {
  type Making,
  type Members,
  roleOf,
  type SlotScene,
  take,
  typeOf,
  variable,
} from "./slot-making.ts";

/** The slots of a request and what it is made of, or why it cannot be made. */
export type MadeRequest =
  | {
      readonly ok: true;
      readonly slots: readonly SlotDraft[];
      readonly request: RequestDraft;
      readonly left: readonly string[];
    }
  | { readonly ok: false; readonly why: string };

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
      description: describeSlot(operation.pathParameters.get(one.variable)?.description, ref, name),
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
function whyNoValue({ schema, object }: Parameter): string {
  const shape = shapeOf(schema);
  if (memberOf(schema, "format") === "binary") return "takes a file, which only a body holds";
  if (shape.kind === "list")
    return "takes a list of objects, and the document does not say how a query writes one";
  if (object === "joined") return "takes an object in a form that no mapping has";
  return shape.kind === "free" && memberOf(schema, "type") === "object"
    ? "takes an object whose members the document does not name, nor how a query writes them"
    : "takes an object, for which it has no form";
}

/** How many levels of objects are taught of a parameter that is written in brackets. */
const LEVELS = 3;

/** A parameter of the query that the document says to write in brackets: `lines[0][price]`, `filter[x]`. */
function addBracketed(making: Making, parameter: Parameter): readonly [string, DraftExpression] {
  const { name: property, required, schema } = parameter;
  const described =
    parameter.description === undefined
      ? schema
      : { ...schema, description: parameter.description };
  const name = addBodySlot(making, { property, schema: described, required, levels: LEVELS });
  return [property, variable(name)];
}

/** Whether a parameter holds objects that the document says to write in brackets. */
function isBracketed({ object, schema, name }: Parameter): boolean {
  if (object === "numbered") return true;
  if (object !== "deep") return false;
  const shape = shapeOf(schema, name);
  if (shape.kind === "list") return itemShape(shape).kind === "record";
  return (
    shape.kind === "record" || (shape.kind === "free" && memberOf(schema, "type") === "object")
  );
}

/** What a filter filters by, `status` of `filter[status]`, as the column that it is; its whole name where that is taken. */
function ownName({ taken, scene }: Making, name: string): string {
  const [, own] = /^filters?\[([\w.-]+)\]$/i.exec(name) ?? [];
  if (own === undefined || taken.has(catalogName(own, "value"))) return name;
  return scene.operation.query.some((one) => folded(one.name) === folded(own)) ? name : own;
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
  const name = take(making, ownName(making, parameter.name));
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
  const isDeep = ["deep", "within"].includes(parameter.object);
  const isMarked = place === "query" && list && isDeep;
  const key = isMarked ? `${parameter.name}[]` : parameter.name;
  const asked = queryExpression(sent, name, shape);
  return [key, hidden?.every === undefined ? asked : unlessGiven(name, asked, hidden.every)];
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
  const brackets: string[] = [];
  const numbered = new Map<string, NumberedDraft>();
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
      if (place === "query" && isBracketed(parameter)) {
        query.push(addBracketed(making, parameter));
        if (parameter.object !== "numbered") brackets.push(parameter.name);
        else
          for (const one of numberedMembers(parameter.name, parameter.schema)) numbered.set(...one);
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
    request: { path, query, brackets, numbered, headers, body, parts, idempotency, together },
    left,
  };
}
