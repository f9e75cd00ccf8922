import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawer } from "../drawer.ts";
import {
  type Ask,
  asked,
  integer,
  type Reply,
  type ServedList,
  type ServedLists,
  serveLists,
  text,
  thingRows,
} from "./served-lists.ts";

/** Lists of a document drawn at random: how they are asked for more, what they say of the rest, and what they do besides. */
interface List {
  readonly counts: "pages" | "rows" | "token" | "link" | "address" | null;
  readonly going: string;
  /** how the document types what counts */
  readonly type: "integer" | "text" | "required";
  readonly base: number;
  /** whether the document says where pages begin */
  readonly isSaid: boolean;
  readonly size: string | null;
  readonly saysUsual: boolean;
  readonly saysMost: boolean;
  /** what a page has where no size is asked for, and the most that it has */
  readonly usual: number;
  readonly most: number;
  readonly length: number;
  readonly sign: string | null;
  /** whether numbers in answers are texts */
  readonly isTextual: boolean;
  /** how the last page names the next: by nothing, null, empty text, or the token that was sent */
  readonly end: "absent" | "null" | "empty" | "same";
  /** which rows are left out of a page after it was made */
  readonly out: number | null;
}

const NAMES = {
  pages: ["page", "pageNumber", "page_index", "page[number]"],
  rows: ["offset", "skip", "start", "startIndex", "page[offset]"],
  token: ["cursor", "page_token", "after"],
  link: ["page"],
  address: ["page"],
};

function drawList({ next, pick }: ReturnType<typeof drawer>): List {
  const counts = pick(["pages", "rows", "token", "pages", "rows", "link", "address", null]);
  const usual = pick([10, 15, 20, 25]);
  const base = counts === "pages" ? pick([0, 1, 1]) : 0;
  return {
    counts: counts as List["counts"],
    going: counts === null ? "" : pick(NAMES[counts as keyof typeof NAMES]),
    type: pick(["integer", "integer", "text", "required"]),
    base,
    isSaid: next() < 0.4,
    size: pick(["limit", "per_page", "pageSize", "page[size]", null]),
    saysUsual: next() < 0.7,
    saysMost: next() < 0.5,
    usual,
    most: pick([usual, 37, 50, 100, 1000]),
    length: pick([0, 1, 7, 10, 20, 25, 37, 40, 57, 100, 130]),
    sign: pick([null, null, "total", "total_count", "has_more", "total_pages", "count"]),
    isTextual: next() < 0.2,
    end: pick(["absent", "null", "empty", "same"]),
    out: next() < 0.1 ? pick([3, 7]) : null,
  };
}

function served(list: List): ServedList {
  const { counts, going, type, base, isSaid, size, usual, most, sign } = list;
  const schema = type === "text" && isSaid ? text : integer;
  const number = type === "text" ? String(base) : base;
  const counter = asked(going, isSaid ? { ...schema, default: number } : integer, {
    required: type === "required" && (counts === "pages" || counts === "rows"),
  });
  const sized = {
    type: "integer",
    ...(list.saysUsual ? { default: usual } : {}),
    ...(list.saysMost ? { maximum: most } : {}),
  };
  const isCounted = counts === "pages" || counts === "rows";
  const more = counts === "token" ? { next_token: text } : {};
  const address = counts === "address" ? { next: { type: "string", format: "uri" } } : {};
  return {
    parameters: [
      ...(isCounted ? [counter] : counts === null ? [] : [asked(going, text)]),
      ...(size === null ? [] : [asked(size, sized)]),
    ],
    beside: {
      ...more,
      ...address,
      ...(sign === null ? {} : { [sign]: sign === "has_more" ? { type: "boolean" } : integer }),
    },
    isLinked: counts === "link",
    reply: (ask, query) => answered(list, ask, query),
  };
}

/** What a server answers that pages so. */
function answered(list: List, ask: Ask, query: URLSearchParams): Reply {
  const { counts, going, base, size, usual, most, length, sign, out } = list;
  const by = Math.min(size === null ? usual : ask(size, usual), most);
  const place = counts === null ? 0 : ask(going, counts === "rows" ? 0 : base);
  const first = counts === "link" || counts === "address" ? Math.max(0, place - 1) : place - base;
  const from = Math.max(0, counts === "rows" || counts === "token" ? place : first * by);
  const made = thingRows(length).slice(from, from + by);
  const rows = out === null ? made : made.filter(({ id }) => id % out > 0);
  const hasMore = from + by < length;
  const said = (value: number): unknown => (list.isTextual ? String(value) : value);
  const signs: Record<string, unknown> = {
    total: said(length),
    total_count: said(length),
    has_more: hasMore,
    total_pages: said(Math.ceil(length / by)),
    count: said(rows.length),
  };
  const url = `?${going}=${first + 2}${size !== null && query.has(size) ? `&${size}=${by}` : ""}`;
  const named = counts === "token" ? String(from + by) : url;
  const ends = { absent: undefined, null: null, empty: "", same: query.get(going) };
  const next = hasMore ? named : counts === "token" ? ends[list.end] : null;
  return {
    headers: counts === "link" && hasMore ? { link: `<${url}>; rel="next"` } : {},
    body: {
      items: rows,
      ...(sign === null ? {} : { [sign]: signs[sign] }),
      ...(counts === "token" ? { next_token: next } : {}),
      ...(counts === "address" ? { next } : {}),
    },
  };
}

const LENGTH = 60;
/** What nothing in a document or an answer can show. */
const cannotBeSeen = ({ counts, size, sign, out, saysMost, most }: List): boolean => {
  // Less than 10 rows that are left of a page are taken for all.
  if (out !== null) return true;
  const isBound = size === null || (!saysMost && most === 37);
  return counts === null && isBound && (sign === null || sign === "count");
};

describe.each([1, 2, 3])("RUN-200 to RUN-202: lists of a document drawn by %i", (seed) => {
  const draw = drawer(seed);
  const lists = Array.from({ length: LENGTH }, () => drawList(draw));
  let session: ServedLists;
  beforeAll(async () => {
    session = await serveLists(lists.map(served));
  });
  afterAll(() => session.close());

  it.each(lists.map((list, at) => [at, list] as const).filter(([, list]) => !cannotBeSeen(list)))(
    "list %i: %j: all rows are counted, or what is left is told",
    async (at, list) => {
      session.journal.length = 0;
      const answer = await session.run(`Thing${at}.aggregate(n=count)`);
      const [, counted] = /```tsv\nn\n(.*)\n/.exec(answer) ?? [];
      const isTold = answer.includes("partial (");
      expect(isTold ? list.length : Number(counted), answer).toBe(list.length);
    },
  );
});
