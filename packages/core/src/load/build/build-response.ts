import type {
  AuxiliaryMerge,
  ErrorWhen,
  Preprocess,
  ResponseShape,
} from "../../mapping/template.ts";
import type { ResponseDefaultsDoc, ResponseDoc } from "../format/response-shape.ts";
import { nodeToJson } from "../yaml/node-to-json.ts";
import { buildExpression } from "./build-expression.ts";
import { given } from "./given.ts";

/** `response` of a template; what it does not say of failures its catalog may say for all (RUN-041). */
export function buildResponse(
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
  const message = given("messagePath", doc.message_path);
  if (doc.eq === undefined) return { path: doc.path, present: true, ...message };
  return { path: doc.path, eq: nodeToJson(doc.eq), ...message };
}
