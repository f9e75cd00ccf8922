import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../reporter.ts";
import { lazy, list, mapOf } from "../shape/lists.ts";
import { tagged, withCalled } from "../shape/tagged.ts";
import { object, required, withDefault } from "../shape/object.ts";
import { anything, scalarTextShape, text } from "../shape/scalars.ts";
import { type NodePlace, type ReadContext, type Shape, wrongType } from "../shape/shape.ts";
import { describeNode } from "../yaml/convert.ts";
import type { YamlNode } from "../yaml/node.ts";

/** An expression as the file writes it (mapping format, section 2), its calls in the long form. */
export type ExpressionDoc =
  | { readonly type: "var"; readonly name: string }
  | { readonly type: "const"; readonly value: YamlNode }
  | { readonly type: "object"; readonly fields: readonly MemberDoc[] }
  | { readonly type: "array"; readonly elements: readonly ExpressionDoc[] }
  | {
      readonly type: "if";
      readonly condition: ConditionDoc;
      readonly then_expr: ExpressionDoc;
      readonly else_expr: ExpressionDoc;
    }
  | { readonly type: "join"; readonly sep: string; readonly expr: ExpressionDoc }
  | {
      readonly type: "format";
      readonly template: string;
      readonly vars: ReadonlyMap<string, ExpressionDoc>;
    }
  | { readonly type: "call"; readonly function: string; readonly args: readonly ExpressionDoc[] };

export type MemberDoc = readonly [string, ExpressionDoc];

export type ConditionDoc =
  | { readonly type: "exists"; readonly var: string }
  | { readonly type: "equals"; readonly left: ExpressionDoc; readonly right: ExpressionDoc }
  | { readonly type: "bool"; readonly expr: ExpressionDoc };

/** An expression, or a call written as `type: <registered function>` (MAP-020). */
export const expression: Shape<ExpressionDoc> = {
  expected: "an expression: a map with type",
  form: { kind: "later", form: () => withCalled(coreExpression.form, shortCall.form) },
  read: (node, place, context) => {
    const type = node.kind === "map" ? node.entries.get("type")?.value : undefined;
    if (type?.kind === "text" && context.functions.includes(type.value)) {
      const call = shortCall.read(node, place, context);
      return call && { type: "call", function: type.value, args: call.args };
    }
    return coreExpression.read(node, place, context);
  },
  canonical: (value) => coreExpression.canonical(value),
};

const inner = lazy(expression.expected, () => expression);

function unknownType(
  node: YamlNode,
  place: NodePlace,
  context: ReadContext,
  words: readonly string[],
): boolean {
  const name = node.kind === "text" ? node.value : "";
  const all = [...words, ...context.functions];
  context.report({ at: node.at, path: place.path }, "MAP020", "type", {
    found: describeNode(node),
    nearest: nearestText(name, all),
    allowed: nameList(words, name),
    functions: nameList(context.functions, name) || "none",
  });
  return true;
}

const condition: Shape<ConditionDoc> = tagged(
  "type",
  {
    exists: { var: required(text) },
    equals: { left: required(inner), right: required(inner) },
    bool: { expr: required(inner) },
  },
  { unknownWord: unknownType },
);

/** A member of an object expression: `[key, expression]`. */
const member: Shape<MemberDoc> = {
  expected: "a pair [key, expression]",
  form: {
    kind: "pair",
    first: scalarTextShape.form,
    second: { kind: "later", form: () => expression.form },
  },
  read: (node, place, context) => {
    const [key, value] = node.kind === "list" ? node.items : [];
    if (key === undefined || value === undefined || node.kind !== "list" || node.items.length > 2) {
      return wrongType(node, place, context, member.expected);
    }
    const keyText = scalarTextShape.read(key, { path: [...place.path, 0], keyAt: key.at }, context);
    const read = inner.read(value, { path: [...place.path, 1], keyAt: value.at }, context);
    return keyText === undefined || read === undefined ? undefined : [keyText, read];
  },
  canonical: ([key, value]) => [key, inner.canonical(value)],
};

const shortCall = object({ args: withDefault(list(inner), []) }, { also: ["type"] });

const coreExpression: Shape<ExpressionDoc> = tagged(
  "type",
  {
    var: { name: required(text) },
    const: { value: required(anything) },
    object: { fields: required(list(member)) },
    array: { elements: required(list(inner)) },
    if: { condition: required(condition), then_expr: required(inner), else_expr: required(inner) },
    join: { sep: required(text), expr: required(inner) },
    format: { template: required(text), vars: withDefault(mapOf(inner), new Map()) },
    call: { function: required(text), args: withDefault(list(inner), []) },
  },
  { unknownWord: unknownType },
);
