import type { Catalog, Expression, HttpTemplate } from "./template.ts";
import { oncePerCapability } from "./capability-views.ts";
import type { Capability } from "../model/model.ts";
import { slotsOf } from "../model/slots-of.ts";
import { variablesRead } from "./variables.ts";

/**
 * The variables that a template sends as they are where only a JSON body could hold null: in path, query,
 * headers, form or parts (MAP-022). What a condition of the template may leave out is not among them.
 */
export const refusesNull = oncePerCapability((catalog, capability): ReadonlySet<string> => {
  const template = catalog.cml.get(capability.name);
  const sent = template !== undefined && "path" in template ? template : null;
  return new Set(sent === null ? [] : [...pathNames(sent), ...plainNames(sent)]);
});

function pathNames({ path }: HttpTemplate): readonly string[] {
  return path.flatMap((segment) => (segment.type === "var" ? [segment.name] : []));
}

function plainNames(template: HttpTemplate): readonly string[] {
  const { query, headers, body, bodyFormat, multipart = [] } = template;
  const form = bodyFormat === "form_urlencoded" ? body : undefined;
  const parts = multipart.flatMap(({ content }) => variable(content));
  const whole = bodyFormat === "binary" && body !== undefined ? variable(body) : [];
  return [...members(query), ...members(headers), ...members(form), ...parts, ...whole];
}

function members(expression: Expression | undefined): readonly string[] {
  if (expression?.type !== "object") return [];
  return expression.fields.flatMap(([, value]) => variable(value));
}

function variable(expression: Expression): readonly string[] {
  return expression.type === "var" ? [expression.name] : [];
}

/**
 * Whether a capability takes arguments that it does not declare (RUN-013): its template sends the whole
 * input, which is no argument of its own, and no `input_schema` forbids them.
 */
export function takesUndeclared(catalog: Catalog, capability: Capability): boolean {
  const template = catalog.cml.get(capability.name);
  if (template === undefined || !variablesRead(template).includes("input")) return false;
  if (slotsOf(capability).some(({ name }) => name === "input")) return false;
  const input = capability.inputSchema?.input;
  return input === undefined || (input.kind === "object" && input.additionalFields);
}
