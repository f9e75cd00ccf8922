import type { KeyPath } from "../../load/key-path.ts";
import type { Expression } from "../../mapping/expression.ts";
import { isScalarConst, mayBeObject } from "./possible-values.ts";
import type { HttpTemplate } from "../../mapping/template.ts";
import type { Rule, RuleContext } from "../rule.ts";

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** MAP-013 to MAP-017: the forms of query, headers and body. */
export const requestRule: Rule = (context) => {
  for (const [name, template] of context.catalog.cml) {
    if (template.transport !== "http" && template.transport !== "graphql") continue;
    if (context.inMappings.faulty([name])) continue;
    checkQuery(context, template.query, [name, "query"]);
    checkHeaders(context, template.headers, [name, "headers"]);
    const second = template.response.auxiliaryMerge;
    const path = [name, "response", "auxiliary_merge"];
    checkQuery(context, second?.query, [...path, "query"]);
    checkHeaders(context, second?.headers, [...path, "headers"]);
    checkBody(context, template, name);
  }
};

function checkQuery(
  { inMappings }: RuleContext,
  expression: Expression | undefined,
  path: KeyPath,
): void {
  if (expression === undefined || mayBeObject(expression)) return;
  inMappings.atValue(path, "MAP013", "object", { found: expression.type });
}

function checkHeaders(
  { inMappings }: RuleContext,
  expression: Expression | undefined,
  path: KeyPath,
): void {
  if (expression === undefined) return;
  if (!mayBeObject(expression)) {
    inMappings.atValue(path, "MAP014", "object", { found: expression.type });
    return;
  }
  if (expression.type !== "object") return;
  expression.fields.forEach(([name, value], at) => {
    const own = [...path, "fields", at];
    if (!HEADER_NAME.test(name)) {
      inMappings.atValue([...own, 0], "MAP014", "name", { found: JSON.stringify(name) });
    }
    const text = value.type === "const" ? value.value : null;
    if (typeof text !== "string" || !/[\r\n\0]/.test(text)) return;
    const params = { name, found: JSON.stringify(text) };
    inMappings.atValue([...own, 1, "value"], "MAP014", "value", params);
  });
}

function checkBody({ inMappings }: RuleContext, template: HttpTemplate, name: string): void {
  const { body, bodyFormat, multipart } = template;
  if (multipart !== undefined && body !== undefined) {
    inMappings.atKey([name, "body"], "MAP016", "body", {});
  }
  if (multipart !== undefined && bodyFormat !== "multipart") {
    inMappings.atKey([name, "multipart"], "MAP017", "format", { found: bodyFormat });
  }
  if (bodyFormat === "multipart" && (multipart ?? []).length === 0) {
    inMappings.atKey([name, "body_format"], "MAP016", "none", {});
  }
  multipart?.forEach((part, at) => {
    const { content } = part;
    const scalar = content.type === "join" || content.type === "format" || isScalarConst(content);
    if (part.fileName === undefined || !scalar) return;
    const path = [name, "multipart", "parts", at, "file_name"];
    const found = content.type === "const" ? JSON.stringify(content.value) : `a ${content.type}`;
    inMappings.atKey(path, "MAP016", "scalar", { name: part.name, found });
  });
  if (bodyFormat !== "form_urlencoded" || body === undefined) return;
  if (!mayBeObject(body)) {
    inMappings.atValue([name, "body"], "MAP015", "object", { found: body.type });
  }
}
