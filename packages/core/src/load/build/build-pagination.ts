import type { PageParam, Pagination } from "../../mapping/template.ts";
import { compareCodePoints } from "../../text/compare-code-points.ts";
import type { PaginationDoc } from "../format/pagination-shape.ts";
import { nodeToJson } from "../yaml/node-to-json.ts";
import { given } from "./given.ts";

type ParamDoc = PaginationDoc["params"] extends ReadonlyMap<string, infer P> ? P : never;

/** `pagination` of a template; params sorted by name, since file order has no meaning (CAT-015). */
export function buildPagination(doc: PaginationDoc): Pagination {
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

/** A param has exactly one of the four forms (MAP-040). */
function buildParam(name: string, doc: ParamDoc): PageParam {
  if (doc.counter !== undefined) {
    return { name, form: "counter", start: doc.counter, ...given("step", doc.step) };
  }
  if (doc.from_response !== undefined) {
    return { name, form: "from_response", path: doc.from_response };
  }
  if (doc.from_last !== undefined) return { name, form: "from_last", path: doc.from_last };
  return { name, form: "fixed", value: doc.fixed === undefined ? null : nodeToJson(doc.fixed) };
}

/** A stop has a field and exactly one of `eq` and `absent` (MAP-041). */
function buildStop(doc: PaginationDoc["stop_when"]): Pagination["stopWhen"] {
  if (doc?.field === undefined) return undefined;
  if (doc.eq === undefined) return { field: doc.field, absent: true };
  return { field: doc.field, eq: nodeToJson(doc.eq) };
}
