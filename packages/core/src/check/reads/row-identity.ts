import type { Rows, TypedKey } from "../typed-program.ts";

/**
 * The key of the one row that rows hold, if it is known without reading them: consumers that need only
 * the identity carry it and the row is not read (PLAN-002). Null if the row must be read, be it only to
 * know whether it is there.
 */
export function knownIdentity(rows: Rows): TypedKey | null {
  let at = rows;
  for (;;) {
    switch (at.kind) {
      case "get":
        return at.key.size === 0 ? null : at.key;
      case "limit":
      case "page_size":
      case "sort":
      case "project":
      case "singleton":
      case "distinct":
      case "join":
        at = at.source;
        break;
      case "aggregate":
      case "group_by":
      case "render":
      case "derive":
      case "for_each":
      case "effect":
      case "data":
      case "list":
      case "filter":
      case "relation":
        return null;
    }
  }
}
