import type { Rows, TypedRoot } from "../../check/typed-program.ts";
import { rowSource } from "./rows-graph.ts";
import type { PlanReturn } from "../ir.ts";

/** A result before the plan is numbered. */
export interface DraftReturn extends PlanReturn {
  readonly rows: Rows;
}

/**
 * The results in root order with their labels (PLAN-005): the binding's, else the entity of the rows,
 * else `result`; repeated ones get `_2`, `_3`. A label returned twice is returned once.
 */
export function planReturns(
  roots: readonly { readonly root: TypedRoot; readonly id: string }[],
): readonly DraftReturn[] {
  const returned = new Set<string>();
  const distinct = roots.filter(({ root }) => {
    if (root.label === null) return true;
    return !returned.has(root.label) && returned.add(root.label);
  });
  const taken = new Set(returned);
  return distinct.map(({ root, id }) => ({
    label: root.label ?? freeName(entityName(root.rows), taken),
    node: id,
    page_size: pageSize(root.rows),
    rows: root.rows,
  }));
}

function freeName(base: string, taken: Set<string>): string {
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
  taken.add(name);
  return name;
}

/** The entity of the rows, for rows of none that of what they are made from. */
function entityName(rows: Rows): string {
  let at: Rows | null = rows;
  while (at !== null) {
    if (at.type.entity !== null) return at.type.entity.entity;
    if (at.kind === "effect") return at.entity.entity;
    at = rowSource(at);
  }
  return "result";
}

/** The page size of a result: the last one written, through steps that pass rows on one by one. */
function pageSize(rows: Rows): number | null {
  let at = rows;
  for (;;) {
    switch (at.kind) {
      case "page_size":
        return at.n;
      case "filter":
      case "limit":
      case "sort":
      case "project":
      case "singleton":
      case "distinct":
      case "derive":
      case "join":
        at = at.source;
        break;
      case "pair":
      case "aggregate":
      case "group_by":
      case "render":
      case "for_each":
      case "effect":
      case "data":
      case "list":
      case "get":
      case "relation":
        return null;
    }
  }
}
