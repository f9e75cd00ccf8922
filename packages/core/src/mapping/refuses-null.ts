import type { Expression } from "./expression.ts";
import { oncePerCapability } from "./once-per-capability.ts";
import type { HttpTemplate } from "./template.ts";

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
  return [...members(query), ...members(headers), ...members(form), ...parts];
}

function members(expression: Expression | undefined): readonly string[] {
  if (expression?.type !== "object") return [];
  return expression.fields.flatMap(([, value]) => variable(value));
}

function variable(expression: Expression): readonly string[] {
  return expression.type === "var" ? [expression.name] : [];
}
