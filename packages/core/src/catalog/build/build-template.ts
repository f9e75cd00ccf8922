import type {
  AuxiliaryMerge,
  Condition,
  ErrorWhen,
  EvmCallTemplate,
  EvmLogsTemplate,
  Expression,
  HttpTemplate,
  MultipartPart,
  PageParam,
  Pagination,
  Preprocess,
  ResponseShape,
  RequestTemplate,
} from "../../mapping/template.ts";
import type { EvmCallDoc, EvmLogsDoc, HttpDoc, TemplateDoc } from "../format/template-shape.ts";
import type { ResponseDefaultsDoc, ResponseDoc } from "../format/response-shape.ts";
import { given, mapValues } from "./build-capability.ts";
import { nodeToJson } from "../yaml/node.ts";
import type { ConditionDoc, ExpressionDoc } from "../format/expression-shape.ts";
import { compareCodePoints } from "../../base/text.ts";
import type { PaginationDoc } from "../format/request-shape.ts";

/** A template in its long form; `defaults` are what its catalog says of every answer. */
export function buildTemplate(doc: TemplateDoc, defaults?: ResponseDefaultsDoc): RequestTemplate {
  switch (doc.transport) {
    case "view":
      return doc;
    case "evm_call":
      return buildEvmCall(doc);
    case "evm_logs":
      return buildEvmLogs(doc);
    default:
      return buildHttp(doc, defaults);
  }
}

function buildHttp(doc: HttpDoc, defaults: ResponseDefaultsDoc | undefined): HttpTemplate {
  return {
    transport: doc.transport,
    method: doc.method,
    path: doc.path,
    ...given("query", doc.query && buildExpression(doc.query)),
    ...given("queryBrackets", doc.query_brackets),
    ...given("queryNumbered", doc.query_numbered),
    ...given("headers", doc.headers && buildExpression(doc.headers)),
    ...given("body", doc.body && buildExpression(doc.body)),
    bodyFormat: doc.body_format,
    ...given("multipart", doc.multipart?.parts.map(buildPart)),
    response: buildResponse(doc.response, defaults),
    ...given("pagination", doc.pagination && buildPagination(doc.pagination)),
    ...given("idempotencyHeader", doc.idempotency?.header),
  };
}

function buildPart(doc: NonNullable<HttpDoc["multipart"]>["parts"][number]): MultipartPart {
  return {
    name: doc.name,
    ...given("fileName", doc.file_name && buildExpression(doc.file_name)),
    ...given("contentType", doc.content_type && buildExpression(doc.content_type)),
    content: buildExpression(doc.content),
    ...given("repeat", doc.repeat),
  };
}

function buildEvmCall(doc: EvmCallDoc): EvmCallTemplate {
  return {
    transport: doc.transport,
    chain: doc.chain,
    contract: buildExpression(doc.contract),
    function: doc.function,
    args: doc.args.map(buildExpression),
    ...given("block", doc.block && buildExpression(doc.block)),
    decode: doc.decode,
  };
}

function buildEvmLogs(doc: EvmLogsDoc): EvmLogsTemplate {
  return {
    transport: doc.transport,
    chain: doc.chain,
    contract: buildExpression(doc.contract),
    event: doc.event,
    topics: doc.topics.map(buildExpression),
    ...given("pagination", doc.pagination && buildPagination(doc.pagination)),
    decode: doc.decode,
  };
}

/** `response` of a template; what it does not say of failures its catalog may say for all (RUN-041). */
function buildResponse(
  doc: ResponseDoc | undefined,
  defaults: ResponseDefaultsDoc | undefined,
): ResponseShape {
  const failures = {
    ...given("errorWhen", (doc?.error_when ?? defaults?.error_when)?.map(buildErrorWhen)),
    ...given("messagePath", doc?.message_path ?? defaults?.message_path),
  };
  if (doc === undefined) {
    return { single: false, wrapRootScalar: false, ...failures, declared: false };
  }
  return {
    ...given("xml", doc.xml),
    ...given("items", doc.items),
    ...given("itemsPath", doc.items_path),
    ...given("itemInnerKey", doc.item_inner_key),
    ...given("keyInto", doc.key_into),
    ...given("valueInto", doc.value_into),
    single: doc.single,
    wrapRootScalar: doc.wrap_root_scalar,
    ...given("preprocess", doc.response_preprocess && buildPreprocess(doc.response_preprocess)),
    ...given("auxiliaryMerge", doc.auxiliary_merge && buildAuxiliary(doc.auxiliary_merge)),
    ...failures,
    declared: true,
  };
}

function buildPreprocess(doc: NonNullable<ResponseDoc["response_preprocess"]>): Preprocess {
  switch (doc.kind) {
    case "array_find_pluck":
      return {
        kind: doc.kind,
        path: doc.path,
        idField: doc.id_field,
        idVar: doc.id_var,
        nestedArray: doc.nested_array,
      };
    case "concat_field_arrays":
      return { kind: doc.kind, path: doc.path, fromEach: doc.from_each };
    case "string_ids_to_field_objects":
      return { kind: doc.kind, path: doc.path, field: doc.field };
    case "function":
      return { kind: doc.kind, function: doc.function, sets: doc.sets };
  }
}

/** Other methods are refused by MAP-031. */
function buildAuxiliary(doc: NonNullable<ResponseDoc["auxiliary_merge"]>): AuxiliaryMerge {
  return {
    method: doc.method === "HEAD" ? "HEAD" : "GET",
    path: doc.path,
    ...given("query", doc.query && buildExpression(doc.query)),
    ...given("headers", doc.headers && buildExpression(doc.headers)),
    fromPath: doc.from_path,
    intoKey: doc.into_key,
  };
}

/** An entry has exactly one of `eq` and `present` (MAP-030). */
function buildErrorWhen(doc: NonNullable<ResponseDoc["error_when"]>[number]): ErrorWhen {
  const more = {
    ...given("messagePath", doc.message_path),
    ...(doc.in_doubt ? { inDoubt: true as const } : {}),
  };
  if (doc.eq === undefined) return { path: doc.path, present: true, ...more };
  return { path: doc.path, eq: nodeToJson(doc.eq), ...more };
}

function buildExpression(doc: ExpressionDoc): Expression {
  switch (doc.type) {
    case "var":
      return doc;
    case "const":
      return { type: doc.type, value: nodeToJson(doc.value) };
    case "object":
      return {
        type: doc.type,
        fields: doc.fields.map(([key, value]) => [key, buildExpression(value)] as const),
      };
    case "array":
      return { type: doc.type, elements: doc.elements.map(buildExpression) };
    case "if":
      return {
        type: doc.type,
        condition: buildCondition(doc.condition),
        thenExpr: buildExpression(doc.then_expr),
        elseExpr: buildExpression(doc.else_expr),
      };
    case "join":
      return { type: doc.type, sep: doc.sep, expr: buildExpression(doc.expr) };
    case "format":
      return {
        type: doc.type,
        template: doc.template,
        vars: mapValues(doc.vars, (value) => buildExpression(value)),
      };
    case "call":
      return { type: doc.type, function: doc.function, args: doc.args.map(buildExpression) };
  }
}

function buildCondition(doc: ConditionDoc): Condition {
  switch (doc.type) {
    case "exists":
      return { type: doc.type, name: doc.var };
    case "equals":
      return {
        type: doc.type,
        left: buildExpression(doc.left),
        right: buildExpression(doc.right),
      };
    case "bool":
      return { type: doc.type, expr: buildExpression(doc.expr) };
  }
}

type ParamDoc = PaginationDoc["params"] extends ReadonlyMap<string, infer P> ? P : never;

/** `pagination` of a template; params sorted by name, since file order has no meaning (CAT-015). */
function buildPagination(doc: PaginationDoc): Pagination {
  return {
    params: [...doc.params]
      .sort(([a], [b]) => compareCodePoints(a, b))
      .map(([name, param]) => buildParam(name, param)),
    location: doc.location,
    bodyMergePath: doc.body_merge_path,
    responsePrefix: doc.response_prefix,
    ...given("stopWhen", buildStop(doc.stop_when)),
    responseNextUrlField: doc.response_next_url_field,
  };
}

/** A param has exactly one of the five forms (MAP-040). */
function buildParam(name: string, doc: ParamDoc): PageParam {
  if (doc.counter !== undefined) {
    const more = { ...given("step", doc.step), ...given("assumed", doc.assumed) };
    return { name, form: "counter", start: doc.counter, ...more };
  }
  if (doc.from_response !== undefined) {
    return { name, form: "from_response", path: doc.from_response };
  }
  if (doc.from_last !== undefined) return { name, form: "from_last", path: doc.from_last };
  if (doc.size !== undefined) {
    return {
      name,
      form: "size",
      ...given("usual", doc.size.usual),
      ...given("most", doc.size.most),
    };
  }
  const value = doc.fixed === undefined ? null : nodeToJson(doc.fixed);
  return { name, form: "fixed", value, ...given("usual", doc.usual) };
}

/** A stop has a field and exactly one of `eq` and `absent` (MAP-041). */
function buildStop(doc: PaginationDoc["stop_when"]): Pagination["stopWhen"] {
  if (doc?.field === undefined) return undefined;
  if (doc.eq === undefined) return { field: doc.field, absent: true };
  return { field: doc.field, eq: nodeToJson(doc.eq) };
}
