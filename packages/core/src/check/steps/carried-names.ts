import type { Rows } from "../typed-program.ts";

const NONE: ReadonlySet<string> = new Set();

/**
 * The parameters that rows carry on from the relation they were read by, whatever steps came since
 * (RUN-044): a call on such a row need not name them (RUN-010, RUN-011).
 */
export function carriedNames(rows: Rows): ReadonlySet<string> {
  switch (rows.kind) {
    case "relation":
      return "bindings" in rows.reading ? new Set(rows.reading.bindings.keys()) : NONE;
    case "filter":
    case "limit":
    case "page_size":
    case "sort":
    case "project":
    case "singleton":
    case "distinct":
    case "join":
      return carriedNames(rows.source);
    case "list":
    case "get":
    case "aggregate":
    case "group_by":
    case "render":
    case "derive":
    case "for_each":
    case "effect":
    case "data":
      return NONE;
  }
}
