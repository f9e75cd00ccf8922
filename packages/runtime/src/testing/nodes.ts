import type { ComputeNode, GetNode, ListNode, RelationNode } from "@plasm/core/internal";

const digest = "sha256:test";

/** A list of quay boats. */
export function boats(over: Partial<ListNode> = {}): ListNode {
  return {
    id: "n1",
    kind: "query",
    effect_class: "read",
    stage: 0,
    catalog: { entry_id: "quay", digest, entity: "Boat" },
    capability: "boat_query",
    args: {},
    filter: null,
    limit: null,
    wanted: ["id"],
    result: { card: "many", entity: "Boat", columns: null },
    ...over,
  };
}

/** One quay boat by its id. */
export function boat(id: string, over: Partial<GetNode> = {}): GetNode {
  return {
    id: "n1",
    kind: "get",
    effect_class: "read",
    stage: 0,
    catalog: { entry_id: "quay", digest, entity: "Boat" },
    capability: "boat_get",
    args: {},
    key: { id: { lit: id } },
    missing: "error",
    wanted: ["id"],
    result: { card: "one", entity: "Boat", columns: null },
    ...over,
  };
}

/** A relation of quay boats. */
export function relation(
  name: string,
  via: RelationNode["via"],
  target: string,
  over: Partial<RelationNode> = {},
): RelationNode {
  return {
    id: "n2",
    kind: "relation",
    effect_class: "read",
    stage: 0,
    catalog: { entry_id: "quay", digest, entity: target },
    capability: null,
    args: {},
    relation: name,
    owner: "Boat",
    via,
    filter: null,
    limit: null,
    wanted: [],
    result: { card: "many", entity: target, columns: null },
    ...over,
  };
}

/** A transform of a node's rows. */
export function compute(
  id: string,
  source: string,
  op: ComputeNode["op"],
  over: Partial<ComputeNode> = {},
): ComputeNode {
  const paths = "project" in op ? op.project : null;
  return {
    id,
    kind: "compute",
    effect_class: "local",
    stage: 0,
    source,
    op,
    result: {
      card: "many",
      entity: "Boat",
      columns: paths === null ? null : paths.map((path) => [path.join("."), "str"] as const),
    },
    ...over,
  };
}
