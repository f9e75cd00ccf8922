import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ServedSchema, serveSchema } from "./served-schema.ts";
import { drawer } from "../drawer.ts";

/** Lists of schemas drawn at random: how they are asked for more, in what the rows stand, what is said of the rest. */
interface List {
  readonly name: string;
  readonly going: string | null;
  readonly goingType: string;
  readonly counts: "pages" | "rows" | "token" | null;
  /** the number of the first page */
  readonly base: number;
  readonly size: string | null;
  /** the argument that holds those of pages */
  readonly holder: string | null;
  readonly envelope: string | null;
  readonly token: string | null;
  readonly sign: string | null;
  /** the object beside the rows in which token and sign stand */
  readonly within: string | null;
  /** what a page has where no size is asked for, and the most that it has */
  readonly usual: number;
  readonly most: number;
  readonly length: number;
  /** a value of the rows that has a name of paging, and the argument that chooses by it */
  readonly column: string | null;
  readonly said: string;
}

const NAMES = {
  pages: ["page", "pageNumber", "pageIndex", "pageNo"],
  rows: ["offset", "skip", "start", "startIndex"],
  token: ["after", "cursor", "nextToken", "pageToken", "afterCursor"],
};

function drawList({ next, pick }: ReturnType<typeof drawer>, name: string): List {
  const counts = pick(["pages", "rows", "token", "pages", "rows", "token", null] as const);
  const going = counts === null ? null : pick(NAMES[counts]);
  const sign = pick([null, "total", "totalCount", "count", "hasMore", "hasNextPage"]);
  const isBare = counts !== "token" && sign !== null && next() < 0.3;
  const tokenType = pick(["String", "ID", "Int"]);
  const usual = pick([10, 20, 25]);
  const size = pick(["limit", "first", "perPage", "pageSize", "take", "size", "count", null]);
  const base = counts === "pages" ? pick([0, 1]) : 0;
  const isRequired = counts !== "token" && next() < 0.2;
  const holder = pick([null, null, null, "page", "paging", "input"]);
  const column = pick([null, "size", "count", "total", "start", "page", "first"]);
  const isEndless = counts === null && (sign === null || isBare);
  const isTaken = isEndless || [going, size, holder].includes(column);
  return {
    name,
    going,
    goingType: counts === "token" ? tokenType : `Int${isRequired ? "!" : ""}`,
    counts,
    base,
    size,
    holder: going === null && size === null ? null : holder,
    envelope: isBare ? null : pick(["items", "data", "edges", "nodes", "results"]),
    token: counts === "token" ? pick(["nextCursor", "nextToken", "endCursor", "cursor"]) : null,
    sign: isBare ? null : sign,
    within: pick([null, "pageInfo", "meta", "pagination", "paging"]),
    usual,
    most: pick([10, 20, 25, 50, 100, 1000]),
    // What a bare list leaves out without a word cannot be known.
    length: isEndless ? usual - 1 : pick([0, 1, 7, 10, 20, 25, 40, 50, 57, 100, 130]),
    column: isTaken ? null : column,
    said: !isRequired && next() < 0.3 ? ` = ${base}` : "",
  };
}

/** The types of a list, and the field of the queries that answers it. */
function written(list: List): { readonly types: string; readonly field: string } {
  const { name, going, goingType, counts, holder, envelope, size, token, sign, within } = list;
  const said = counts === "token" ? "" : list.said;
  const own = [
    ...(going === null ? [] : [`${going}: ${goingType}${said}`]),
    ...(size === null ? [] : [`${size}: Int`]),
  ];
  const row = `${name}Row`;
  const types = [`type ${row} { id: ID! ${list.column === null ? "" : `${list.column}: Int`} }`];
  if (holder !== null) types.push(`input ${name}Pages { ${own.join(" ")} }`);
  const needs = holder !== null && own.some((one) => one.endsWith("!"));
  const all = [
    ...(list.column === null ? [] : [`${list.column}: Int`]),
    ...(holder === null ? own : [`${holder}: ${name}Pages${needs ? "!" : ""}`]),
  ];
  const asked = all.length === 0 ? "" : `(${all.join(", ")})`;
  const field = name.toLowerCase();
  if (envelope === null) return { types: types.join("\n"), field: `${field}${asked}: [${row}!]!` };
  const signs = [
    ...(token === null ? [] : [`${token}: ${goingType}`]),
    ...(sign === null ? [] : [`${sign}: ${sign.startsWith("has") ? "Boolean" : "Int"}`]),
  ];
  const isWithin = within !== null && signs.length > 0;
  if (isWithin) types.push(`type ${name}Around { ${signs.join(" ")} }`);
  if (envelope === "edges") types.push(`type ${name}Edge { node: ${row} }`);
  const rows = envelope === "edges" ? `[${name}Edge]` : `[${row}!]!`;
  const beside = isWithin ? `${within}: ${name}Around!` : signs.join(" ");
  types.push(`type ${name}Connection { ${envelope}: ${rows} ${beside} }`);
  return { types: types.join("\n"), field: `${field}${asked}: ${name}Connection!` };
}

type Asked = Readonly<Record<string, unknown>>;

/** What a server answers that pages so. */
function answered(list: List, given: Asked): unknown {
  const { going, holder, size, base, usual, most, length, column, counts } = list;
  const asked = holder === null ? given : ((given[holder] ?? {}) as Asked);
  const numberOf = (name: string | null, other: number): number =>
    Number((name === null ? undefined : asked[name]) ?? other);
  const by = Math.min(numberOf(size, usual), most);
  const place = numberOf(going, base);
  const from = Math.max(0, counts === "pages" ? (place - base) * by : counts === null ? 0 : place);
  const ofColumn = column === null || given[column] === undefined || given[column] === 7;
  const rows = Array.from({ length: ofColumn ? length : 0 }, (_none, at) => ({
    id: `r${at}`,
    ...(column === null ? {} : { [column]: 7 }),
  }));
  const page = rows.slice(from, from + by);
  if (list.envelope === null) return page;
  const hasMore = from + by < rows.length;
  const signs = {
    ...(list.token === null ? {} : { [list.token]: hasMore ? from + by : null }),
    ...(list.sign === null
      ? {}
      : { [list.sign]: list.sign.startsWith("has") ? hasMore : rows.length }),
  };
  const nodes = list.envelope === "edges" ? page.map((node) => ({ node })) : page;
  return {
    ...signs,
    ...(list.within === null ? {} : { [list.within]: signs }),
    [list.envelope]: nodes,
  };
}

const LENGTH = 40;

describe.each([1, 2, 3])("RUN-190, RUN-194: lists of a schema drawn by %i", (seed) => {
  const draw = drawer(seed);
  const lists = Array.from({ length: LENGTH }, (_none, at) => drawList(draw, `List${at}x`));
  let served: ServedSchema;

  beforeAll(async () => {
    const texts = lists.map(written);
    const schema = `type Query { ${texts.map(({ field }) => field).join("\n")} }\n${texts.map(({ types }) => types).join("\n")}`;
    const fields = lists.map(
      (list) =>
        [list.name.toLowerCase(), (_: unknown, given: Asked) => answered(list, given)] as const,
    );
    served = await serveSchema(
      schema,
      { Query: Object.fromEntries(fields) },
      lists.map(({ name }) => `${name}Row`),
    );
  });
  afterAll(() => served.close());

  it.each(lists.map((list) => [written(list).field, list] as const))(
    "%s: all rows are counted, or what is left is told",
    async (_field, list) => {
      const text = await served.run(`${list.name}Row.aggregate(n=count)`);
      const [, counted] = /```tsv\nn\n(.*)\n/.exec(text) ?? [];
      const isTold = text.includes("partial (rows_unread)");
      // What can be asked for more is read to its end.
      expect(
        [isTold && list.counts !== null, isTold ? list.length : Number(counted)],
        text,
      ).toEqual([false, list.length]);
    },
  );
});
