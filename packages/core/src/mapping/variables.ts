import type { Expression, PathSegment, RequestTemplate } from "./template.ts";
import { templateExpressions, visitExpression } from "./visit-expression.ts";

/** The names a template reads, each once, in order. */
interface Names {
  readonly all: readonly string[];
  readonly path: readonly string[];
  readonly rest: readonly string[];
}

const byTemplate = new WeakMap<RequestTemplate, Names>();

/** Templates are frozen, and every request asks: each is read once. */
function namesOf(template: RequestTemplate): Names {
  const known = byTemplate.get(template);
  if (known !== undefined) return known;
  const uses = variableUses(template);
  const once = (zone?: "path" | "rest"): readonly string[] => [
    ...new Set(
      uses.filter((use) => zone === undefined || use.zone === zone).map((use) => use.name),
    ),
  ];
  const names = { all: once(), path: once("path"), rest: once("rest") };
  byTemplate.set(template, names);
  return names;
}

/** The variables in a template's path, in order, each once; transports without path have none. */
export const pathVariables = (template: RequestTemplate): readonly string[] =>
  namesOf(template).path;

/** The variables a template reads outside its path: query, headers, body, EVM arguments (RUN-010). */
export const restVariables = (template: RequestTemplate): readonly string[] =>
  namesOf(template).rest;

/**
 * The variables whose values a request carries: neither those that are only asked for whether they are there,
 * nor those that a read behind it takes, nor variables of GraphQL that its operation does not declare, which
 * servers leave out without a word.
 */
export function variablesSent(template: RequestTemplate): ReadonlySet<string> {
  const declared = template.transport === "graphql" ? declaredVariables(template.body) : null;
  const sent = variableUses(template).filter(({ at }) => {
    if (at[0] === "response") return false;
    if (at.at(-1) === "var" && at.at(-2) === "condition") return false;
    return declared === null || !isUndeclared(template, declared, at);
  });
  return new Set(sent.map(({ name }) => name));
}

/** The field of a request's body that has a name, and its place in the body. */
function member(
  body: Expression | undefined,
  name: string,
): { readonly value: Expression; readonly index: number } | null {
  if (body?.type !== "object") return null;
  const index = body.fields.findIndex(([key]) => key === name);
  const value = body.fields[index]?.[1];
  return value === undefined ? null : { value, index };
}

/** The variables that the operation in a GraphQL body declares; null where its text is not written out. */
function declaredVariables(body: Expression | undefined): ReadonlySet<string> | null {
  const query = member(body, "query")?.value;
  if (query?.type !== "const" || typeof query.value !== "string") return null;
  return new Set([...query.value.matchAll(/\$([A-Za-z_]\w*)\s*:/g)].map(([, name = ""]) => name));
}

/** Whether a use stands below a member of `variables` that the operation does not declare. */
function isUndeclared(
  template: RequestTemplate,
  declared: ReadonlySet<string>,
  at: readonly (string | number)[],
): boolean {
  if (template.transport !== "graphql") return false;
  const variables = member(template.body, "variables");
  if (variables?.value.type !== "object") return false;
  const [body, fields, index, , inner, which] = at;
  if (body !== "body" || fields !== "fields" || index !== variables.index) return false;
  const key = inner === "fields" ? variables.value.fields[Number(which)]?.[0] : undefined;
  return key !== undefined && !declared.has(key);
}

/** All variables a template reads, path first. */
export const variablesRead = (template: RequestTemplate): readonly string[] =>
  namesOf(template).all;

/** One place in a template that reads a variable. */
interface VariableUse {
  readonly name: string;
  /** `path` is the request's path, `rest` all else (RUN-010). */
  readonly zone: "path" | "rest";
  /** Keys from the template to the use, as the file's long form has them. */
  readonly at: readonly (string | number)[];
  /** True if an `exists` on this very name asks first, or is the use itself (MAP-003). */
  readonly guarded: boolean;
}

/** Every place in a template that reads a variable, path first. */
export function variableUses(template: RequestTemplate): readonly VariableUse[] {
  const uses = templateExpressions(template).flatMap(({ expression, at }) =>
    expressionUses(expression, at),
  );
  if (template.transport === "evm_logs") return [...uses, ...BLOCK_USES];
  if (template.transport !== "http" && template.transport !== "graphql") return uses;
  const { preprocess, auxiliaryMerge } = template.response;
  const second = ["response", "auxiliary_merge", "path"];
  return [
    ...pathUses(template.path, ["path"], "path"),
    ...uses,
    ...pathUses(auxiliaryMerge?.path ?? [], second, "rest"),
    ...(preprocess?.kind === "array_find_pluck" ? [pluckUse(preprocess.idVar)] : []),
  ];
}

/** The blocks that a log query reads from and to, where the caller names them (RUN-075). */
const BLOCK_USES: readonly VariableUse[] = ["from_block", "to_block"].map((name) => ({
  name,
  zone: "rest",
  at: ["pagination"],
  guarded: true,
}));

/** The variables of one expression. */
export function expressionUses(
  expression: Expression,
  at: VariableUse["at"],
): readonly VariableUse[] {
  const uses: VariableUse[] = [];
  visitExpression(
    expression,
    at,
    (each, place) => {
      if (each.type !== "var") return;
      const { name } = each;
      uses.push({ name, zone: "rest", at: [...place.at, "name"], guarded: place.asked.has(name) });
    },
    (name, place) => uses.push({ name, zone: "rest", at: place.at, guarded: true }),
  );
  return uses;
}

function pathUses(
  path: readonly PathSegment[],
  at: VariableUse["at"],
  zone: VariableUse["zone"],
): readonly VariableUse[] {
  return path.flatMap((segment, index) =>
    segment.type === "var"
      ? [{ name: segment.name, zone, at: [...at, index, "name"], guarded: false }]
      : [],
  );
}

function pluckUse(name: string): VariableUse {
  const at = ["response", "response_preprocess", "id_var"];
  return { name, zone: "rest", at, guarded: false };
}
