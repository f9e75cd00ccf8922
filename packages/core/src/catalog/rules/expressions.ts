import { nameList } from "../../diagnostics/nearest-name.ts";
import { preflightParameters } from "../../mapping/capability-views.ts";
import { callsFunction, formatParts } from "../../mapping/evaluate-expression.ts";
import { splatParts } from "../../mapping/path-binding.ts";
import type { Expression, RequestTemplate } from "../../mapping/template.ts";
import { variableUses, variablesRead } from "../../mapping/variables.ts";
import { templateExpressions, visitExpression } from "../../mapping/visit-expression.ts";
import { type Capability, oneOfKind } from "../../model/model.ts";
import type { KeyPath } from "../key-path.ts";
import { nearestText } from "../reporter.ts";
import { boundNames } from "./bound-names.ts";
import { choice } from "./part-view.ts";
import type { Rule, RuleContext } from "./rule.ts";

const MAX_DEPTH = 64;
const CORE_TYPES = ["var", "const", "object", "array", "if", "join", "format", "call"];

/** MAP-005: depth; MAP-020: called functions are registered; MAP-021: format texts are sound. */
export const expressionsRule: Rule = (context) => {
  const { catalog, inMappings } = context;
  for (const [name, template] of catalog.cml) {
    for (const { expression, at } of templateExpressions(template)) {
      visitExpression(expression, [name, ...at], (each, place) => {
        if (place.depth === MAX_DEPTH + 1) {
          inMappings.atValue(place.at, "MAP005", "deep", { allowed: MAX_DEPTH });
        }
        if (each.type === "call") checkCall(context, each.function, place.at);
        if (each.type === "format") checkFormat(context, each, place.at);
      });
    }
  }
};

function checkCall({ functions, inMappings }: RuleContext, found: string, at: KeyPath): void {
  if (functions.includes(found)) return;
  inMappings.atValue([...at, "function"], "MAP020", "function", {
    found,
    nearest: nearestText(found, functions),
    allowed: CORE_TYPES.join(", "),
    functions: nameList(functions, found) || "none",
  });
}

function checkFormat(
  { inMappings }: RuleContext,
  expression: Extract<Expression, { readonly type: "format" }>,
  at: KeyPath,
): void {
  const vars = [...expression.vars.keys()];
  const path = [...at, "template"];
  const parsed = formatParts(expression.template);
  if ("problem" in parsed) {
    const { allowed } = choice("", vars);
    inMappings.atValue(path, "MAP021", "brace", { found: parsed.problem, allowed });
    return;
  }
  const named = [...new Set(parsed.parts.flatMap((part) => ("name" in part ? [part.name] : [])))];
  for (const found of named) {
    if (vars.includes(found)) continue;
    inMappings.atValue(path, "MAP021", "missing", { found, ...choice(found, vars) });
  }
  for (const found of vars) {
    if (named.includes(found)) continue;
    const { allowed } = choice(found, named);
    inMappings.atKey([...at, "vars", found], "MAP021", "unused", { found, allowed });
  }
}

/** MAP-004: a declared parameter is read by template, view scope, preflight or splat. */
export const parametersReadRule: Rule = (context) => {
  const { catalog, inDomain, inMappings } = context;
  for (const [name, template] of catalog.cml) {
    const capability = catalog.cgs.capabilities.get(name);
    if (capability === undefined || inMappings.faulty([name])) continue;
    const read = namesRead(context, capability, template);
    if (read === "all") continue;
    for (const { slot, path } of slotPlaces(capability)) {
      if (read.has(slot) || inDomain.faulty(path)) continue;
      const first = `${inDomain.file}:${inDomain.valuePosition([...path, "name"])}`;
      inMappings.atKey([name], "MAP004", "unread", { found: slot, first });
    }
  }
};

function slotPlaces(
  capability: Capability,
): readonly { readonly slot: string; readonly path: KeyPath }[] {
  const path = ["capabilities", capability.name];
  const input = capability.inputSchema?.input;
  const fields = input?.kind === "object" ? input.fields : [];
  return [
    ...capability.parameters.map(({ name }, at) => ({
      slot: name,
      path: [...path, "parameters", at],
    })),
    ...fields.map(({ name }, at) => ({
      slot: name,
      path: [...path, "input_schema", "input_type", "fields", at],
    })),
  ];
}

/** The names read, or `all` where a function or the whole `input` may read any. */
function namesRead(
  { catalog }: RuleContext,
  capability: Capability,
  template: RequestTemplate,
): ReadonlySet<string> | "all" {
  if (template.transport === "view") {
    const scope = catalog.cgs.views.get(template.view)?.scope;
    return scope === undefined ? "all" : new Set(scope.map(({ name }) => name));
  }
  const read = new Set(variablesRead(template));
  if (callsFunction(template)) return "all";
  const whole = read.has("input");
  if (whole && !capability.parameters.some(({ name }) => name === "input")) return "all";
  for (const [part, { slot }] of splatParts(catalog.cgs, capability)) {
    if (read.has(part)) read.add(slot);
  }
  for (const name of preflightParameters(capability)) read.add(name);
  if (template.transport !== "evm_call") {
    for (const { name } of template.pagination?.params ?? []) read.add(name);
  }
  return read;
}

/** MAP-050: a view mapping names a view of the capability's entity, on a query or get. */
export const viewMappingRule: Rule = ({ catalog, inDomain, inMappings }) => {
  for (const [name, template] of catalog.cml) {
    const capability = catalog.cgs.capabilities.get(name);
    if (template.transport !== "view" || capability === undefined) continue;
    const path = [name, "view"];
    const found = template.view;
    const view = catalog.cgs.views.get(found);
    if (view === undefined) {
      if (inDomain.has(["views", found])) continue;
      const params = { found, ...choice(found, catalog.cgs.views.keys()) };
      inMappings.atValue(path, "MAP050", "unknown", params);
      continue;
    }
    const { entity, kind } = capability;
    if (view.entity !== entity) {
      const params = { found, other: view.entity, entity, capability: name };
      inMappings.atValue(path, "MAP050", "entity", params);
    }
    if (kind !== "query" && kind !== "get") {
      inMappings.atValue([name, "transport"], "MAP050", "kind", {
        capability: name,
        found: oneOfKind(kind),
      });
    }
  }
};

/** Whether an expression can give an object: what only a run can tell counts as yes. */
export function mayBeObject(expression: Expression): boolean {
  switch (expression.type) {
    case "object":
    case "var":
    case "call":
      return true;
    case "const":
      return (
        expression.value === null ||
        (typeof expression.value === "object" && !Array.isArray(expression.value))
      );
    case "if":
      return mayBeObject(expression.thenExpr) && mayBeObject(expression.elseExpr);
    case "array":
    case "join":
    case "format":
      return false;
  }
}

/** Whether an expression is a scalar as it stands. */
export function isScalarConst(expression: Expression): boolean {
  const { type } = expression;
  return type === "const" && expression.value !== null && typeof expression.value !== "object";
}

/** MAP-003: something binds every variable of a template, or an `exists` guards it. */
export const variablesRule: Rule = ({ catalog, inDomain, inMappings }) => {
  for (const [name, template] of catalog.cml) {
    const capability = catalog.cgs.capabilities.get(name);
    if (capability === undefined || inDomain.faulty(["capabilities", name])) continue;
    if (inMappings.faulty([name]) || inDomain.faulty(["entities", capability.entity])) continue;
    const bound = boundNames(catalog, capability);
    const told = new Set<string>();
    for (const { name: found, at, guarded, zone } of variableUses(template)) {
      // A path variable that nothing binds is an argument (RUN-011).
      if (guarded || zone === "path" || bound.has(found) || told.has(found)) continue;
      told.add(found);
      const nearest = nearestText(found, bound.arguments);
      const allowed = nameList(bound.all(), found) || "none";
      inMappings.atValue([name, ...at], "MAP003", "unbound", { found, nearest, allowed });
    }
  }
};
