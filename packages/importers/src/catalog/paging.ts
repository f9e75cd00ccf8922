import type { AnswerRows } from "../document/answer.ts";
import type { Operation, Parameter } from "../document/operation.ts";
import { type RecordShape, shapeOf } from "../document/schema-shape.ts";
import { type DocumentObject, memberOf, textOf } from "../json.ts";
import { folded } from "../names/words.ts";

/** How a list goes on, as a mapping says it, and the parameters that are taken by that. */
export interface Paging {
  readonly pagination: Readonly<Record<string, unknown>>;
  readonly used: ReadonlySet<string>;
  /** where these parameters stand; in the query unless said */
  readonly where?: "body";
}

const PAGES = new Set(
  "page pagenumber pageno pageindex pagenum pg currentpage skippages".split(" "),
);
const OFFSETS = new Set(
  "offset pageoffset skip start startindex startat from firstrow firstresult firstrecord firstitem".split(
    " ",
  ),
);
const SIZES = new Set([
  "perpage",
  "pagesize",
  "limit",
  "size",
  "maxresults",
  "count",
  "top",
  "take",
  "pagelimit",
  "maxpagesize",
  "maxitems",
  "itemsperpage",
  "resultsperpage",
]);
const MOST = 100;

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));

/** Whether a parameter counts: a number, or text whose default or example is one. */
const isCount = ({ schema }: Parameter): boolean => {
  const shape = shapeOf(schema);
  if (shape.kind !== "scalar") return false;
  if (shape.type === "integer" || shape.type === "number") return true;
  return (
    shape.type === "text" &&
    (isNumber(memberOf(schema, "default")) || isNumber(memberOf(schema, "example")))
  );
};

const wholeOf = (schema: unknown, key: string): number | undefined => {
  const said = memberOf(schema, key);
  const value = typeof said === "string" && isNumber(said) ? Number(said) : said;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

/** How many rows a page may have: what the API says it allows, at most 100; else what it does by itself. */
function sizeOf({ schema }: Parameter): number | undefined {
  const most = wholeOf(schema, "maximum");
  const size = most === undefined ? wholeOf(schema, "default") : Math.min(most, MOST);
  return size === 0 ? undefined : size;
}

/** Words by which documents say from which number pages are counted. */
const saysFirst = (digit: string, word: string): RegExp =>
  new RegExp(
    `\\b(?:${word}|${digit})[- ]?(?:based|indexed)|(?:starts?|starting|begins?|beginning|counted) (?:at|from|with) (?:${digit}|${word})\\b|first page (?:is|has|=) (?:number )?\`?(?:${digit}|${word})\\b|defaults?(?: value)?(?: to| is|:|=) ?\`?${digit}\\b(?!\\.)`,
    "i",
  );
const FROM_ZERO = saysFirst("0", "zero");
const FROM_ONE = saysFirst("1", "one");

/** Words by which documents say that an offset counts rows. */
const OF_ROWS =
  /\b(?:skip(?:s|ped)?|rows?|records?|items?|results?|entries|objects?|elements?|documents?)\b/i;

/** Pages of Spring Data are counted from 0, unless it is told otherwise: `number`, and whether it is the first or last. */
const isSpring = ({ envelope }: AnswerRows): boolean =>
  envelope !== null &&
  envelope.properties.has("number") &&
  ["first", "last", "numberOfElements", "pageable"].some((name) => envelope.properties.has(name));

/** SCIM counts rows from 1. */
const isScim = ({ envelope }: AnswerRows): boolean =>
  envelope !== null &&
  ["startIndex", "totalResults", "itemsPerPage"].every((name) => envelope.properties.has(name));

/** A counter as a mapping says it; what the document leaves open of it is assumed, and found out on the second page. */
interface Counter {
  readonly counter: number;
  readonly assumed?: "omit" | "send";
}

function pageCounter({ schema, required, description = "" }: Parameter, rows: AnswerRows): Counter {
  const said = wholeOf(schema, "default");
  if (said === 0 || said === 1) return { counter: said };
  // A minimum of 0 may be that of a type.
  if (wholeOf(schema, "minimum") === 1 || memberOf(schema, "exclusiveMinimum") === 0)
    return { counter: 1 };
  const isZero = FROM_ZERO.test(description) || wholeOf(schema, "example") === 0;
  const isOne = FROM_ONE.test(description);
  if (isZero !== isOne) return { counter: isZero ? 0 : 1 };
  if (required) return { counter: 0, assumed: "send" };
  return { counter: isSpring(rows) ? 0 : 1, assumed: "omit" };
}

function offsetCounter(parameter: Parameter, rows: AnswerRows): Counter {
  const { name, schema, required, description = "" } = parameter;
  const key = folded(name);
  if (key === "startindex" && isScim(rows)) return { counter: 1 };
  const said = wholeOf(schema, "default") ?? wholeOf(schema, "minimum");
  const isOne = said === 1 || (said !== 0 && FROM_ONE.test(description));
  const counter = isOne ? 1 : 0;
  const isPlace = said === counter || isOne || key === "offset" || key === "skip";
  const ofRows = OF_ROWS.test(description) && !/\bpages?\b/i.test(description);
  if (name === "$skip" || (isPlace && ofRows)) return { counter };
  return { counter, assumed: required ? "send" : "omit" };
}

/** A parameter's name without what it stands in: `searchCriteria[currentPage]`, `query.skip`. */
const ownName = (name: string): string =>
  name.split(/[.[\]]+/).findLast((part) => part !== "") ?? name;

/** Names that count pages or rows, and that filters do not have. */
const WITHIN = new Set(
  "page pagenumber pageno pageindex currentpage offset skip pagesize perpage limit".split(" "),
);

/** Words by which a number is said to be that of a page. */
const SAYS_PAGE =
  /\bpage (?:number|index|no\b)|\b(?:number|index) of the (?:results? )?page\b|\b(?:current|start|starting|requested|desired) page\b|^(?:the )?page\b(?! size)/i;

/** What is said to count pages, where no name does; a column of that name is a filter. */
function saidPage(query: readonly Parameter[], rows: AnswerRows): Parameter | undefined {
  const columns = new Set([...rows.record.properties.keys()].map(folded));
  return query.find(
    (one) =>
      isCount(one) &&
      SAYS_PAGE.test(one.description ?? "") &&
      !/\bper page\b|\bpages\b/i.test(one.description ?? "") &&
      !SIZES.has(folded(one.name)) &&
      !columns.has(folded(one.name)),
  );
}

interface Found {
  readonly page: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly size: Parameter | undefined;
}

/** Parameters that count; those that are called so and typed as text count where nothing else tells of pages. */
function findCounters(query: readonly Parameter[]): Found {
  const of = (names: ReadonlySet<string>, fits = isCount): Parameter | undefined =>
    query.find((one) => fits(one) && names.has(folded(one.name))) ??
    query.find((one) => {
      const own = folded(ownName(one.name));
      return fits(one) && WITHIN.has(own) && names.has(own);
    });
  const textual = (names: ReadonlySet<string>, except: (one: Parameter) => boolean = () => false) =>
    of(names, (one) => isPlainText(one) && !except(one));
  return {
    page: of(PAGES) ?? textual(PAGES),
    offset: of(OFFSETS) ?? textual(new Set(["offset", "pageoffset"]), saysToken),
    size: of(SIZES) ?? textual(SIZES),
  };
}

/** Whether a text is one that the answer before gave: it cannot be counted. */
const saysToken = ({ description = "" }: Parameter): boolean =>
  /\b(?:token|cursor|opaque)\b/i.test(description);

const isPlainText = ({ schema }: Parameter): boolean => {
  const shape = shapeOf(schema);
  return shape.kind === "scalar" && shape.type === "text";
};

/**
 * The size that is asked for. Where pages are counted, or are named by the API, what the API gives by itself stands
 * beside it: some give no more, whatever is asked for (RUN-200, RUN-202).
 */
function fixed(
  size: Parameter | undefined,
  pages: "counted" | "named" | "by row" = "named",
): Record<string, unknown> {
  const rows = size === undefined ? undefined : sizeOf(size);
  if (size === undefined || rows === undefined) return {};
  const usual = wholeOf(size.schema, "default") ?? 0;
  const isSaid = usual > 0 && pages !== "by row";
  return { [size.name]: { fixed: rows, ...(isSaid ? { usual } : {}) } };
}

/** Words for how many rows an answer has, and for what rows may be like. */
const MAYBE_SIZES = new Set(["size", "count", "take", "limit"]);
const SAYS_SIZE =
  /\b(?:how many|number of|maximum|max|at most|limit(?:s|ed)?|per page|page size|results|items|records|rows)\b/i;

/**
 * A list that has no pages, and says how many rows its answer has: it may be cut there (RUN-201). Null where none does,
 * or may mean something else.
 */
function sizedPaging(query: readonly Parameter[], rows: AnswerRows): Paging | null {
  const { page, offset, size } = findCounters(query);
  if (page !== undefined || offset !== undefined || size === undefined) return null;
  const { name, schema, description = "" } = size;
  const isSure = !MAYBE_SIZES.has(folded(name)) || SAYS_SIZE.test(description);
  const isLimit = folded(name) === "limit" && description === "";
  const columns = [...rows.record.properties.keys()].map(folded);
  if (columns.includes(folded(name)) || !(isSure || isLimit)) return null;
  const [usual = 0, most = 0] = [wholeOf(schema, "default"), wholeOf(schema, "maximum")];
  const said = { ...(usual > 0 ? { usual } : {}), ...(most > 0 ? { most } : {}) };
  return { pagination: { params: { [name]: { size: said } } }, used: new Set() };
}

const usedOf = (...parameters: readonly (Parameter | undefined)[]): ReadonlySet<string> =>
  new Set(parameters.flatMap((one) => (one === undefined ? [] : [one.name])));

/** Parameters that take a cursor or a token of the answer before. */
const CURSORS =
  /^(?:start|page|next|list|scroll|pagination)?(?:cursor|token|marker|key|id)$|^(?:page)?(?:after|continuation|continue|bookmark|iterator)(?:token|cursor)?$|^page$/;
/** Members of answers that hold one, the surest first. */
const TOKENS = [
  /^next(?:page)?(?:cursor|token|marker|key|id)$/,
  /^(?:end|after)?cursor$|^(?:page|continuation)?token$|^continu(?:ation|e)$|^(?:page)?after$|^bookmark$|^(?:next)?iterator$|^marker$/,
  /^next(?:page)?$/,
];
/** An object that holds what asks for the next page. */
const NEXT_PAGE = /^next(?:page)?$/;
const DEEPEST_TOKEN = 2;

interface Token {
  readonly path: readonly string[];
  readonly key: string;
}

/** The texts and numbers in an answer beside its rows, each with the keys that lead to it. */
function tokensIn({ properties }: RecordShape, before: readonly string[] = []): readonly Token[] {
  return [...properties].flatMap(([name, schema]): readonly Token[] => {
    const shape = shapeOf(schema);
    const path = [...before, name];
    if (shape.kind === "scalar" && memberOf(schema, "format") !== "uri")
      return shape.type === "boolean" ? [] : [{ path, key: folded(name) }];
    return shape.kind === "record" && path.length <= DEEPEST_TOKEN ? tokensIn(shape, path) : [];
  });
}

/** Where an answer holds what a parameter takes to go on: `next_cursor` for `cursor`, `cursors.next` for `after`. */
function cursorIn(envelope: RecordShape, parameter: Parameter): readonly string[] | null {
  const own = folded(parameter.name);
  const all = tokensIn(envelope);
  const named = all.find(({ key }) => key === `next${own}`);
  if (named !== undefined) return named.path;
  // What the last page ended with is where the next one starts.
  const start = /^exclusivestart(.+)$/.exec(own)?.[1];
  const ended = all.find(({ key }) => start !== undefined && key === `lastevaluated${start}`);
  if (ended !== undefined) return ended.path;
  const within = all.find(
    ({ key, path }) => key === own && NEXT_PAGE.test(folded(path.at(-2) ?? "")),
  );
  if (within !== undefined) return within.path;
  const shape = shapeOf(parameter.schema);
  // What the document's text alone says of its lists holds for those that say nothing against it.
  if (parameter.heldAt !== undefined && all.length === 0 && saysToken(parameter))
    return parameter.heldAt;
  if (!CURSORS.test(own) || shape.kind !== "scalar" || shape.type !== "text") return null;
  for (const form of TOKENS) {
    const found = all.filter(({ key }) => form.test(key));
    const [only, second] = found;
    if (only !== undefined && second === undefined) return only.path;
    const around = found.find(({ path }) => /curs|pag|meta|link/i.test(path[0] ?? ""));
    if (around !== undefined) return around.path;
  }
  return null;
}

const PLACES_OF_LINKS = new Set([
  "links",
  "paging",
  "pagination",
  "meta",
  "metadata",
  "page",
  "pages",
]);
const NEXTS = new Set([
  "next",
  "nexturl",
  "nextlink",
  "nexthref",
  "nexturi",
  "nextpageurl",
  "nextpageuri",
  "nextpagelink",
]);

/** Whether a text is an address: by its form, by what is said of it, or since nothing could take it as a cursor. */
function isAddress(schema: DocumentObject, isLonely: boolean): boolean {
  const shape = shapeOf(schema);
  if (shape.kind !== "scalar" || shape.type !== "text") return false;
  const said = [memberOf(schema, "example"), memberOf(schema, "description")].join(" ");
  return (
    memberOf(schema, "format") === "uri" ||
    isLonely ||
    /https?:|\burls?\b|\buris?\b|\blinks?\b|\/\w+\?/i.test(said)
  );
}

/** The member of an answer that holds the address of the next page, as a mapping names it. */
function nextAddress({ properties }: RecordShape, isLonely: boolean): string | null {
  for (const [name, schema] of properties) {
    const key = folded(name);
    const isNamed = key !== "next" && NEXTS.has(key);
    if (name === "@odata.nextLink") return name;
    if ((isNamed || key === "next") && isAddress(schema, isNamed || isLonely)) return name;
    if (key === "nextpage" && memberOf(schema, "format") === "uri") return name;
  }
  for (const [name, schema] of properties) {
    const inner = shapeOf(schema);
    if (!PLACES_OF_LINKS.has(folded(name)) || inner.kind !== "record") continue;
    const isLinks = folded(name) === "links";
    for (const [key, link] of inner.properties) {
      if (!NEXTS.has(folded(key))) continue;
      const held = shapeOf(link);
      if (held.kind === "record" && held.properties.has("href")) return `${name}.${key}.href`;
      if (isAddress(link, isLonely || isLinks || folded(key) !== "next")) return `${name}.${key}`;
    }
  }
  return null;
}

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
    params: { ...fixed(size, "by row"), [parameter.name]: { from_last: "id" } },
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
  const byLink = { location: "link_header", params: fixed(size) };
  if (rows.headers.includes("link")) {
    return { pagination: byLink, used: usedOf(page, offset, size, ...cursors) };
  }
  for (const parameter of query) {
    const path = rows.envelope === null ? null : cursorIn(rows.envelope, parameter);
    if (path === null || holdsAddress(rows, path)) continue;
    const params = { ...fixed(size), [parameter.name]: { from_response: path.join(".") } };
    const done = flagIn(rows, "done");
    const more = flagIn(rows, "istruncated");
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
      params: size?.name === "$top" ? {} : fixed(size),
    };
    return { pagination, used: usedOf(page, offset, size, ...cursors) };
  }
  const last = afterLast(query, rows);
  if (last !== null) return last;
  const counter = page ?? offset;
  if (counter !== undefined) {
    const counted = counter === page ? pageCounter(counter, rows) : offsetCounter(counter, rows);
    const params = { [counter.name]: counted, ...fixed(size, "counted") };
    return { pagination: { params }, used: usedOf(page, offset, size) };
  }
  // A bare list whose parameter takes a cursor has nowhere but the header of links to hold one.
  const bare = rows.path.length === 0 && rows.envelope === null && cursors.length > 0;
  return bare ? { pagination: byLink, used: usedOf(size) } : null;
}

/** Whether what stands at a path of an answer is called an address. */
function holdsAddress(rows: AnswerRows, [name = ""]: readonly string[]): boolean {
  const schema = rows.envelope?.properties.get(name);
  return folded(name) === "next" && schema !== undefined && isAddress(schema, false);
}
