/**
 * What a program asks the API for, where that follows from the data alone: the pages of lists as far as they are
 * read to their end, rows by key, lists of a row's own. Null where it depends on what a plan may choose: fields
 * that lists leave out, rows behind references, lists that end early.
 */
import { answerRequest } from "./answer-request.ts";
import { canonical } from "./compare-cells.ts";
import { type Run, startRun, evaluateNode } from "./evaluate.ts";
import { evaluateStep } from "./evaluate-steps.ts";
import type { Asked } from "./exchange.ts";
import {
  capabilitiesOf,
  type Capability,
  type Cell,
  entityOf,
  type Entity,
  fieldOf,
  isList,
  keyedGet,
  type ListCapability,
  type Paging,
  type Row,
  type Segment,
  type World,
} from "./model.ts";
import type { Condition, Node, Path, Program, Source, Step } from "./program.ts";
import { keyText, referenceTo, type State } from "./state.ts";
import type { Table } from "./table.ts";

/** A request in one form, whoever wrote it: method, decoded path, sorted query, canonical body. */
export function requestText(method: string, path: string, query: URLSearchParams, body: string) {
  const parts = path.split("/").map((part) => JSON.stringify(decodeURIComponent(part)));
  const sorted = [...query].map(([name, value]) => `${name}=${value}`).toSorted();
  const sent = body === "" || body === "{}" ? "" : ` ${canonical(JSON.parse(body) as Cell)}`;
  return `${method} ${parts.join("/")}?${sorted.join("&")}${sent}`;
}

type Vars = Readonly<Record<string, string>>;

const MOST_PAGES = 40;

/** The path of a capability with its variables. */
const filled = (path: readonly Segment[], vars: Vars): string =>
  path
    .map((part) => ("literal" in part ? part.literal : encodeURIComponent(vars[part.name] ?? "")))
    .map((part) => `/${part}`)
    .join("");

/** What the first page's request says besides conditions. */
function firstPage(paging: Paging): Readonly<Record<string, string>> {
  switch (paging.kind) {
    case "page":
      return { page: String(paging.first) };
    case "offset":
      return {
        offset: "0",
        ...(paging.fixed === null ? {} : { [paging.fixed]: String(paging.size) }),
      };
    case "link":
    case "next_url":
      return { per_page: String(paging.size) };
    default:
      return {};
  }
}

interface Listed {
  readonly json: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const at = (json: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, step) =>
      typeof inner === "object" && inner !== null && step in inner
        ? (inner as Record<string, unknown>)[step]
        : null,
    json,
  );

function rowsIn({ container }: ListCapability, { json }: Listed): number {
  const rows = container.kind === "bare" ? json : at(json, container.path);
  return Array.isArray(rows) ? rows.length : Object.keys(rows as object).length;
}

/** What is asked after a page, or null at the end. */
function following(list: ListCapability, asked: Asked, page: Listed): Partial<Asked> | null {
  const { paging } = list;
  const rows = rowsIn(list, page);
  const query = new URLSearchParams(asked.query);
  const counted = (name: string, by: number): Partial<Asked> | null => {
    // Without a size of its own a list ends with a page that has no row.
    const isKnown = paging.kind === "offset" && paging.fixed !== null;
    if (rows === 0 || (isKnown && rows < paging.size)) return null;
    query.set(name, String(Number(query.get(name)) + by));
    return { query };
  };
  const addressed = (text: unknown): Partial<Asked> | null =>
    typeof text === "string" ? { query: new URL(text).searchParams } : null;
  switch (paging.kind) {
    case "page":
      return counted("page", 1);
    case "offset":
      return counted("offset", rows);
    case "cursor": {
      const where = paging.deep ? ["paging"] : [];
      const next = at(page.json, [...where, "next_cursor"]);
      if (typeof next !== "string" || next === "") return null;
      query.set("cursor", next);
      return { query };
    }
    case "body_cursor": {
      const next = at(page.json, ["paging", "next_cursor"]);
      if (typeof next !== "string") return null;
      return { body: { ...asked.body, page: { first: paging.size, after: next } } };
    }
    case "link":
      return addressed(/<([^>]*)>/.exec(page.headers["link"] ?? "")?.[1]);
    case "next_url":
      return addressed(at(page.json, ["next"]));
    default:
      return null;
  }
}

/** All requests of a list that is read to its end, with these values of its parameters. */
function pagesOf(state: State, list: ListCapability, given: Vars): readonly string[] {
  const inQuery = list.params.filter(({ place, name }) => place === "query" && name in given);
  const inBody = list.params.filter(({ place, name }) => place === "body" && name in given);
  if (inBody.length > 0) throw new Error("bodies are not predicted with values");
  const isPost = list.paging.kind === "body_cursor";
  const query = new URLSearchParams({
    ...Object.fromEntries(inQuery.map(({ name }) => [name, given[name] ?? ""])),
    ...firstPage(list.paging),
  });
  const body = isPost && "size" in list.paging ? { page: { first: list.paging.size } } : {};
  const path = filled(list.path, given);
  let asked: Asked | null = { method: list.method, path, query, body, base: "http://world" };
  const lines: string[] = [];
  while (asked !== null && lines.length < MOST_PAGES) {
    const sent = isPost ? JSON.stringify(asked.body) : "";
    lines.push(requestText(asked.method, asked.path, asked.query, sent));
    const { json, headers } = answerRequest(state, asked);
    const next: Partial<Asked> | null = following(list, asked, { json, headers });
    asked = next === null ? null : { ...asked, ...next };
  }
  return lines;
}

/** Thrown where a plan may ask in more than one way. */
class Unpredictable extends Error {}

const unless = (isSure: boolean): void => {
  if (!isSure) throw new Unpredictable();
};

/** A column that lists show themselves. */
function isShown(entity: Entity | null, [first = "", ...rest]: Path): boolean {
  if (entity === null) return true;
  const field = entity.fields.find(({ name }) => name === first);
  if (field === undefined) return rest.length === 0;
  return !field.detail && !entity.leavesNullsOut && (field.type !== "ref" || rest.length === 0);
}

/** Checks that conditions are tested on rows in hand, and send nothing of themselves. */
function testedHere(world: World, entity: Entity | null, items: readonly Condition[]): void {
  const sent =
    entity === null
      ? []
      : capabilitiesOf(world, entity.name).flatMap(({ params }) => params.map(({ name }) => name));
  for (const item of items) {
    if ("items" in item) testedHere(world, entity, item.items);
    else {
      unless(item.kind !== "param");
      if (item.kind === "param") return;
      const [first = ""] = item.path;
      unless(isShown(entity, item.path) && !sent.includes(first));
      unless(entity === null || !entity.key.includes(first));
      if (item.kind === "compare") unless(item.value.kind === "literal");
      if (item.kind === "in") unless(item.values.every(({ kind }) => kind === "literal"));
    }
  }
}

/** The requests of a list with conditions: those on its own parameters are sent, others are tested here. */
function listRequests(run: Run, source: Extract<Source, { kind: "list" | "search" }>) {
  const { state } = run;
  const entity = entityOf(state.world, source.entity);
  const lists = capabilitiesOf(state.world, entity.name).filter(isList);
  const list = lists.find(
    ({ kind, shows, params }) =>
      shows === null &&
      kind === (source.kind === "list" ? "query" : "search") &&
      params.every(({ required, role }) => !required || role === "search"),
  );
  if (list === undefined) throw new Unpredictable();
  const given: Record<string, string> = {};
  if (source.kind === "search") given[list.params[0]?.name ?? ""] = source.words;
  const rest: Condition[] = [];
  for (const item of source.items) {
    const name = item.kind === "param" ? item.param : "path" in item ? item.path.join(".") : "";
    const param = list.params.find((each) => each.name === name && each.place === "query");
    const value = item.kind === "param" || item.kind === "compare" ? item.value : null;
    const isSent =
      param !== undefined &&
      (item.kind === "param" || (item.kind === "compare" && item.op === "="));
    if (!isSent || value?.kind !== "literal") {
      rest.push(item);
      continue;
    }
    unless(!(name in given) && !entity.key.includes(name));
    given[name] = param.type === "ref" ? keyText(value.value) : String(value.value as string);
  }
  testedHere(state.world, entity, rest);
  // Where other lists take what is asked, too, one of them may be read.
  unless(
    Object.keys(given).length === 0 || lists.filter(({ kind }) => kind === "query").length === 1,
  );
  return pagesOf(state, list, given);
}

const varsOf = ({ path }: Capability, entity: Entity, row: Row): Vars => {
  const names = path.flatMap((part) => ("name" in part ? [part.name] : []));
  const own = referenceTo(entity, row);
  const part = (name: string): string =>
    keyText(entity.key.length === 1 ? own : (row.cells[name] ?? null));
  return Object.fromEntries(names.map((name) => [name, part(name)]));
};

/** One request for each row of a relation's own list, to its end. */
function followRequests(run: Run, table: Table, step: Extract<Step, { kind: "follow" }>) {
  const { world } = run.state;
  const { entity } = table;
  const relation = entity?.relations.find(({ name }) => name === step.name);
  if (entity === null || relation === undefined) throw new Unpredictable();
  // Of rows that are kept back nothing can be asked.
  unless(table.certain === "exact");
  const target = entityOf(world, relation.target);
  testedHere(world, target, step.items);
  const { via } = relation;
  if (via.kind === "from_parent_get") {
    unless(via.inLists && table.whole);
    return [];
  }
  if (via.kind !== "query_scoped" && via.kind !== "query_scoped_bindings")
    throw new Unpredictable();
  const list = world.capabilities.find(({ name }) => name === via.capability);
  if (list === undefined || !isList(list)) throw new Unpredictable();
  unless(list.paging.kind !== "body_cursor" && list.method === "GET");
  return table.items.flatMap(({ row }) => {
    if (row === null) throw new Unpredictable();
    if (via.kind === "query_scoped") {
      const own = { [via.param]: keyText(referenceTo(entity, row)), ...varsOf(list, entity, row) };
      return pagesOf(run.state, list, own);
    }
    const field = fieldOf(entity, via.field);
    unless(isShown(entity, [field.name]) && field.type !== "json");
    const value = row.cells[via.field] ?? null;
    return pagesOf(run.state, list, { [via.param]: keyText(value) });
  });
}

const SCANS: readonly string[] = ["sort", "distinct", "aggregate", "group_by"];

type Chain = Extract<Node, { kind: "chain" }>;

/**
 * How far the lists of a chain are read: to their end where a step over all rows stands behind the last of them and
 * none that is content with fewer; one page, where nothing but columns is chosen of one list; else nobody knows.
 */
function extentOf({ source, steps, tail }: Chain): "all" | "page" {
  const last = steps.findLastIndex(({ kind }) => kind === "follow");
  const isEnough = steps.some(({ kind }) => kind === "limit" || kind === "singleton");
  const isScanned = steps.slice(last + 1).some(({ kind }) => SCANS.includes(kind));
  if ((isScanned || tail !== null) && !isEnough) return "all";
  const isPlain = source.kind === "named" || (source.kind === "list" && source.items.length === 0);
  unless(last < 0 && isPlain && steps.every(({ kind }) => kind === "project"));
  return "page";
}

function stepRequests(run: Run, table: Table, step: Step): readonly string[] {
  const { world } = run.state;
  const shown = (paths: readonly Path[]): readonly string[] => {
    unless(paths.every((path) => !table.whole || isShown(table.entity, path)));
    return [];
  };
  switch (step.kind) {
    case "filter":
      testedHere(world, table.entity, step.items);
      return [];
    case "sort":
      return shown(step.by.map(({ path }) => path));
    case "distinct":
    case "project":
      return shown(step.paths);
    case "group_by":
      shown(step.paths);
      return shown(step.aggregates.flatMap(({ path }) => (path === null ? [] : [path])));
    case "aggregate":
      return shown(step.aggregates.flatMap(({ path }) => (path === null ? [] : [path])));
    case "follow":
      return followRequests(run, table, step);
    case "page_size":
      return [];
    default:
      throw new Unpredictable();
  }
}

function sourceRequests(run: Run, source: Source): readonly string[] {
  const { state } = run;
  switch (source.kind) {
    case "label":
      return [];
    case "get": {
      const get = keyedGet(state.world, source.entity);
      const entity = entityOf(state.world, source.entity);
      const table = evaluateNode(run, { kind: "chain", source, steps: [], tail: null });
      const row = table.items[0]?.row ?? null;
      if (get === null || row === null) throw new Unpredictable();
      unless(source.key.every(([, value]) => value.kind === "literal"));
      return [
        requestText("GET", filled(get.path, varsOf(get, entity, row)), new URLSearchParams(), ""),
      ];
    }
    case "viewer":
    case "named": {
      const read = capabilitiesOf(state.world, source.entity).find(
        ({ label }) => label === source.label,
      );
      if (read === undefined) throw new Unpredictable();
      if (isList(read)) return pagesOf(state, read, {});
      return [requestText("GET", filled(read.path, {}), new URLSearchParams(), "")];
    }
    default:
      return listRequests(run, source);
  }
}

/** Whether steps on one row leave a column that its key does not tell, so that the row is read. */
function isRead({ fields, key }: Entity, { steps }: Chain): boolean {
  const names = fields.map(({ name }) => name);
  return steps.every((step) => {
    if (step.kind === "project") {
      const own = step.paths.every(
        ([first = "", ...rest]) => names.includes(first) && rest.length === 0,
      );
      return own && step.paths.some(([first = ""]) => !key.includes(first));
    }
    return step.kind === "limit" || step.kind === "page_size" || step.kind === "singleton";
  });
}

/** The paths that stand behind rows, in what is made of them. */
function tailPaths({ tail }: Chain): readonly Path[] {
  if (tail === null) return [];
  if (tail.kind === "template") return tail.paths;
  if (tail.kind !== "derive") throw new Unpredictable();
  return tail.entries.map(([, value]) => {
    if (value.kind !== "cell" || value.of !== "_") throw new Unpredictable();
    return value.path;
  });
}

function nodeRequests(run: Run, node: Node): readonly string[] {
  if (node.kind === "call") throw new Unpredictable();
  const { source, steps, tail } = node;
  if (source.kind === "label") {
    // How far a label is read depends on all that use it.
    unless(steps.length === 0 && tail === null);
    return [];
  }
  if (source.kind === "get" || source.kind === "viewer") {
    const entity = entityOf(run.state.world, source.entity);
    // What the answer to a viewer leaves out may be null, or be in the row's own get.
    const isFull = source.kind === "get" || !entity.leavesNullsOut;
    unless(isFull && tail === null && isRead(entity, node));
    return sourceRequests(run, source);
  }
  const isWhole = extentOf(node) === "all";
  const read = sourceRequests(run, source);
  const lines = isWhole ? [...read] : read.slice(0, 1);
  let table = evaluateNode(run, { kind: "chain", source, steps: [], tail: null });
  for (const step of steps) {
    lines.push(...stepRequests(run, table, step));
    table = evaluateStep(run, table, step);
  }
  const behind = tailPaths(node);
  unless(behind.every((path) => !table.whole || isShown(table.entity, path)));
  return lines;
}

/** The requests of a program that only reads, each once, or null. */
export function predictRequests(world: World, program: Program): readonly string[] | null {
  const run = startRun(world);
  const lines = new Set<string>();
  try {
    for (const { label, node } of program.statements) {
      for (const line of nodeRequests(run, node)) lines.add(line);
      if (label !== null) run.labels.set(label, evaluateNode(run, node));
    }
  } catch (thrown) {
    if (thrown instanceof Unpredictable) return null;
    throw thrown;
  }
  return [...lines];
}
