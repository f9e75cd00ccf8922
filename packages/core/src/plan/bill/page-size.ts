import type { Pagination, Template } from "../../mapping/template.ts";

const SIZE_NAMES: ReadonlySet<string> = new Set([
  "size",
  "limit",
  "perpage",
  "pagesize",
  "maxresults",
  "count",
  "first",
  "top",
  "take",
]);

/** The declared rows per page of a counter-paged list, or null (PLAN-020, RUN-073). */
export function declaredPageSize(template: Template): number | null {
  if (template.transport !== "http" && template.transport !== "graphql") return null;
  const { pagination } = template;
  if (pagination === undefined || !isCounterPaged(pagination)) return null;
  for (const param of pagination.params) {
    if (param.form !== "fixed" || !SIZE_NAMES.has(plainName(param.name))) continue;
    if (typeof param.value === "number" && param.value >= 1) return Math.floor(param.value);
  }
  return null;
}

function isCounterPaged({ params, location }: Pagination): boolean {
  const inRequest = location === "query" || location === "body";
  return inRequest && params.some((param) => param.form === "counter");
}

/** Names compare ignoring case and `_ - $` (RUN-071). */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_$-]/g, "");
}
