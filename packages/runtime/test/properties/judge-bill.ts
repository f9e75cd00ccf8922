import assert from "node:assert/strict";
import type { Catalog, Plan, PlanNode } from "@plasm/core";
import type { HttpTemplate } from "@plasm/core/internal";
import type { Received } from "@plasm/testkit/servers";
import type { RunOutcome } from "../../src/run/run-types.ts";
import type { SentRequest } from "../../src/ports.ts";

type Figure = Plan["summary"]["bill"]["requests"];

/** What a figure allows: from `least` to `most`. */
interface Bounds {
  readonly least: number;
  readonly most: number;
}

function boundsOf(figure: Figure | undefined): Bounds {
  if (figure === undefined) return { least: 0, most: 0 };
  if ("exact" in figure) return { least: figure.exact, most: figure.exact };
  return { least: 0, most: "max" in figure ? figure.max : Infinity };
}

const LISTS = /^\/(boats|people|search\/boats|owners\/[^/]+\/boats|boats\/[^/]+\/visits)$/;

const isPage = ({ method, path }: Received): boolean => method === "GET" && LISTS.test(path);
const isLater = ({ query }: Received): boolean =>
  !["0", null].includes(query.get("offset")) || !["1", null].includes(query.get("page"));

/** A run that did not succeed may have stopped anywhere: it sends no more than is billed. */
export function judge(
  catalog: Catalog,
  plan: Plan,
  outcome: RunOutcome,
  received: readonly Received[],
): void {
  const { bill } = plan.summary;
  const ended = outcome.status === "succeeded";
  const within = (what: string, sent: number, { least, most }: Bounds): void => {
    assert(sent <= most && (!ended || sent >= least), said(what, sent, { least, most }, plan));
  };
  // What the server counts is what the run tells of.
  assert.equal(outcome.requests.length, received.length);
  const possible = (at: PlanNode): number => {
    const node = bill.nodes[at.id];
    return node?.hydration === "possible" ? boundsOf(node.rows).most : 0;
  };
  let certain = 0;
  const homeOf = homesOf(plan, catalog);
  for (const node of plan.nodes) {
    const sent = outcome.requests.filter((request) => homeOf(request) === node.id);
    const billed = bill.nodes[node.id];
    const { least, most } = boundsOf(billed?.requests);
    certain += least;
    within(`requests of ${node.id}`, sent.length, { least, most: most + possible(node) });
    within(`pages of ${node.id}`, sent.filter(isListed).length, boundsOf(billed?.pages));
    for (const { rows } of outcome.results.filter((result) => result.node === node.id))
      within(`rows of ${node.id}`, rows.length, boundsOf(billed?.rows));
    judgeHydration(node, billed?.hydration, sent, plan);
  }
  const total = boundsOf(bill.requests);
  const more = plan.nodes.reduce((sum, node) => sum + possible(node), 0);
  within("requests", received.length, {
    least: Math.max(total.least, certain),
    most: total.most + more,
  });
  within("pages", received.filter(isPage).length, boundsOf(bill.pages));
  within(
    "effects",
    received.filter(({ method }) => method !== "GET").length,
    boundsOf(bill.effects),
  );
  const fanned = fanOut(plan, outcome, received, homeOf);
  if (fanned !== null) within("fan-out", fanned, boundsOf(bill.fan_out));
}

/**
 * The node whose bill has a request. A step that computes, or follows a reference, asks for what its rows
 * lack; these gets are billed where the rows come from.
 */
function homesOf(plan: Plan, catalog: Catalog): (request: SentRequest) => string {
  const byId = new Map(plan.nodes.map((node) => [node.id, node]));
  return ({ node: id, pathTemplate }) => {
    let at = byId.get(id);
    while (at !== undefined && !isBilled(plan, catalog, at, pathTemplate)) {
      at = "source" in at && at.source !== undefined ? byId.get(at.source) : undefined;
    }
    return at?.id ?? id;
  };
}

function isBilled({ summary }: Plan, catalog: Catalog, node: PlanNode, path: string): boolean {
  if (summary.bill.nodes[node.id]?.hydration !== undefined) return true;
  const called = node.kind === "for_each" ? node.body : node;
  if (!("catalog" in called) || called.capability === null) return false;
  const template = catalog.cml.get(called.capability);
  if (template?.transport !== "http") return true;
  return pathOf(template) === path;
}

/** A path as requests that were sent tell of it: `/boats/{id}`. */
const pathOf = ({ path }: HttpTemplate): string =>
  `/${path.map((part) => (part.type === "literal" ? part.value : `{${part.name}}`)).join("/")}`;

const PAGED = /^\/(boats|people|search\/boats|owners\/\{\w+\}\/boats|boats\/\{\w+\}\/visits)$/;
const isListed = ({ method, pathTemplate }: SentRequest): boolean =>
  method === "GET" && PAGED.test(pathTemplate);

const said = (what: string, sent: number, { least, most }: Bounds, plan: Plan): string =>
  `${what}: ${sent}, billed ${least} to ${most}\n${JSON.stringify(plan.summary.bill)}\n${JSON.stringify(plan.nodes)}`;

/** Lists whose rows are complete ask for no row; gets that complete rows are at most those billed. */
function judgeHydration(
  node: PlanNode,
  kind: string | undefined,
  sent: readonly SentRequest[],
  plan: Plan,
): void {
  if (node.kind !== "query" && node.kind !== "search") return;
  const gets = sent.filter((request) => !isListed(request)).length;
  const { certain, possible } = plan.summary.bill.hydration;
  const most = kind === "certain" ? certain : kind === "possible" ? possible : 0;
  if (!isView(node))
    assert(gets <= most, said(`gets of rows of ${node.id}`, gets, { least: 0, most }, plan));
}

const isView = (called: object): boolean =>
  "capability" in called && /^(digest|stats)_/.test(String(called.capability));

/**
 * How often nodes asked that ask per row or value: the first pages of lists, gets and effects; null where
 * that cannot be told, as others read the same list, or views and gets of rows are among the requests.
 */
function fanOut(
  plan: Plan,
  { requests }: RunOutcome,
  received: readonly Received[],
  homeOf: (request: SentRequest) => string,
): number | null {
  const fans = plan.nodes.filter((node) => fansOut(node));
  if (fans.some((node) => isHydrated(plan, node) || isViewed(node))) return null;
  const ids = new Set(fans.map(({ id }) => id));
  const own = requests.filter((request) => ids.has(homeOf(request)));
  const others = requests.filter((request) => isListed(request) && !own.includes(request));
  const lists = fans.some(({ id }) => plan.summary.bill.nodes[id]?.pages !== undefined);
  if (lists && others.length > 0) return null;
  const later = received.filter((each) => isPage(each) && isLater(each)).length;
  return lists ? own.length - later : own.length;
}

const isHydrated = ({ summary }: Plan, { id }: PlanNode): boolean =>
  summary.bill.nodes[id]?.hydration !== undefined;
const isViewed = (node: PlanNode): boolean => isView(node.kind === "for_each" ? node.body : node);

function fansOut(node: PlanNode): boolean {
  if (node.kind === "for_each") return true;
  return (node.kind === "relation" && node.source !== undefined) || node.kind === "join";
}
