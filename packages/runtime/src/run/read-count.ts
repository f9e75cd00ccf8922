import type { Capability, Json, JsonObject, ValueType } from "@plasm/core";
import { type ListNode, type RelationNode, keyParts } from "@plasm/core/internal";
import { isObject } from "../base/json-kinds.ts";
import { RunFailure, failure } from "../base/run-failure.ts";
import { saysIncomplete } from "../decode/more-signs.ts";
import { isKeyset } from "../decode/next-page.ts";
import { followResponse } from "../decode/response-body.ts";
import type { Row } from "../rows/row.ts";
import { servedBy } from "./choose-get.ts";
import type { ReadCall, RunEngine } from "./engine.ts";
import type { Feed, NodeContext, RowReader } from "./feed.ts";
import { constantNode } from "./list-node.ts";
import { openList } from "./list-reader.ts";
import type { ReadAnswer } from "./perform-read.ts";
import { readOne } from "./read-capability.ts";
import { constantRelation, openRelation } from "./relation-open.ts";
import { scopedCall } from "./relation-targets.ts";
import { resolveArgs } from "./resolve-args.ts";
import { wholeReader } from "./whole-source.ts";

/**
 * How many rows a list has by what the API says, in one request (RUN-079); `related` is the relation whose rows they
 * are. Throws RunFailure where it does not say so, or says what its rows show to be wrong; RunStop.
 */
export async function readCount(
  engine: RunEngine,
  site: NodeContext,
  call: ReadCall,
  related: string | null = null,
): Promise<number> {
  const { count } = call.capability;
  if (count === undefined) throw new Error(`${call.capability.name} does not say how many rows`);
  const fail = (says: string, answer?: ReadAnswer): RunFailure =>
    uncounted(call, related, says, answer);
  if ("capability" in count) return countByCapability(engine, site, call, count, fail);
  const answers: ReadAnswer[] = [];
  const onAnswer = (answer: ReadAnswer): void => void answers.push(answer);
  const served = servedBy(call.catalog, call.capability);
  const list = { ...call, ...served, identity: null };
  const free = { mostPages: 1, isUncounted: true, onAnswer };
  const pages = openList({ engine, feed: site, call: list, ...free }, null);
  const read = await pages.next();
  engine.rows.give(read.length * (pages.held ?? 0));
  const [answer] = answers;
  if (answer === undefined) throw new Error(`${call.capability.name} sent nothing`);
  const at = "path" in count ? count.path.join(".") : `header ${count.header}`;
  const total = wholeNumber(
    "path" in count ? countAt(answer.body, count.path) : headerOf(answer, count.header),
  );
  if (total === null) throw fail(`did not report a number of rows (${at})`, answer);
  if (saysIncomplete(answer.body)) {
    throw fail(`reported ${total} rows (${at}), and that its results are incomplete`, answer);
  }
  const { rows = 0, ended, url } = pages.save([]).page;
  const { pagination } = served.template;
  const goesOn = !ended && (url !== null || (pagination !== undefined && isKeyset(pagination)));
  const isWrong =
    ended && pages.unread === null ? total !== rows : goesOn ? total <= rows : total < rows;
  if (isWrong) {
    const more = goesOn && total === rows ? ", and others follow" : "";
    throw fail(`reported ${total} rows (${at}), and ${rows} came${more}`, answer);
  }
  return total;
}

/** What another capability answers to the same arguments. */
async function countByCapability(
  engine: RunEngine,
  site: NodeContext,
  { catalog, args, anchor, ambient }: ReadCall,
  { capability: name, field }: { readonly capability: string; readonly field: string },
  fail: (says: string) => RunFailure,
): Promise<number> {
  const capability: Capability | undefined = catalog.cgs.capabilities.get(name);
  if (capability === undefined) throw new Error(`no capability ${name}`);
  const { mayRead = () => true } = engine.context;
  if (!mayRead(catalog, capability)) throw fail(`is counted by ${name}, which is denied`);
  const own: ReadCall = { catalog, capability, args: { ...args, ...anchor }, anchor: {}, ambient };
  const row = await readOne(engine, site, own, null);
  const total = wholeNumber(row?.fields.get(field) ?? null);
  if (total === null) throw fail(`is counted by ${name}, which did not report ${field}`);
  return total;
}

/** The value at a path; none where the object says that the number is a bound, as search engines do. */
function countAt(body: Json, path: readonly string[]): Json {
  const at = followResponse(body, path) ?? null;
  const holder = isObject(at) ? at : (followResponse(body, path.slice(0, -1)) ?? null);
  const isBound = isObject(holder) && isBoundWord(holder["relation"]);
  if (isBound) return null;
  return isObject(at) ? (at["value"] ?? null) : at;
}

const isBoundWord = (relation: Json | undefined): boolean =>
  typeof relation === "string" && /^(gte?|lte?|>=?|<=?)$/.test(relation);

function headerOf({ paging }: ReadAnswer, name: string): Json {
  const found = paging.find(([header]) => header.toLowerCase() === name.toLowerCase());
  return found?.[1] ?? null;
}

/** A number of rows, which some APIs write as text. */
function wholeNumber(value: Json): number | null {
  const isDigits = typeof value === "string" && /^\d{1,15}$/.test(value.trim());
  const number = isDigits ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** The failure of a count, with how the rows themselves are counted. */
function uncounted(
  { catalog, capability }: ReadCall,
  related: string | null,
  says: string,
  answer?: ReadAnswer,
): RunFailure {
  const entity = catalog.cgs.entities.get(capability.entity);
  const column = (entity === undefined ? undefined : keyParts(entity)[0]) ?? "column";
  const form =
    related === null
      ? `name a column before the count, as in [${column}].aggregate(n=count)`
      : `count a column of them, as in count(_.${related}.${column})`;
  const advice = `count the rows that are read: ${form}; or correct count in the catalog`;
  const request = answer === undefined ? {} : { request: answer.request };
  return new RunFailure(failure("decode", `${capability.name} ${says}.`, advice, request));
}

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
