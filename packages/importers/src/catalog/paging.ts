import type { AnswerRows } from "../document/answer.ts";
import type { Operation, Parameter } from "../document/operation.ts";
import { type RecordShape, shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, memberOf, textOf } from "../json.ts";
import { folded } from "../names/words.ts";
import { CURSORS, cursorAmong, holdsAddress, nextAddress } from "./next-page.ts";
import {
  findCounters,
  sizeSent,
  isCount,
  offsetCounter,
  pageCounter,
  saidPage,
  wholeIn,
} from "./page-counters.ts";

/** How a list goes on, as a mapping says it, and the parameters that are taken by that. */
export interface Paging {
  readonly pagination: Readonly<Record<string, unknown>>;
  readonly used: ReadonlySet<string>;
  /** where these parameters stand; in the query unless said */
  readonly where?: "body";
}

/** Words for how many rows an answer has, and for what rows may be like. */
const MAYBE_SIZES = new Set(["size", "count", "take", "limit"]);
/** Said of what is called `max`, which may be that of anything. */
const SAYS_MOST =
  /\b(?:number|amount|how many|maximum|max|limits?|return(?:s|ed)?)\b[^.]{0,60}\b(?:results|items|entries|records|rows|elements|objects|hits)\b/i;
const SAYS_SIZE =
  /\b(?:how many|number of|amount of|maximum|max|at most|limit(?:s|ed)?|per page|page size|results|items|entries|elements|records|rows)\b/i;

/**
 * A list that has no pages, and says how many rows its answer has: it may be cut there (RUN-201). Null where none does,
 * or may mean something else.
 */
function sizedPaging(query: readonly Parameter[], rows: AnswerRows): Paging | null {
  const { page, offset, size: named } = findCounters(query);
  const most = query.find((one) => isCount(one) && folded(one.name) === "max");
  const size = named ?? (SAYS_MOST.test(most?.description ?? "") ? most : undefined);
  if (page !== undefined || offset !== undefined || size === undefined) return null;
  const { name, schema, description = "" } = size;
  const isSure = !MAYBE_SIZES.has(folded(name)) || SAYS_SIZE.test(description);
  const isLimit = folded(name) === "limit" && description === "";
  const columns = [...rows.record.properties.keys()].map(folded);
  if (columns.includes(folded(name)) || !(isSure || isLimit)) return null;
  const [usual = 0, bound = 0] = [wholeIn(schema, "default"), wholeIn(schema, "maximum")];
  const said = { ...(usual > 0 ? { usual } : {}), ...(bound > 0 ? { most: bound } : {}) };
  return { pagination: { params: { [name]: { size: said } } }, used: new Set() };
}

const usedOf = (...parameters: readonly (Parameter | undefined)[]): ReadonlySet<string> =>
  new Set(parameters.flatMap((one) => (one === undefined ? [] : [one.name])));

/** Parameters that take the id of the last row that was read. */
const AFTER_ID = /^(?:startingafter|startafter|afterid|lastid|sinceid|startafterid)$/;
/** The same in the other direction: a list is read from its beginning. */
const BEFORE_ID = /^(?:endingbefore|endbefore|beforeid|endbeforeid)$/;
const MAYBE_AFTER_ID = /^(?:after|marker|startingfrom)$/;
const SAYS_ID = /\b(?:ids?|identifiers?|last|previous page)\b/i;
const SAYS_CURSOR = /\b(?:cursor|token|date|time|timestamp|base64|opaque)\b/i;

/** Lists that go on from their last row, and the flag that ends them. */
function afterLast(query: readonly Parameter[], rows: AnswerRows): Paging | null {
  const schema = rows.record.properties.get("id");
  if (schema === undefined || shapeOf(schema).kind !== "scalar") return null;
  // What a page ends with is looked for in its elements as they came.
  if (rows.inner !== undefined) return null;
  // Where there is a way back by id, too, it is not said in which order rows come.
  const isTwoWay = query.some(({ name }) => folded(name) === "maxid");
  const parameter = query.find(({ name, description = "" }) => {
    const key = folded(name);
    if (key === "sinceid") return !isTwoWay;
    const isSaid = SAYS_ID.test(description) && !SAYS_CURSOR.test(description);
    return AFTER_ID.test(key) || (MAYBE_AFTER_ID.test(key) && isSaid);
  });
  if (parameter === undefined) return null;
  const { size } = findCounters(query);
  const more = flagIn(rows, "hasmore");
  const pagination = {
    params: { ...sizeSent(size, "by row"), [parameter.name]: { from_last: "id" } },
    ...(more === null ? {} : { stop_when: { field: more, eq: false } }),
  };
  const back = query.filter(({ name, required }) => !required && BEFORE_ID.test(folded(name)));
  return { pagination, used: usedOf(parameter, size, ...back) };
}

/** The member of an answer of this name that is true or false; null if there is none. */
function flagIn({ envelope }: AnswerRows, key: string): string | null {
  const found = [...(envelope?.properties ?? [])].find(
    ([name, schema]) => folded(name) === key && isFlag(schema),
  );
  return found?.[0] ?? null;
}

const isFlag = (schema: DocumentObject): boolean => {
  const shape = shapeOf(schema);
  return shape.kind === "scalar" && shape.type === "boolean";
};

/** How a list goes on, if its document tells it for certain; null if not. */
export function pagingOf(operation: Operation, rows: AnswerRows): Paging | null {
  return (operation.sent?.method ?? operation.method) === "GET"
    ? (pagingBy(operation.query, rows) ?? sizedPaging(operation.query, rows))
    : (pagingInBody(operation, rows) ??
        countedPaging(operation.query, rows) ??
        sizedInBody(operation, rows) ??
        sizedPaging(operation.query, rows));
}

function sizedInBody({ body }: Operation, rows: AnswerRows): Paging | null {
  const shape = body?.format === "json" ? shapeOf(body.schema) : null;
  const found = shape?.kind === "record" ? sizedPaging(memberParameters(shape), rows) : null;
  return found === null
    ? null
    : { ...found, pagination: { location: "body", ...found.pagination }, where: "body" };
}

/** Paging by parameters of the query alone: an address or a link would be asked without the body. */
function countedPaging(query: readonly Parameter[], rows: AnswerRows): Paging | null {
  const found = pagingBy(query, rows);
  return found === null || Object.hasOwn(found.pagination, "location") ? null : found;
}

/** Members of a body that hold what pages are asked by. */
const HOLDERS = /^(?:page|paging|pagination|pager|pageinfo|pageoptions|options)$/;

const memberParameters = ({ properties, required }: RecordShape): readonly Parameter[] =>
  [...properties].map(([name, schema]) => ({
    name,
    schema,
    required: required.has(name),
    description: textOf(memberOf(schema, "description")),
    style: "repeat",
    object: "json",
  }));

/** How a list goes on that is asked by a body: by its members, or by those of the one that is for pages. */
function pagingInBody({ body }: Operation, rows: AnswerRows): Paging | null {
  const shape = body?.format === "json" ? shapeOf(body.schema) : null;
  if (shape?.kind !== "record") return null;
  const found = countedPaging(memberParameters(shape), rows);
  if (found !== null) {
    const { params } = found.pagination as { readonly params: object };
    // What the API demands and paging does not send stays an argument.
    const used = [...found.used].filter(
      (name) => Object.hasOwn(params, name) || !shape.required.has(name),
    );
    const pagination = { location: "body", ...found.pagination };
    return { pagination, used: new Set(used), where: "body" };
  }
  for (const [name, schema] of shape.properties) {
    const held = HOLDERS.test(folded(name)) ? shapeOf(schema) : null;
    const inner = held?.kind === "record" ? countedPaging(memberParameters(held), rows) : null;
    if (held?.kind !== "record" || inner === null) continue;
    if ([...held.properties.keys()].some((key) => !inner.used.has(key))) continue;
    const pagination = { location: "body", body_merge_path: [name], ...inner.pagination };
    return { pagination, used: new Set([name]), where: "body" };
  }
  return null;
}

function pagingBy(query: readonly Parameter[], rows: AnswerRows): Paging | null {
  const { size, ...named } = findCounters(query);
  const isNamed = named.page !== undefined || named.offset !== undefined;
  const page = isNamed ? named.page : saidPage(query, rows);
  const { offset } = named;
  const cursors = query.filter((one) => CURSORS.test(folded(one.name)) && !isCount(one));
  const byLink = { location: "link_header", params: sizeSent(size) };
  if (rows.headers.includes("link")) {
    return { pagination: byLink, used: usedOf(page, offset, size, ...cursors) };
  }
  const found = rows.envelope === null ? null : cursorAmong(rows.envelope, query);
  if (found !== null && !holdsAddress(rows, found.path)) {
    const { parameter, path } = found;
    const params = { ...sizeSent(size), [parameter.name]: { from_response: path.join(".") } };
    const done = flagIn(rows, "done");
    const more = flagIn(rows, "istruncated") ?? flagIn(rows, "hasmore");
    const stop =
      done !== null
        ? { stop_when: { field: done, eq: true } }
        : more === null
          ? {}
          : { stop_when: { field: more, eq: false } };
    return { pagination: { params, ...stop }, used: usedOf(parameter, size) };
  }
  const isLonely = page === undefined && offset === undefined && cursors.length === 0;
  const next = rows.envelope === null ? null : nextAddress(rows.envelope, isLonely);
  if (next !== null) {
    const pagination = {
      location: "response_next_url",
      response_next_url_field: next,
      // To OData it is how many rows there are in all, and where it is sent no next page may be named.
      params: size?.name === "$top" ? {} : sizeSent(size),
    };
    return { pagination, used: usedOf(page, offset, size, ...cursors) };
  }
  const last = afterLast(query, rows);
  if (last !== null) return last;
  const counter = page ?? offset;
  if (counter !== undefined) {
    const counted = counter === page ? pageCounter(counter, rows) : offsetCounter(counter, rows);
    const params = { [counter.name]: counted, ...sizeSent(size, "counted") };
    return { pagination: { params }, used: usedOf(page, offset, size) };
  }
  // A bare list whose parameter takes a cursor has nowhere but the header of links to hold one.
  const bare = rows.path.length === 0 && rows.envelope === null && cursors.length > 0;
  return bare ? { pagination: byLink, used: usedOf(size) } : null;
}
