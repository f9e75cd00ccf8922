import type { KeyPath } from "../key-path.ts";
import type {
  Expression,
  HttpTemplate,
  PathSegment,
  RequestTemplate,
} from "../../mapping/template.ts";
import { nameList } from "../../diagnostics/nearest-name.ts";
import { nearestText } from "../reporter.ts";
import { isScalarConst, mayBeObject } from "./expressions.ts";
import type { Rule, RuleContext } from "./rule.ts";
import type { PaginationDoc } from "../format/request-shape.ts";
import { isList, oneOfKind } from "../../model/model.ts";
import type { PartView } from "./part-view.ts";
import { isAbsoluteUrl, pathTemplate } from "../../mapping/evaluate-path.ts";
import { parseHttpUrl } from "./domain.ts";
import type { ResponseDoc } from "../format/response-shape.ts";
import type { TemplateDoc } from "../format/template-shape.ts";

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** MAP-013 to MAP-017: the forms of query, headers and body. */
export const requestRule: Rule = (context) => {
  for (const [name, template] of context.catalog.cml) {
    if (template.transport !== "http" && template.transport !== "graphql") continue;
    if (context.inMappings.faulty([name])) continue;
    checkQuery(context, template.query, [name, "query"]);
    checkBrackets(context, template, name);
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

/** What is written in brackets, or with numbers, is a member of the query, where its members are known. */
function checkBrackets(
  { inMappings }: RuleContext,
  { query, queryBrackets = [], queryNumbered = new Map() }: HttpTemplate,
  name: string,
): void {
  if (query !== undefined && query.type !== "object") return;
  const members = (query?.fields ?? []).map(([member]) => member);
  const unknown = (found: string) => ({
    found: JSON.stringify(found),
    nearest: nearestText(found, members),
    members: nameList(members, found) || "none",
  });
  queryBrackets.forEach((found, at) => {
    if (members.includes(found)) return;
    inMappings.atValue([name, "query_brackets", at], "MAP013", "brackets", unknown(found));
  });
  for (const path of queryNumbered.keys()) {
    const [member = ""] = path.split("/");
    const at = [name, "query_numbered", path];
    if (!members.includes(member)) inMappings.atKey(at, "MAP026", "member", unknown(member));
    else if (queryBrackets.includes(member))
      inMappings.atKey(at, "MAP026", "both", { found: JSON.stringify(member) });
  }
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
  if (bodyFormat === "binary" && (body === undefined || isData(body))) {
    const found = body === undefined ? "no body" : `a body of type ${body.type}`;
    inMappings.atKey([name, "body_format"], "MAP024", "body", { found });
  }
  if (bodyFormat !== "form_urlencoded" || body === undefined) return;
  if (!mayBeObject(body)) {
    inMappings.atValue([name, "body"], "MAP015", "object", { found: body.type });
  }
}

/** Whether an expression is certain to give what no file is: an object that is put together, a list or a number. */
const isData = (body: Expression): boolean =>
  body.type === "object" ||
  body.type === "array" ||
  (body.type === "const" && typeof body.value !== "string");

/** MAP-040 to MAP-045: how a list goes on. */
export const paginationRule: Rule = ({ catalog, mappings, inMappings }) => {
  for (const [name, template] of mappings) {
    if (template.transport === "view" || template.transport === "evm_call") continue;
    const { pagination } = template;
    const path = [name, "pagination"];
    if (pagination === undefined || inMappings.faulty(path)) continue;
    checkParams(pagination, path, inMappings);
    checkStop(pagination, path, inMappings);
    checkLocation(catalog.cml.get(name), pagination, path, inMappings);
    const kind = catalog.cgs.capabilities.get(name)?.kind;
    if (kind !== undefined && !isList(kind)) {
      inMappings.atKey(path, "MAP045", "kind", { found: name, kind: oneOfKind(kind) });
    }
  }
};

function checkParams(pagination: PaginationDoc, path: KeyPath, inMappings: PartView): void {
  const { location } = pagination;
  const urls = location === "link_header" || location === "response_next_url";
  for (const [name, param] of pagination.params) {
    const own = [...path, "params", name];
    const forms = (["counter", "fixed", "from_response", "from_last", "size"] as const).filter(
      (form) => param[form] !== undefined,
    );
    const [form] = forms;
    if (form === undefined || forms.length > 1) {
      const found = forms.length === 0 ? "no form" : forms.join(" and ");
      inMappings.atKey(own, "MAP040", "form", { name, found });
    } else if (param.step !== undefined && form !== "counter") {
      inMappings.atKey([...own, "step"], "MAP040", "step", { name });
    } else if (param.assumed !== undefined && (form !== "counter" || param.step !== undefined)) {
      inMappings.atKey([...own, "assumed"], "MAP040", "assumed", { name });
    } else if (param.usual !== undefined && form !== "fixed") {
      inMappings.atKey([...own, "usual"], "MAP040", "usual", { name });
    } else if (form === "size" && pagination.params.size > 1) {
      inMappings.atKey([...own, "size"], "MAP040", "size", { name });
    } else if (urls && form !== "fixed") {
      inMappings.atKey([...own, form], "MAP043", "param", { name, found: form, location });
    }
  }
}

function checkStop(pagination: PaginationDoc, path: KeyPath, inMappings: PartView): void {
  const stop = pagination.stop_when;
  if (stop === undefined) return;
  const own = [...path, "stop_when"];
  if (stop.field === undefined) inMappings.atKey(own, "MAP041", "field", {});
  else if ((stop.eq === undefined) === (stop.absent === undefined)) {
    const found = stop.eq === undefined ? "neither eq nor absent: true" : "eq and absent";
    inMappings.atKey(own, "MAP041", "one", { found });
  }
}

function checkLocation(
  template: RequestTemplate | undefined,
  pagination: PaginationDoc,
  path: KeyPath,
  inMappings: PartView,
): void {
  const { location } = pagination;
  if (pagination.body_merge_path.length > 0 && location !== "body") {
    inMappings.atKey([...path, "body_merge_path"], "MAP042", "location", { found: location });
  }
  const at = [...path, "location"];
  if (location === "block_range" && template?.transport !== "evm_logs") {
    inMappings.atValue(at, "MAP044", "transport", { found: template?.transport ?? "http" });
  }
  if (location !== "body") return;
  if (template?.transport !== "http" && template?.transport !== "graphql") return;
  const { body, bodyFormat } = template;
  if (bodyFormat !== "json") {
    inMappings.atValue(at, "MAP042", "body", { found: `body_format ${bodyFormat}` });
  } else if (body !== undefined && !mayBeObject(body)) {
    inMappings.atValue(at, "MAP042", "body", { found: `a body of type ${body.type}` });
  }
}

/** MAP-010: what literals of a path may hold; MAP-011: where an absolute URL may stand. */
export const pathRule: Rule = ({ catalog, inMappings }) => {
  for (const [name, template] of catalog.cml) {
    if (template.transport !== "http" && template.transport !== "graphql") continue;
    checkSegments(template.path, [name, "path"], inMappings);
    const second = template.response.auxiliaryMerge;
    if (second === undefined) continue;
    checkSegments(second.path, [name, "response", "auxiliary_merge", "path"], inMappings);
  }
};

function checkSegments(
  segments: readonly PathSegment[],
  path: KeyPath,
  inMappings: PartView,
): void {
  segments.forEach((segment, at) => {
    const key = segment.type === "literal" ? "value" : "suffix";
    const text = segment.type === "literal" ? segment.value : segment.suffix;
    const place = [...path, at, key];
    const found = JSON.stringify(text);
    if (segment.type === "literal" && isAbsoluteUrl(text)) {
      if (at > 0) inMappings.atValue(place, "MAP011", "first", { found });
      else if (parseHttpUrl(text) === null) inMappings.atValue(place, "MAP011", "form", { found });
      else checkText(text.replace(/^https?:\/\//i, ""), found, place, inMappings);
    } else {
      // What touches a variable is a part of a segment.
      const before = segment.type === "var" || segment.joined === true ? "_" : "";
      const after = segments[at + 1]?.joined === true ? "_" : "";
      checkText(`${before}${text}${after}`, found, place, inMappings);
    }
    if (segment.type === "literal") checkSlashes(segments, at, place, inMappings);
  });
}

/** A literal that brings a slash to the one that joins it to what is beside it. */
function checkSlashes(
  segments: readonly PathSegment[],
  at: number,
  place: KeyPath,
  inMappings: PartView,
): void {
  const segment = segments[at];
  if (segment?.type !== "literal") return;
  const last = at === segments.length - 1 || segments[at + 1]?.joined === true;
  const begun = segment.joined === true ? segment.value : segment.value.replace(/^\/+/, "");
  const value = last ? begun : begun.replace(/(?<!\/)\/+$/, "");
  if (value === segment.value) return;
  const written = (text: string): string => JSON.stringify(text);
  inMappings.atValue(place, "MAP010", "slash", {
    found: written(segment.value),
    made: pathTemplate(segments),
    instead: written(value),
  });
}

function checkText(text: string, found: string, place: KeyPath, inMappings: PartView): void {
  const what = problem(text);
  if (what !== null) inMappings.atValue(place, "MAP010", "literal", { found, what });
}

function problem(text: string): string | null {
  if (text.includes("?")) return "a ?";
  if (text.includes("#")) return "a #";
  if (/\p{Cc}/u.test(text)) return "a control character";
  if (/\p{Surrogate}/u.test(text)) return "half a surrogate pair";
  const dots = text.split("/").find((part) => part === "." || part === "..");
  return dots === undefined ? null : `the segment ${dots}`;
}

/** MAP-031, MAP-034: where a second read may stand, and how it reads; error signs have one test (CAT-003). */
export const responseRule: Rule = (context) => {
  for (const [name, template] of context.mappings) {
    if (template.transport !== "http" && template.transport !== "graphql") continue;
    checkAuxiliary(context, name, template);
    checkMap(context, name, template.response ?? {});
    checkSigns(template.response?.error_when, [name, "response"], context.inMappings);
  }
  checkSigns(context.domain.response_defaults?.error_when, ["response_defaults"], context.inDomain);
};

function checkSigns(signs: ResponseDoc["error_when"], at: KeyPath, part: PartView): void {
  for (const [index, sign] of (signs ?? []).entries()) {
    if ((sign.eq === undefined) !== (sign.present === undefined)) continue;
    const expected = "exactly one of eq and present: true";
    const found = sign.eq === undefined ? "neither eq nor present" : "eq and present";
    part.atValue([...at, "error_when", index], "CAT003", "wrong", { found, expected });
  }
}

/** MAP-034: a collection that is a map is no single row, and only such a one has values to put somewhere. */
function checkMap(
  { inMappings }: RuleContext,
  name: string,
  response: Partial<Pick<ResponseDoc, "key_into" | "value_into" | "single">>,
): void {
  const { key_into: key, value_into: value, single } = response;
  const path = [name, "response"];
  if (key !== undefined && single === true) {
    inMappings.atKey([...path, "key_into"], "MAP034", "single", {});
  }
  if (value === undefined) return;
  if (key === undefined) inMappings.atKey([...path, "value_into"], "MAP034", "alone", {});
  else if (key === value) {
    inMappings.atValue([...path, "value_into"], "MAP034", "same", { found: value });
  }
}

function checkAuxiliary(
  { catalog, inMappings }: RuleContext,
  name: string,
  template: Extract<TemplateDoc, { readonly transport: "http" | "graphql" }>,
): void {
  const second = template.response?.auxiliary_merge;
  if (second === undefined) return;
  const path = [name, "response", "auxiliary_merge"];
  const kind = catalog.cgs.capabilities.get(name)?.kind;
  if (kind !== undefined && (kind !== "get" || template.transport !== "http")) {
    const found = `${oneOfKind(kind)} with transport ${template.transport}`;
    inMappings.atKey(path, "MAP031", "place", { found });
  }
  if (second.method !== "GET" && second.method !== "HEAD") {
    inMappings.atValue([...path, "method"], "MAP031", "method", { found: second.method });
  }
}
