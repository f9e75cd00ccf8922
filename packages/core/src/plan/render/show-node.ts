import { capabilityLabel } from "../../model/lookups.ts";
import { isPath } from "../algebra.ts";
import { most } from "../bill/make-bill.ts";
import { isPair, type PairNode } from "../pairs.ts";
import type {
  ComputeOp,
  Figure,
  ForEachBody,
  JoinNode,
  NodeBill,
  Plan,
  PlanAgg,
  PlanColumn,
  PlanNode,
  RelationNode,
} from "../ir.ts";
import { showConditions, showKey, showNamed, showValue, type ValueStyle } from "./show-value.ts";

/** One line of a dry run: `ID KIND WHAT [← IDS][ · NOTE]*` (PLAN-040). */
export function showNode(plan: Plan, node: PlanNode, style: ValueStyle): string {
  const inputs = plan.edges.filter(({ to }) => to === node.id).map(({ from }) => from);
  const from = inputs.length === 0 ? "" : ` ← ${inputs.join(", ")}`;
  const head = [node.id, ...kindAndWhat(plan, node, style)].join(" ");
  return [head + from, ...notes(plan, node, style)].join(" · ");
}

function kindAndWhat(plan: Plan, node: PlanNode, style: ValueStyle): readonly string[] {
  switch (node.kind) {
    case "query":
    case "search":
      return [node.kind, entityText(node), callText(node, node.args, style)];
    case "get":
      return [node.kind, entityText(node), callText(node, { ...node.key, ...node.args }, style)];
    case "relation":
      return [node.kind, ...relationText(node, boundTo(plan, node), style)];
    case "join":
      return node.totals === undefined
        ? [node.kind, node.path.join("."), ...joinText(node, boundTo(plan, node), style)]
        : totalsText(node, node.totals, boundTo(plan, node), style);
    case "compute":
      return [operationText(node.op, style)];
    case "data":
      return [node.kind, showValue(node.value, style)];
    case "derive": {
      const columns = node.columns.map(
        ([name, value]) => `${showKey(name)}=${showValue(value, style)}`,
      );
      return [node.kind, columns.join(", ")];
    }
    case "create":
    case "update":
    case "delete":
    case "action":
    case "for_each":
      return [node.kind];
  }
}

/** What the request carries beside the arguments of its node: `shop=_`, or `code=_.shop_code`. */
function boundTo(plan: Plan, { id }: PlanNode): Bound {
  return plan.summary.nodes[id]?.bound ?? {};
}

type Named = Readonly<Record<string, Parameters<typeof showValue>[0]>>;

/** Texts of arguments that nobody wrote. */
type Bound = Readonly<Record<string, string>>;

interface Called {
  readonly catalog: { readonly entry_id: string; readonly entity: string };
  readonly capability: string | null;
}

function entityText({ catalog }: Called): string {
  return `${catalog.entry_id}.${catalog.entity}`;
}

function callText(
  { catalog, capability }: Called,
  args: Named,
  style: ValueStyle,
  bound: Bound = {},
): string {
  const label = capabilityLabel(capability ?? "", catalog.entity);
  const unwritten = Object.entries(bound).map(([name, text]) => `${name}=${text}`);
  return `${label}(${[...unwritten, ...showNamed(args, style)].join(", ")})`;
}

/** `quay.Boat(id=b1).visits query(boat=_)`, where `_` is the row it is followed from; the capability is left out where rows are in hand. */
function relationText(node: RelationNode, bound: Bound, style: ValueStyle): readonly string[] {
  const anchor = node.anchor === undefined ? "" : `(${showNamed(node.anchor, style).join(", ")})`;
  const step = `${node.catalog.entry_id}.${node.owner}${anchor}.${node.relation}`;
  return node.capability === null ? [step] : [step, callText(node, node.args, style, bound)];
}

/** The call of a join that is bound to other fields than its path says. */
function joinText(node: JoinNode, bound: Bound, style: ValueStyle): readonly string[] {
  const isShown = node.capability !== null && Object.keys(bound).length > 0;
  return isShown ? [callText(node, node.args, style, bound)] : [];
}

/** `total quay.Boat.visits count(visits) by query(boat=_) of fee > 3`: a read per row. */
function totalsText(
  node: JoinNode,
  { owner, filter, asked }: NonNullable<JoinNode["totals"]>,
  bound: Bound,
  style: ValueStyle,
): readonly string[] {
  const step = `${node.catalog.entry_id}.${owner}.${node.as}`;
  const conditions = filter === null ? [] : [`of ${showConditions(filter, style).join(", ")}`];
  const by = node.capability === null ? [] : [callText(node, node.args, style, bound)];
  return ["total", step, ...by, asked.map(({ as }) => as).join(", "), ...conditions];
}

function operationText(op: ComputeOp, style: ValueStyle): string {
  if ("filter" in op) return `filter ${showConditions(op.filter, style).join(", ")}`;
  if ("sort" in op) {
    const keys = op.sort.map(({ path, desc }) => columnText(path, style) + (desc ? " desc" : ""));
    const first = op.first === undefined ? "" : `, the first ${op.first} as the API sorts`;
    return `sort ${keys.join(", ")}${first}`;
  }
  if ("limit" in op) return `limit ${op.limit}`;
  if ("singleton" in op) return "singleton";
  if ("distinct" in op) {
    const columns = columnsText(op.distinct, style);
    return op.keep === undefined
      ? `distinct ${columns}`.trimEnd()
      : `limit ${op.keep} per ${columns}`;
  }
  if ("project" in op) return `project ${pathsText(op.project)}`;
  if ("aggregate" in op)
    return `aggregate ${op.aggregate.map((agg) => aggText(agg, style)).join(", ")}`;
  if ("group_by" in op) {
    const { keys, aggs } = op.group_by;
    const by = keys.map((key) =>
      "as" in key ? `${key.as}=${showValue(key.value, style)}` : key.join("."),
    );
    return `group_by ${[...by, ...aggs.map((agg) => aggText(agg, style))].join(", ")}`;
  }
  if ("pair" in op) {
    const { as, keys, left } = op.pair;
    const pairs = keys.map(
      (key) => `${columnText(key.left, style)}=${columnText(key.right, style)}`,
    );
    return `${left ? "left_join" : "join"} ${as} ${pairs.join(", ")}`;
  }
  return "render";
}

function pathsText(paths: readonly (readonly string[])[]): string {
  return paths.map((path) => path.join(".")).join(", ");
}

function columnText(column: PlanColumn, style: ValueStyle): string {
  return isPath(column) ? column.join(".") : showValue(column, style);
}

function columnsText(columns: readonly PlanColumn[], style: ValueStyle): string {
  return columns.map((column) => columnText(column, style)).join(", ");
}

function aggText({ as, fn, path }: PlanAgg, style: ValueStyle): string {
  return `${as}=${fn}${path === null ? "" : `(${columnText(path, style)})`}`;
}

/** Of a list whose rows are not read. */
const COUNTED = "the API counts";

/** The list that gives several rows at once. */
const batchNote = ({ batch, catalog }: RelationNode | JoinNode): readonly string[] =>
  batch === undefined ? [] : [`several at once by ${capabilityLabel(batch, catalog.entity)}`];

function notes(plan: Plan, node: PlanNode, style: ValueStyle): readonly string[] {
  const bill = plan.summary.bill.nodes[node.id] ?? NO_BILL;
  switch (node.kind) {
    case "query":
    case "search":
    case "relation": {
      if (node.count === true) return [COUNTED];
      const local = showConditions(node.filter, style).map((text) => `${text} local`);
      const together = node.kind === "relation" ? batchNote(node) : [];
      return [...local, ...rowsNote(bill.rows), ...together, ...costNotes(plan, node, bill)];
    }
    case "compute":
      if (isPair(node)) return [...sidesNote(plan, node), ...rowsNote(bill.rows)];
      return "limit" in node.op ? rowsNote(bill.rows) : [];
    case "create":
    case "update":
    case "delete":
    case "action":
      return [
        effectNote(plan, node, node, style),
        ...emptiesNote(plan, node),
        ...undoNote(plan, node),
        ...requestsNote(bill.requests),
      ];
    case "for_each": {
      const reads = node.effect_class === "read";
      const what = reads
        ? effectText(node.body, {}, style)
        : effectNote(plan, node, node.body, style);
      const filter = "filter" in node.body ? node.body.filter : null;
      const local = showConditions(filter, style).map((text) => `${text} local`);
      return [
        what,
        ...emptiesNote(plan, node),
        ...undoNote(plan, node),
        ...local,
        ...requestsNote(bill.requests),
      ];
    }
    case "get":
      return requestsNote(bill.requests);
    case "join":
      return [
        ...(node.totals?.count === true ? [COUNTED] : []),
        ...batchNote(node),
        ...requestsNote(bill.requests),
        ...(bill.parents === undefined ? [] : [parentsNote(node.source, node.path[0], bill)]),
      ];
    case "data":
    case "derive":
      return [];
  }
}

const NO_BILL: NodeBill = { requests: { exact: 0 }, rows: { unknown: "" } };

/** How many rows each side has, as far as that is known. */
function sidesNote(plan: Plan, node: PairNode): readonly string[] {
  const rowsText = (id: string): string => {
    const rows = plan.summary.bill.nodes[id]?.rows ?? NO_BILL.rows;
    const count = most(rows);
    return count === null ? `rows of ${id}` : `${"exact" in rows ? "" : "≤"}${count} of ${id}`;
  };
  return [`${rowsText(node.source)} with ${rowsText(node.op.pair.with)}`];
}

function rowsNote(rows: Figure): readonly string[] {
  return "max" in rows ? [`≤${rows.max} rows`] : [];
}

/** Pages or requests that are more than one or not known, and the gets that complete rows. */
function costNotes(plan: Plan, node: PlanNode, bill: NodeBill): readonly string[] {
  const { requests, pages, hydration } = bill;
  const isList = node.kind !== "relation" || node.anchor !== undefined;
  // A view may send more than pages of lists.
  const pagesAlone = hydration !== undefined || pages === undefined || same(pages, requests);
  const isInHand = node.kind === "relation" && node.capability === null;
  const isCounted = hydration === undefined && (bill.parents === undefined || !isInHand);
  const cost = [
    ...(isList && pagesAlone
      ? pagesNote(plan, pages ?? requests)
      : isCounted
        ? requestsNote(requests)
        : []),
  ];
  if (node.kind === "relation" && bill.parents !== undefined)
    cost.push(parentsNote(node.source, node.relation, bill));
  if (hydration === undefined) return cost;
  return [...cost, hydration === "certain" ? "a get per row" : "a get per row that lacks fields"];
}

/** The gets that are asked for the rows that a relation or join is followed from. */
function parentsNote(source = "", name = "", { parents }: NodeBill): string {
  const rows = `a get per row of ${source}`;
  return parents === "certain" ? rows : `${rows} that lacks ${name}`;
}

function same(a: Figure, b: Figure): boolean {
  return most(a) === most(b);
}

function pagesNote(plan: Plan, pages: Figure): readonly string[] {
  const count = most(pages);
  if (count === null) {
    const byPage = "unknown" in pages && pages.unknown.startsWith("pages");
    return byPage ? [`pages unknown, ≤${plan.summary.budgets.pages}`] : requestsNote(pages);
  }
  return count <= 1 ? [] : [`${"exact" in pages ? "" : "≤"}${count} pages`];
}

function requestsNote(requests: Figure): readonly string[] {
  if ("unknown" in requests) return [`requests unknown, ${requests.unknown}`];
  const count = most(requests) ?? 0;
  if ("exact" in requests && count <= 1) return [];
  return [`${"exact" in requests ? "" : "≤"}${count} requests`];
}

/** What takes the effect back, or that nothing does; nothing where its catalog does not say (UNDO-02). */
function undoNote(plan: Plan, { id }: PlanNode): readonly string[] {
  const undo = plan.summary.effects.find(({ node }) => node === id)?.undo;
  if (undo === undefined) return [];
  return [undo === "none" ? "no undo" : `undo by ${undo}`];
}

/** Fields that are named one by one. */
const SHOWN = 5;

/** What a PUT may empty, since it is not sent (PLAN-042). */
function emptiesNote(plan: Plan, { id }: PlanNode): readonly string[] {
  const names = plan.summary.effects.find(({ node }) => node === id)?.empties ?? [];
  if (names.length === 0) return [];
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  return [`may empty ${names.slice(0, SHOWN).join(", ")}${more}, not sent`];
}

/** The effect, and what is read before it (RUN-104). */
function effectNote(
  plan: Plan,
  node: PlanNode,
  body: ForEachBody | PlanNode,
  style: ValueStyle,
): string {
  const reads = plan.summary.effects.find((each) => each.node === node.id)?.reads ?? [];
  const after = reads.length === 0 ? "" : ` after reading ${reads.join(", ")}`;
  return `effect ${effectText(body, boundTo(plan, node), { ...style, quoteAll: true })}${after}`;
}

/** `quay.Boat(_.id).send(note=_.name, to="harbour")` */
function effectText(body: ForEachBody | PlanNode, bound: Bound, style: ValueStyle): string {
  if (!("catalog" in body) || !("args" in body)) return "";
  const keys = targetOf(body);
  const values = Object.entries(keys);
  const target =
    values.length === 0
      ? ""
      : values.length === 1
        ? `(${values.map(([, value]) => showValue(value, style)).join("")})`
        : `(${showNamed(keys, style).join(", ")})`;
  return `${entityText(body)}${target}.${callText(body, body.args, style, bound)}`;
}

function targetOf(body: ForEachBody | PlanNode): Named {
  if ("target" in body) return body.target;
  return "key" in body ? body.key : {};
}
