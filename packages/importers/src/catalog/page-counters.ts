import type { AnswerRows } from "../document/answer.ts";
import type { Parameter } from "../document/operation.ts";
import { shapeOf } from "../document/schema-shape.ts";
import { memberOf } from "../json.ts";
import { folded } from "../names/words.ts";

const PAGES = new Set(
  "page pagenumber pageno pageindex pagenum pg currentpage skippages".split(" "),
);
const OFFSETS = new Set(
  "offset pageoffset skip start startindex startat from firstrow firstresult firstrecord firstitem skiprecords".split(
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
export const isCount = ({ schema }: Parameter): boolean => {
  const shape = shapeOf(schema);
  if (shape.kind !== "scalar") return false;
  if (shape.type === "integer" || shape.type === "number") return true;
  return (
    shape.type === "text" &&
    (isNumber(memberOf(schema, "default")) || isNumber(memberOf(schema, "example")))
  );
};

export const wholeIn = (schema: unknown, key: string): number | undefined => {
  const said = memberOf(schema, key);
  const value = typeof said === "string" && isNumber(said) ? Number(said) : said;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

/** How many rows a page may have: what the API says it allows, at most 100; else what it does by itself. */
function sizeOf({ schema }: Parameter): number | undefined {
  const most = wholeIn(schema, "maximum");
  const size = most === undefined ? wholeIn(schema, "default") : Math.min(most, MOST);
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

export function pageCounter(
  { schema, required, description = "" }: Parameter,
  rows: AnswerRows,
): Counter {
  const said = wholeIn(schema, "default");
  if (said === 0 || said === 1) return { counter: said };
  // A minimum of 0 may be that of a type.
  if (wholeIn(schema, "minimum") === 1 || memberOf(schema, "exclusiveMinimum") === 0)
    return { counter: 1 };
  const isZero = FROM_ZERO.test(description) || wholeIn(schema, "example") === 0;
  const isOne = FROM_ONE.test(description);
  if (isZero !== isOne) return { counter: isZero ? 0 : 1 };
  if (required) return { counter: 0, assumed: "send" };
  return { counter: isSpring(rows) ? 0 : 1, assumed: "omit" };
}

export function offsetCounter(parameter: Parameter, rows: AnswerRows): Counter {
  const { name, schema, required, description = "" } = parameter;
  const key = folded(name);
  if (key === "startindex" && isScim(rows)) return { counter: 1 };
  const said = wholeIn(schema, "default") ?? wholeIn(schema, "minimum");
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
export function saidPage(query: readonly Parameter[], rows: AnswerRows): Parameter | undefined {
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
export function findCounters(query: readonly Parameter[]): Found {
  const of = (names: ReadonlySet<string>, fits = isCount): Parameter | undefined =>
    query.find((one) => fits(one) && names.has(folded(one.name))) ??
    query.find((one) => {
      const own = folded(ownName(one.name));
      return fits(one) && WITHIN.has(own) && names.has(own);
    });
  const textual = (names: ReadonlySet<string>, except: (one: Parameter) => boolean = () => false) =>
    of(names, (one) => isPlainText(one) && !except(one));
  const named = {
    page: of(PAGES) ?? textual(PAGES),
    offset: of(OFFSETS) ?? textual(new Set(["offset", "pageoffset"]), saysToken),
    size: of(SIZES) ?? textual(SIZES),
  };
  const isNamed = named.page !== undefined || named.offset !== undefined;
  // The first row, and how many at most: a pair of its own, of which either alone may be anything.
  const [first, max] = isNamed ? [] : [of(new Set(["first"])), of(new Set(["max"]))];
  return first === undefined || max === undefined
    ? named
    : { page: undefined, offset: first, size: named.size ?? max };
}

/** Whether a text is one that the answer before gave: it cannot be counted. */
export const saysToken = ({ description = "" }: Parameter): boolean =>
  /\b(?:token|cursor|opaque)\b/i.test(description);

const isPlainText = ({ schema }: Parameter): boolean => {
  const shape = shapeOf(schema);
  return shape.kind === "scalar" && shape.type === "text";
};

/**
 * The size that is asked for. Where pages are counted, or are named by the API, what the API gives by itself stands
 * beside it: some give no more, whatever is asked for (RUN-200, RUN-202).
 */
export function sizeSent(
  size: Parameter | undefined,
  pages: "counted" | "named" | "by row" = "named",
): Record<string, unknown> {
  const rows = size === undefined ? undefined : sizeOf(size);
  if (size === undefined || rows === undefined) return {};
  const usual = wholeIn(size.schema, "default") ?? 0;
  const isSaid = usual > 0 && pages !== "by row";
  return { [size.name]: { fixed: rows, ...(isSaid ? { usual } : {}) } };
}
