import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Ask,
  asked,
  cells,
  integer,
  type Reply,
  type Row,
  type ServedList,
  type ServedLists,
  serveLists,
  text,
  thingRows,
} from "./served-lists.ts";

/** Lists that a server cuts, shortens or loses rows of, where nothing in its answers says so. */
interface List {
  readonly parameters: readonly object[];
  readonly beside?: object;
  readonly isLinked?: boolean;
  readonly length?: number;
  readonly reply: (rows: readonly Row[], ask: Ask, query: URLSearchParams) => Reply;
  /** what a program gives besides */
  readonly given?: string;
}

const items = (list: readonly unknown[], more: object = {}): Reply => ({
  body: { items: list, ...more },
});
const sized = (usual: number | null, most: number | null, more: object = {}) => ({
  type: "integer",
  ...(usual === null ? {} : { default: usual }),
  ...(most === null ? {} : { maximum: most }),
  ...more,
});
/** A server that gives `usual` rows by itself, and never more than `most`. */
const cut =
  (name: string, usual: number, most: number) =>
  (rows: readonly Row[], ask: Ask): Reply =>
    items(rows.slice(0, Math.min(ask(name, usual), most)));
/** A server of pages that gives no more than `most`, whatever is asked for. */
const capped =
  (most: number, usual = 20) =>
  (rows: readonly Row[], ask: Ask): Reply => {
    const by = Math.min(ask("per_page", usual), most);
    const from = (Math.max(1, ask("page", 1)) - 1) * by;
    return items(rows.slice(from, from + by));
  };
const PAGES = [asked("page", { type: "integer", default: 1 }), asked("per_page", sized(20, 100))];
const OPEN_PAGES = [asked("page"), asked("per_page", sized(20, 100))];
const OFFSETS = [
  asked("offset", integer, { description: "How many rows to skip" }),
  asked("limit", sized(20, 100)),
];
/** What is left of a page after it was made. */
const kept = (rows: readonly Row[], out: (row: Row) => boolean): readonly Row[] =>
  rows.filter((row) => !out(row));

/** Those of which all rows are read, by so many requests. */
const WHOLE: Readonly<Record<string, List & { readonly requests: number }>> = {
  "a size alone, fewer rows than it gives by itself": {
    parameters: [asked("limit", sized(20, 100))],
    length: 19,
    reply: cut("limit", 20, 100),
    requests: 1,
  },
  "a size alone, more rows than it gives by itself": {
    parameters: [asked("limit", sized(20, 100))],
    reply: cut("limit", 20, 100),
    requests: 2,
  },
  "a size alone of which nothing is said": {
    parameters: [asked("limit")],
    reply: cut("limit", 25, 1000),
    requests: 2,
  },
  "a size alone of which nothing is said, few rows": {
    parameters: [asked("limit")],
    length: 17,
    reply: cut("limit", 25, 1000),
    requests: 1,
  },
  "a size alone, and a total": {
    parameters: [asked("limit", sized(20, 100))],
    beside: { total: integer },
    length: 20,
    reply: (rows, ask) => items(rows.slice(0, ask("limit", 20)), { total: rows.length }),
    requests: 1,
  },
  "a size alone, and a total of more": {
    parameters: [asked("limit", sized(null, 100))],
    beside: { total: integer },
    reply: (rows, ask) => items(rows.slice(0, ask("limit", 7)), { total: rows.length }),
    requests: 2,
  },
  "a size that is a program's": {
    parameters: [asked("limit", sized(20, 100))],
    reply: cut("limit", 20, 100),
    given: "limit=80",
    requests: 1,
  },
  "pages of an odd number": { parameters: PAGES, reply: capped(37), requests: 3 },
  "pages of an odd number, many": {
    parameters: PAGES,
    length: 130,
    reply: capped(37),
    requests: 5,
  },
  "pages of as many as by default, though more are asked for": {
    parameters: [asked("page", { type: "integer", default: 1 }), asked("per_page", sized(7, 50))],
    length: 16,
    reply: capped(7, 7),
    requests: 4,
  },
  "pages of an odd number, of an open counter": {
    parameters: OPEN_PAGES,
    reply: capped(37),
    requests: 4,
  },
  "offsets of an odd number": {
    parameters: OFFSETS,
    reply: (rows, ask) =>
      items(rows.slice(ask("offset"), ask("offset") + Math.min(ask("limit", 20), 37))),
    requests: 3,
  },
  "a short page, few rows": { parameters: PAGES, length: 9, reply: capped(100), requests: 1 },
  "a full page, then a short one": {
    parameters: PAGES,
    length: 130,
    reply: capped(100),
    requests: 2,
  },
  "tokens of pages that are made empty": {
    parameters: [asked("cursor", text), asked("limit", sized(20, 20))],
    beside: { next_cursor: text },
    length: 90,
    reply: (rows, ask) => {
      const from = ask("cursor");
      const page = kept(rows.slice(from, from + 20), ({ id }) => id > 20 && id <= 60);
      return items(page, { next_cursor: from + 20 < rows.length ? String(from + 20) : null });
    },
    requests: 5,
  },
  "links of pages that are made short": {
    parameters: [asked("page"), asked("per_page", sized(20, 20))],
    isLinked: true,
    length: 90,
    reply: (rows, ask) => {
      const page = ask("page", 1);
      const more = page * 20 < rows.length;
      const link = `<?page=${page + 1}>; rel="next"`;
      const own = kept(rows.slice(page * 20 - 20, page * 20), ({ id }) => id % 3 === 0 || id < 21);
      return { ...items(own), headers: more ? { link } : { link: '</things>; rel="first"' } };
    },
    requests: 5,
  },
};

/** Those of which some may be missing, with what is said. */
const TOLD: Readonly<Record<string, List & { readonly says: string }>> = {
  "a size alone, cut at its maximum": {
    parameters: [asked("limit", sized(20, 50))],
    reply: cut("limit", 20, 50),
    says: "50 rows came where 50 were asked for (limit)",
  },
  "a size alone that is not looked at": {
    parameters: [asked("limit", sized(20, 50))],
    reply: (rows) => items(rows.slice(0, 20)),
    says: "20 rows came where 50 were asked for (limit)",
  },
  "a size alone that may not be larger": {
    parameters: [asked("limit", sized(20, null))],
    reply: (rows, ask) =>
      ask("limit", 20) > 20
        ? { status: 400, body: { message: "At most 20" } }
        : items(rows.slice(0, ask("limit", 20))),
    says: "At most 20",
  },
  "a size alone at which the server fails": {
    parameters: [asked("limit", sized(20, null))],
    reply: (rows, ask) => (ask("limit", 20) > 20 ? { status: 500 } : items(rows.slice(0, 20))),
    says: "others may be missing",
  },
  "a size that is a program's, and is cut": {
    parameters: [asked("limit")],
    length: 140,
    reply: cut("limit", 20, 100),
    given: "limit=120",
    says: "100 rows came where 120 were asked for (limit)",
  },
  "a size that is demanded": {
    parameters: [asked("limit", integer, { required: true })],
    reply: cut("limit", 20, 100),
    given: "limit=50",
    says: "50 rows came, as many as were asked for",
  },
  "a size alone, of rows without keys": {
    parameters: [asked("limit", sized(20, 100))],
    reply: (rows, ask) => items(rows.slice(0, ask("limit", 20)).map(({ name }) => ({ name }))),
    says: "ask for more with limit",
  },
  "pages that are made shorter": {
    parameters: PAGES,
    length: 260,
    reply: (rows, ask) => {
      const page = rows.slice(ask("page", 1) * 100 - 100, ask("page", 1) * 100);
      return items(kept(page, ({ id }) => (id < 100 && id % 2 === 0) || id > 258));
    },
    says: "pages had fewer rows than were asked for",
  },
  "pages that are made empty": {
    parameters: PAGES,
    length: 400,
    reply: (rows, ask) => {
      const page = rows.slice(ask("page", 1) * 100 - 100, ask("page", 1) * 100);
      return items(
        kept(page, ({ id }) => (id <= 100 ? id % 5 > 0 : id <= 200 ? id % 3 > 0 : id <= 300)),
      );
    },
    says: "pages had fewer rows than were asked for",
  },
  "a header of links that is never sent": {
    parameters: [asked("page"), asked("per_page", sized(20, 20))],
    isLinked: true,
    reply: (rows, ask) => items(rows.slice(0, ask("per_page", 20))),
    says: "the first page is full (20 rows), and names no next one",
  },
  "a token that is never sent": {
    parameters: [asked("cursor", text), asked("limit", sized(20, 20))],
    beside: { next_cursor: text },
    reply: (rows, ask) => items(rows.slice(0, ask("limit", 20))),
    says: "the first page is full (20 rows), and names no next one",
  },
  "rows that are deleted meanwhile, where all are counted": {
    parameters: PAGES,
    beside: { total: integer },
    length: 257,
    reply: (rows, ask) => {
      const left = ask("page", 1) > 1 ? rows.slice(5) : rows;
      const page = left.slice(ask("page", 1) * 100 - 100, ask("page", 1) * 100);
      return items(page, { total: left.length });
    },
    says: "the API counted 257 rows at first and 252 later",
  },
  "rows that are added meanwhile": {
    parameters: OFFSETS,
    length: 257,
    reply: (rows, ask) => {
      const more = thingRows(262).slice(257);
      const all = ask("offset") > 0 ? [...more, ...rows] : rows;
      return items(all.slice(ask("offset"), ask("offset") + 100));
    },
    says: "a later page repeats rows",
  },
  "an address that is never sent": {
    parameters: [asked("limit", sized(20, 20))],
    beside: { next: { type: "string", format: "uri" } },
    reply: (rows, ask) => items(rows.slice(0, ask("limit", 20))),
    says: "the first page is full (20 rows), and names no next one",
  },
};

const ALL: readonly (readonly [string, List])[] = [
  ...Object.entries(WHOLE),
  ...Object.entries(TOLD),
];
const placeOf = (name: string): number => ALL.findIndex(([known]) => known === name);
const counting = (name: string, given = ""): string =>
  `Thing${placeOf(name)}${given === "" ? "" : `{${given}}`}.aggregate(n=count)`;

let served: ServedLists;

beforeAll(async () => {
  served = await serveLists(
    ALL.map(([, { length, reply, beside = {}, ...list }]): ServedList => ({
      ...list,
      beside,
      reply: (ask, query) => reply(thingRows(length), ask, query),
    })),
  );
});
afterAll(() => served.close());

/** How many rows come of all, where each page is whole. */
function truth({ length = 57, reply }: List): number {
  const ids = new Set<number>();
  for (let page = 1; page <= 10; page += 1) {
    const ask: Ask = (name, other = 0) =>
      name === "page" ? page : name === "cursor" || name === "offset" ? page * 20 - 20 : other;
    const { body } = reply(thingRows(length), ask, new URLSearchParams());
    for (const { id } of (body as { items: readonly Row[] }).items) ids.add(id);
  }
  return ids.size;
}

it.each(Object.entries(WHOLE))(
  "RUN-200, RUN-201, RUN-202: %s: all rows are read, and nothing is said",
  async (name, list) => {
    const isMade = name.includes("made");
    const length = isMade ? truth(list) : (list.length ?? 57);
    served.journal.length = 0;
    const counted = await served.run(counting(name, list.given));
    expect([cells(counted), counted.includes("partial")], counted).toEqual([[`${length}`], false]);
    expect(served.journal, counted).toHaveLength(list.requests);
    if (list.given !== undefined) return;
    const read = await served.byPages(`Thing${placeOf(name)}[id]`);
    expect([read.rows.length, new Set(read.rows).size, read.told]).toEqual([length, length, false]);
    expect(cells(await served.run(`Thing${placeOf(name)}[id].limit(3)`))).toHaveLength(3);
  },
);

it.each(Object.entries(TOLD))(
  "RUN-003, RUN-200 to RUN-203: %s: it is told",
  async (name, { says, given }) => {
    const counted = await served.run(counting(name, given));
    expect(counted).toMatch(/partial \((?:rows_unread|row_repeated)\)/);
    expect(counted).toContain(says);
    expect(counted.split(says)).toHaveLength(2);
    expect(counted).toContain("≥");
  },
);
