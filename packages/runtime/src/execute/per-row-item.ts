import type { Json, JsonObject, PlanNode } from "@plasm/core";
import { isObject } from "../json-kinds.ts";
import { rowName } from "../rows/row.ts";
import type { Feed, SavedNode } from "./feed.ts";

/** The item that a cut left half read, of the source row of this name; `before` rows it gave. */
export interface CutItem {
  readonly node: PlanNode;
  readonly state: JsonObject;
  readonly before: number;
  readonly of: string | null;
  /** how it goes on after an effect (PLAN-083) */
  readonly anew: Pick<SavedNode, "node" | "state"> | null;
}

// A plan node is plain JSON by construction.
const nodeJson = (node: PlanNode): JsonObject => node as unknown as JsonObject;

function savedNode(value: Json | undefined): Pick<SavedNode, "node" | "state"> | null {
  if (!isObject(value) || !isObject(value["node"]) || !isObject(value["state"])) return null;
  return { node: value["node"] as unknown as PlanNode, state: value["state"] };
}

/** The item of a saved state, or null. */
export function savedItem(state: JsonObject | null): CutItem | null {
  const item = state?.["item"];
  const saved = savedNode(item);
  if (saved === null || !isObject(item)) return null;
  const { before, of, anew } = item;
  return {
    ...saved,
    before: typeof before === "number" ? before : 0,
    of: typeof of === "string" ? of : null,
    anew: savedNode(anew),
  };
}

/** The item that a cut left half read, or null where it cannot go on. */
export function cutItem(item: Feed): CutItem | null {
  const before = item.before + item.rows.length;
  const saved = item.reader.save(before, before);
  if (saved === null) return null;
  const of = item.item === null ? null : rowName(item.item.row);
  return { ...saved, before, of, anew: item.reader.anew(before) };
}

/** A half read item as JSON. */
export function storeItem({ node, state, before, of, anew }: CutItem): JsonObject {
  const own = { node: nodeJson(node), state, before, of };
  return anew === null ? own : { ...own, anew: { node: nodeJson(anew.node), state: anew.state } };
}
