import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Ask,
  asked,
  cells,
  integer,
  type Reply,
  type Row,
  type ServedLists,
  serveLists,
  text,
  thingRows,
} from "./served-lists.ts";

/** Lists of an API whose document names parameters of pages, and says nothing of what they count, or from where. */
interface List {
  readonly parameters: readonly object[];
  /** members of the answer beside its items */
  readonly beside?: object;
  readonly length?: number;
  readonly reply: (rows: readonly Row[], ask: Ask, query: URLSearchParams) => Reply;
}

const flag = { type: "boolean" };
const size = { type: "integer", default: 20 };
const PAGE = [asked("page"), asked("per_page", size)];
const OFFSET = [asked("offset"), asked("limit", size)];
const NEEDED = [asked("page", integer, { required: true }), asked("per_page", size)];

const page = (rows: readonly Row[], number: number, by = 20) =>
  rows.slice(number * by, number * by + by);
const fromOne = (rows: readonly Row[], number: number) => page(rows, Math.max(0, number - 1));
const items = (list: readonly unknown[], more: object = {}): Reply => ({
  body: { items: list, ...more },
});
const ends = (list: readonly unknown[], otherwise: Reply): Reply =>
  list.length > 0 ? items(list) : otherwise;

/** How each answers, and by how many requests all of it is read. */
const LISTS: Readonly<Record<string, List & { readonly requests: number }>> = {
  "pages from 0": {
    parameters: PAGE,
    reply: (rows, ask) => items(page(rows, ask("page"))),
    requests: 3,
  },
  "rows from the first, so many at most": {
    parameters: [asked("first"), asked("max")],
    reply: (rows, ask) => items(rows.slice(ask("first"), ask("first") + ask("max", 20))),
    requests: 4,
  },
  "all rows, where it is not said how many": {
    parameters: [asked("first"), asked("max")],
    reply: (rows, ask) => items(rows.slice(ask("first"))),
    requests: 3,
  },
  "records that are skipped": {
    parameters: [asked("skipRecords", integer, { description: "Number of records to skip" })],
    reply: (rows, ask) => items(rows.slice(ask("skipRecords"), ask("skipRecords") + 20)),
    requests: 4,
  },
  "one page, number 0": {
    parameters: PAGE,
    length: 5,
    reply: (rows, ask) => items(page(rows, ask("page"))),
    requests: 1,
  },
  "pages from 0 without a size": {
    parameters: [asked("page")],
    reply: (rows, ask) => items(page(rows, ask("page"))),
    requests: 4,
  },
  "pages from 0 in text": {
    parameters: [asked("page", text)],
    reply: (rows, ask) => items(page(rows, ask("page"))),
    requests: 4,
  },
  "pages from 0, required": {
    parameters: NEEDED,
    reply: (rows, ask, query) =>
      query.has("page") ? items(page(rows, ask("page"))) : { status: 400 },
    requests: 3,
  },
  "pages from 1, required": {
    parameters: NEEDED,
    reply: (rows, ask) => (ask("page") < 1 ? { status: 422 } : items(fromOne(rows, ask("page")))),
    requests: 4,
  },
  "pages from 1": {
    parameters: PAGE,
    reply: (rows, ask) => items(fromOne(rows, ask("page", 1))),
    requests: 4,
  },
  "pages from 1, and all rows where none is named": {
    parameters: PAGE,
    reply: (rows, ask, query) => items(query.has("page") ? fromOne(rows, ask("page")) : rows),
    requests: 4,
  },
  "pages from 1 that say their number": {
    parameters: PAGE,
    beside: { page: integer },
    reply: (rows, ask) => items(fromOne(rows, ask("page", 1)), { page: ask("page", 1) }),
    requests: 3,
  },
  "pages from 0 that say another number": {
    parameters: PAGE,
    beside: { page: integer },
    reply: (rows, ask) => items(page(rows, ask("page")), { page: ask("page") + 1 }),
    requests: 3,
  },
  "Spring's pages, told to begin with 1": {
    parameters: [asked("page"), asked("size", size)],
    beside: { number: integer, first: flag },
    reply: (rows, ask) => {
      const number = Math.max(0, ask("page", 1) - 1);
      return items(page(rows, number), { number, first: number === 0 });
    },
    requests: 4,
  },
  "no page behind a full last one": {
    parameters: PAGE,
    length: 60,
    reply: (rows, ask) => ends(fromOne(rows, ask("page", 1)), { status: 404 }),
    requests: 5,
  },
  "204 behind a full last page": {
    parameters: PAGE,
    length: 60,
    reply: (rows, ask) => ends(fromOne(rows, ask("page", 1)), { status: 204 }),
    requests: 5,
  },
  "offsets of rows": {
    parameters: OFFSET,
    reply: (rows, ask) => items(rows.slice(ask("offset"), ask("offset") + 20)),
    requests: 3,
  },
  "offsets of pages": {
    parameters: OFFSET,
    reply: (rows, ask) => items(page(rows, ask("offset"))),
    requests: 4,
  },
  "offsets of many pages": {
    parameters: OFFSET,
    length: 900,
    reply: (rows, ask) => items(page(rows, ask("offset"))),
    requests: 46,
  },
  "offsets of pages, and a total": {
    parameters: OFFSET,
    beside: { total: integer },
    reply: (rows, ask) => items(page(rows, ask("offset")), { total: rows.length }),
    requests: 4,
  },
  "offsets of whole pages": {
    parameters: OFFSET,
    reply: (rows, ask) => items(page(rows, Math.floor(ask("offset") / 20))),
    requests: 4,
  },
  "offsets that are refused between pages": {
    parameters: OFFSET,
    reply: (rows, ask) =>
      ask("offset") % 20 === 0 ? items(page(rows, ask("offset") / 20)) : { status: 400 },
    requests: 4,
  },
  "offsets of rows from 1": {
    parameters: [asked("start"), asked("limit", size)],
    reply: (rows, ask) => {
      const start = Math.max(1, ask("start", 1)) - 1;
      return items(rows.slice(start, start + 20));
    },
    requests: 3,
  },
  "a cursor that ends with 0": {
    parameters: [asked("cursor")],
    beside: { next_cursor: integer },
    reply: (rows, ask) => {
      const next = ask("cursor") + 20;
      return items(rows.slice(next - 20, next), { next_cursor: next < rows.length ? next : 0 });
    },
    requests: 3,
  },
  'a next page called "null"': {
    parameters: PAGE,
    beside: { next: { type: "string", format: "uri" } },
    reply: (rows, ask) => {
      const number = ask("page", 1);
      return items(fromOne(rows, number), { next: number < 3 ? `?page=${number + 1}` : "null" });
    },
    requests: 3,
  },
};

/** Those of which not all can be read, with what is said of it. */
const SHORT: Readonly<Record<string, List & { readonly says: string }>> = {
  "pages that are ignored": {
    parameters: PAGE,
    reply: (rows) => items(page(rows, 0)),
    says: "may not look at which",
  },
  "offsets that are ignored": {
    parameters: OFFSET,
    reply: (rows) => items(page(rows, 0)),
    says: "may not look at which",
  },
  "pages that are ignored, of rows without a key": {
    parameters: PAGE,
    reply: (rows) => items(page(rows, 0).map(({ name }) => ({ name }))),
    says: "may not look at which",
  },
  "a bound of pages": {
    parameters: PAGE,
    reply: (rows, ask) =>
      ask("page", 1) > 2
        ? { status: 422, body: { message: "Only the first 40 are there" } }
        : items(fromOne(rows, ask("page", 1))),
    says: "Only the first 40 are there",
  },
  "a page that is not there, though rows are counted": {
    parameters: PAGE,
    beside: { total: integer },
    reply: (rows, ask) =>
      ask("page", 1) > 2 ? { status: 404 } : items(fromOne(rows, ask("page", 1)), { total: 57 }),
    says: "the API counted 57, 40 were read",
  },
  "a flag in words": {
    parameters: [],
    beside: { has_more: text },
    reply: (rows) => items(page(rows, 0), { has_more: "yes" }),
    says: "more follow (has_more)",
  },
  "a flag in numbers": {
    parameters: [],
    beside: { has_more: integer },
    reply: (rows) => items(page(rows, 0), { has_more: 1 }),
    says: "more follow (has_more)",
  },
  "a token in a header": {
    parameters: [],
    reply: (rows) => ({ ...items(page(rows, 0)), headers: { "x-ms-continuationtoken": "abc" } }),
    says: "more follow (header x-ms-continuationtoken)",
  },
};

const ALL: readonly (readonly [string, List])[] = [
  ...Object.entries(LISTS),
  ...Object.entries(SHORT),
];
const rowsOf = ({ length = 57 }: List): readonly Row[] => thingRows(length);
const placeOf = (name: string): number => ALL.findIndex(([known]) => known === name);

let served: ServedLists;

beforeAll(async () => {
  served = await serveLists(
    ALL.map(([, { parameters, beside, reply, length }]) => ({
      parameters,
      beside: beside ?? {},
      reply: (ask, query) => reply(thingRows(length), ask, query),
    })),
  );
});
afterAll(() => served.close());

it.each(Object.entries(LISTS))(
  "RUN-190, RUN-191: %s: all rows are read, in their order and once",
  async (name, list) => {
    const entity = `Thing${placeOf(name)}`;
    const truth = rowsOf(list).map(({ id }) => String(id));
    served.journal.length = 0;
    const counted = await served.run(`${entity}[id].aggregate(n=count, s=sum(id))`);
    const sum = (truth.length * (truth.length + 1)) / 2;
    expect([cells(counted), counted.includes("partial")]).toEqual([
      [`${truth.length}\t${sum}`],
      false,
    ]);
    expect(served.journal).toHaveLength(list.requests);
    expect(cells(await served.run(`${entity}[id].limit(3)`))).toEqual(truth.slice(0, 3));
    expect((await served.byPages(`${entity}[id].limit(30)`)).rows).toEqual(truth.slice(0, 30));
    expect(await served.byPages(`${entity}[id]`)).toEqual({ rows: truth, told: false });
    const behind = truth.length > 30 ? truth.length - 30 : 0;
    expect(cells(await served.run(`${entity}{id>30}.aggregate(n=count)`))).toEqual([
      String(behind),
    ]);
  },
);

it.each(Object.entries(SHORT))(
  "RUN-077, RUN-190, RUN-191: %s: what is not read is told",
  async (name, { says }) => {
    const entity = `Thing${placeOf(name)}`;
    const counted = await served.run(`${entity}[name].aggregate(n=count)`);
    expect(counted).toContain("partial (rows_unread)");
    expect(counted).toContain(says);
    expect(counted).toContain("≥");
    expect((await served.byPages(`${entity}[name]`)).told).toBe(true);
  },
);
