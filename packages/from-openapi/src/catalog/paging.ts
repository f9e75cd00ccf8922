import type { Rows } from "../document/answer.ts";
import type { Operation, Parameter } from "../document/operation.ts";
import { type RecordShape, shapeOf } from "../document/schema-shape.ts";
import { memberOf } from "../json.ts";
import { folded } from "../names/words.ts";

/** How a list goes on, as a mapping says it, and the parameters that are taken by that. */
export interface Paging {
  readonly pagination: Readonly<Record<string, unknown>>;
  readonly used: ReadonlySet<string>;
}

const PAGES = new Set(["page", "pagenumber", "pageno", "pageindex"]);
const OFFSETS = new Set(["offset", "skip", "start", "startindex", "startat", "from"]);
const SIZES = new Set([
  "perpage",
  "pagesize",
  "limit",
  "size",
  "maxresults",
  "count",
  "top",
  "take",
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

function counterOf(parameter: Parameter, usual: number): number {
  const first = wholeOf(parameter.schema, "default") ?? wholeOf(parameter.schema, "minimum");
  return first === 0 || first === 1 ? first : usual;
}

interface Found {
  readonly page: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly size: Parameter | undefined;
}

function findCounters(query: readonly Parameter[]): Found {
  const counts = query.filter(isCount);
  const of = (names: ReadonlySet<string>): Parameter | undefined =>
    counts.find(({ name }) => names.has(folded(name)));
  return { page: of(PAGES), offset: of(OFFSETS), size: of(SIZES) };
}

const fixed = (size: Parameter | undefined): Record<string, unknown> => {
  const rows = size === undefined ? undefined : sizeOf(size);
  return size === undefined || rows === undefined ? {} : { [size.name]: { fixed: rows } };
};

const usedOf = (...parameters: readonly (Parameter | undefined)[]): ReadonlySet<string> =>
  new Set(parameters.flatMap((one) => (one === undefined ? [] : [one.name])));

/** Parameters that take a cursor or a token of the answer before. */
const CURSORS =
  /^(?:start|page|next|list|scroll|pagination)?(?:cursor|token|marker|key|id)$|^(?:page)?(?:after|continuation|continue|bookmark)(?:token|cursor)?$|^page$/;
/** Members of answers that hold one, the surest first. */
const TOKENS = [
  /^next(?:page)?(?:cursor|token|marker|key|id)$/,
  /^(?:end|after)?cursor$|^(?:page|continuation)?token$|^continuation$|^(?:page)?after$|^bookmark$/,
  /^next(?:page)?$/,
];
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
  const shape = shapeOf(parameter.schema);
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

/** The member of an answer that holds the address of the next page. */
function nextAddress({ properties }: RecordShape): string | null {
  for (const [name, schema] of properties) {
    const uri = memberOf(schema, "format") === "uri";
    const said =
      ["next", "nexturl", "nextlink"].includes(folded(name)) || name === "@odata.nextLink";
    if (said && (uri || name === "@odata.nextLink" || folded(name) !== "next")) return name;
  }
  return null;
}

/** How a list goes on, if its document tells it for certain; null if not. */
export function pagingOf({ query }: Operation, rows: Rows): Paging | null {
  const { page, offset, size } = findCounters(query);
  if (rows.headers.includes("link")) {
    const pagination = { location: "link_header", params: fixed(size) };
    return { pagination, used: usedOf(page, offset, size) };
  }
  const next = rows.envelope === null ? null : nextAddress(rows.envelope);
  if (next !== null) {
    const pagination = {
      location: "response_next_url",
      response_next_url_field: next,
      params: fixed(size),
    };
    return { pagination, used: usedOf(page, offset, size) };
  }
  for (const parameter of query) {
    const path = rows.envelope === null ? null : cursorIn(rows.envelope, parameter);
    if (path === null) continue;
    const params = { ...fixed(size), [parameter.name]: { from_response: path.join(".") } };
    return { pagination: { params }, used: usedOf(parameter, size) };
  }
  const counter = page ?? offset;
  if (counter === undefined) return null;
  const start = counterOf(counter, counter === page ? 1 : 0);
  const params = { [counter.name]: { counter: start }, ...fixed(size) };
  return { pagination: { params }, used: usedOf(page, offset, size) };
}
