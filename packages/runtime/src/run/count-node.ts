import type { JsonObject, ValueType } from "@plasm/core";
import type { ListNode, RelationNode } from "@plasm/core/internal";
import type { Row } from "../rows/row.ts";
import type { ReadCall, RunEngine } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { constantNode } from "./list-node.ts";
import { readCount } from "./read-count.ts";
import { constantRelation, openRelation } from "./relation-open.ts";
import { scopedCall } from "./relation-targets.ts";
import { resolveArgs } from "./resolve-args.ts";
import { wholeReader } from "./whole-source.ts";

const INTEGER: ValueType = Object.freeze({ kind: "integer" });

type CountedNode = ListNode | RelationNode;

/** The call of a list whose rows are counted, and the node with its values as constants. */
interface CountedCall {
  readonly call: ReadCall;
  readonly known: CountedNode;
}

/** One row of how many rows a list has, which are not read (RUN-079). */
export function countNode(
  engine: RunEngine,
  feed: Feed,
  node: CountedNode,
  state: JsonObject | null,
): RowReader {
  let known: CountedNode | null = null;
  return wholeReader({
    engine,
    feed,
    node,
    state,
    known: () => known,
    sources: [],
    async make() {
      const counted =
        node.kind === "relation"
          ? await relatedCall(engine, feed, node)
          : await listCall(engine, feed, node);
      known = counted.known;
      return [countRow(await readCount(engine, feed, counted.call))];
    },
  });
}

async function listCall(engine: RunEngine, feed: Feed, node: ListNode): Promise<CountedCall> {
  const catalog = engine.catalog(node.catalog.entry_id);
  const capability = catalog.cgs.capabilities.get(node.capability);
  if (capability === undefined) throw new Error(`no capability ${node.capability}`);
  const args = await resolveArgs(engine, feed, capability, node.args);
  const call: ReadCall = { catalog, capability, args, anchor: {}, ambient: {} };
  return { call, known: constantNode(node, args, null) };
}

async function relatedCall(
  engine: RunEngine,
  feed: Feed,
  node: RelationNode,
): Promise<CountedCall> {
  const open = await openRelation(engine, feed, node);
  const { plan, owner, anchor: row } = open;
  if (row === null) throw new Error(`${node.id} has no row that it is followed from`);
  const relation = owner.relations.get(node.relation);
  const call = await scopedCall(plan, { engine, feed, row, owner, relation });
  return { call, known: constantRelation(node, open) };
}

const NOTHING_JOINED: Row["joined"] = new Map();

const countRow = (count: number): Row => ({
  base: null,
  cells: new Map([["count", count]]),
  joined: NOTHING_JOINED,
  types: new Map([["count", INTEGER]]),
});
