import { type EvaluationEnvironment, type Evaluation, noteError } from "./evaluation.ts";
import { describeValue, evaluatePath, pathTemplate, scalarText } from "./evaluate-path.ts";
import type {
  AuxiliaryMerge,
  BodyDescription,
  Expression,
  HttpTemplate,
  MappingResult,
  RequestDescription,
} from "./template.ts";
import { evaluateMembers, type Member } from "./evaluate-members.ts";
import type { Json } from "../values/value-type.ts";
import { evaluate } from "./evaluate-expression.ts";
import { numberedPairs } from "./evaluate-numbered.ts";
import { evaluateBinary, evaluateMultipart } from "./evaluate-multipart.ts";

/**
 * The request a template makes of bound variables (MAP-010 to MAP-023), or all that keeps it from
 * being made. Pure: equal templates and environments give equal requests.
 */
export function evaluateRequest(
  template: HttpTemplate,
  environment: EvaluationEnvironment,
): MappingResult<RequestDescription> {
  const evaluation: Evaluation = { environment, errors: [] };
  const path = evaluatePath(template.path, "path", evaluation);
  const query = evaluateQuery(template, evaluation);
  const headers = evaluateHeaders(template.headers, evaluation);
  const body = evaluateBody(template, evaluation);
  if (path === undefined || evaluation.errors.length > 0) {
    return { ok: false, errors: evaluation.errors };
  }
  const request: RequestDescription = {
    transport: template.transport,
    method: template.method,
    path,
    pathTemplate: pathTemplate(template.path),
    query,
    headers,
    ...(body === undefined ? {} : { body }),
  };
  return { ok: true, value: request };
}

type Pairs = readonly (readonly [string, string])[];

const NONE: Pairs = Object.freeze([]);

/** The second read that a response asks for, in the same environment (MAP-032). */
export function evaluateAuxiliary(
  auxiliary: AuxiliaryMerge,
  environment: EvaluationEnvironment,
): MappingResult<RequestDescription> {
  const { method, path, query, headers } = auxiliary;
  return evaluateRequest(
    {
      transport: "http",
      method,
      path,
      ...(query === undefined ? {} : { query }),
      ...(headers === undefined ? {} : { headers }),
      bodyFormat: "json",
      response: { single: true, wrapRootScalar: false, declared: false },
    },
    environment,
  );
}

const constant = new WeakMap<Expression, Pairs>();

/** Whether every member of an object is written out: every request has them alike. */
const isConstant = (expression: Expression): boolean =>
  expression.type === "object" && expression.fields.every(([, { type }]) => type === "const");

/** The headers of a request (MAP-014); those of a template without variables are made once. */
function evaluateHeaders(expression: Expression | undefined, evaluation: Evaluation): Pairs {
  if (expression === undefined) return NONE;
  const known = constant.get(expression);
  if (known !== undefined) return known;
  const before = evaluation.errors.length;
  const headers = makeHeaders(expression, evaluation);
  if (evaluation.errors.length === before && isConstant(expression)) {
    constant.set(expression, headers);
  }
  return headers;
}

/** Blank values are dropped, numbers and booleans become text, of one name (case ignored) the last stays. */
function makeHeaders(expression: Expression, evaluation: Evaluation): Pairs {
  const headers = new Map<string, readonly [string, string]>();
  for (const { key, value, cause } of evaluateMembers(
    expression,
    "headers",
    "MAP-014",
    evaluation,
  )) {
    const text = scalarText(value);
    const problem = text === undefined ? `is ${describeValue(value)}` : textProblem(key, text);
    if (problem !== undefined) {
      const variable = cause();
      const message = `${variable} ${problem}; a header takes one line of text, a number or a boolean.`;
      const place = `headers.${key}`;
      noteError(evaluation, {
        code: "argument_invalid",
        rule: "MAP-014",
        variable,
        place,
        message,
      });
    } else if (text !== undefined && text.trim() !== "") {
      headers.set(key.toLowerCase(), [key, text]);
    }
  }
  return [...headers.values()];
}

/** What HTTP lets stand in a header: nothing else can be sent. */
const CARRIED = /^[\t\x20-\x7e\x80-\xff]*$/;

function textProblem(key: string, text: string): string | undefined {
  if (/[\r\n\0]/.test(key + text)) return "holds a line break or NUL";
  return CARRIED.test(text) ? undefined : "holds a character beyond Latin-1, or a control";
}

/**
 * The query of a request (MAP-013): nothing and empty arrays are dropped, arrays repeat the key,
 * objects are JSON text, or names in brackets or with numbers where the template says so.
 */
function evaluateQuery(
  {
    query,
    queryBrackets = [],
    queryNumbered,
  }: Pick<HttpTemplate, "query" | "queryBrackets" | "queryNumbered">,
  evaluation: Evaluation,
): Pairs {
  const members = evaluateMembers(query, "query", "MAP-013", evaluation);
  return members.flatMap(({ key, value, cause }): Pairs => {
    if (queryBrackets.includes(key)) return bracketed("query", { key, value, cause }, evaluation);
    if (queryNumbered?.has(key) === true) {
      const pairs = numberedPairs(queryNumbered, key, value);
      return pairs ?? refuseNull("query", { key, value, cause }, evaluation);
    }
    const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
    if (items.includes(null)) {
      const variable = cause();
      const message = `${variable} has a null element, which a query cannot hold.`;
      const place = `query.${key}`;
      noteError(evaluation, {
        code: "argument_invalid",
        rule: "MAP-022",
        variable,
        place,
        message,
      });
      return [];
    }
    return items.map((item) => [key, scalarText(item) ?? JSON.stringify(item)] as const);
  });
}

/** The body of a request, or undefined if it has none (MAP-015 to MAP-017, MAP-022). */
function evaluateBody(template: HttpTemplate, evaluation: Evaluation): BodyDescription | undefined {
  switch (template.bodyFormat) {
    case "json": {
      const value = template.body && evaluate(template.body, "body", evaluation);
      if (value === undefined) return undefined;
      return { format: "json", value: withoutEmptyVariables(template, value) };
    }
    case "form_urlencoded":
      return template.body && { format: "form_urlencoded", pairs: form(template.body, evaluation) };
    case "multipart":
      return {
        format: "multipart",
        parts: evaluateMultipart(template.multipart ?? [], evaluation),
      };
    case "binary": {
      const part = template.body && evaluateBinary(template.body, evaluation);
      return part === undefined ? undefined : { format: "binary", part };
    }
  }
}

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether an operation of GraphQL declares a variable that may be left out; false where it is not found. */
function mayBeLeftOut(operation: Json | undefined, name: string): boolean {
  const [, declared] = typeof operation === "string" ? operation.split(`$${name}:`) : [];
  const [type = ""] = declared?.split(/[,)=$]/, 1) ?? [];
  return type.trim() !== "" && !type.trim().endsWith("!");
}

/**
 * A body without variables of GraphQL that a template writes as an object, and that have no member, where the operation
 * needs none: APIs refuse an empty cursor or filter (MAP-025).
 */
function withoutEmptyVariables({ transport, body }: HttpTemplate, value: Json): Json {
  if (transport !== "graphql" || body?.type !== "object" || !isObject(value)) return value;
  const { query, variables } = value;
  const written = body.fields.find(([name]) => name === "variables")?.[1];
  if (written?.type !== "object" || !isObject(variables)) return value;
  const empty = new Set(
    written.fields.flatMap(([name, { type }]) => {
      const given = variables[name];
      const isEmpty = type === "object" && isObject(given) && Object.keys(given).length === 0;
      return isEmpty && mayBeLeftOut(query, name) ? [name] : [];
    }),
  );
  if (empty.size === 0) return value;
  const kept = Object.entries(variables).filter(([name]) => !empty.has(name));
  return { ...value, variables: Object.fromEntries(kept) };
}

/** The pairs of a form: members by their names, what they hold by names in brackets (MAP-015). */
function form(body: Expression, evaluation: Evaluation): Pairs {
  const members = evaluateMembers(body, "body", "MAP-015", evaluation);
  return members.flatMap((member) => bracketed("body", member, evaluation));
}

/** A member by its name, what it holds by names in brackets; an error where null is in it (MAP-022). */
function bracketed(
  part: "query" | "body",
  { key, value, cause }: Member,
  evaluation: Evaluation,
): Pairs {
  return pairsOf(key, value) ?? refuseNull(part, { key, value, cause }, evaluation);
}

/** Notes that null is in a member, where only JSON could hold it (MAP-022). */
function refuseNull(part: "query" | "body", { key, cause }: Member, evaluation: Evaluation): Pairs {
  const variable = cause();
  const message = `${variable} has null in it; only a JSON body can hold null.`;
  const place = `${part}.${key}`;
  noteError(evaluation, { code: "argument_invalid", rule: "MAP-022", variable, place, message });
  return [];
}

/** `tags=a&tags=b`, `owner[name]=x`, `items[0][price]=y`; null where a form cannot hold the value. */
function pairsOf(key: string, value: Json): Pairs | null {
  const text = scalarText(value);
  if (text !== undefined) return [[key, text]];
  if (value === null) return null;
  const items = Array.isArray(value) ? (value as readonly Json[]) : null;
  const isPlain = items !== null && items.every((item) => scalarText(item) !== undefined);
  // Within brackets a list has numbers, so that what it belongs to is told apart.
  const isRepeated = isPlain && !key.endsWith("]");
  const pairs: (readonly [string, string])[] = [];
  for (const [name, item] of Object.entries(value)) {
    const isListed = items !== null && key.endsWith("[]");
    const inner = pairsOf(isRepeated || isListed ? key : `${key}[${name}]`, item as Json);
    if (inner === null) return null;
    pairs.push(...inner);
  }
  return pairs;
}
