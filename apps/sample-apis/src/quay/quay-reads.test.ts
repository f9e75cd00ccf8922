import { afterAll, beforeAll, expect, test } from "vitest";
import { send, startForTest, type Started } from "../testing/start-for-test.ts";
import { seedQuay } from "./seed.ts";

const seed = seedQuay();
let apis: Started;
beforeAll(async () => {
  apis = await startForTest();
});
afterAll(() => apis[Symbol.asyncDispose]());

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly page: number;
  readonly total: number;
}

const get = async (path: string): Promise<unknown> => {
  const { status, body } = await send("GET", apis.quay.url + path);
  expect({ path, status, body }).toMatchObject({ status: 200 });
  return body;
};
const page = async (path: string): Promise<Page> => (await get(path)) as Page;
const ids = ({ items }: Page): readonly unknown[] => items.map((item) => item["id"]);

test("boats come in pages of 20 that join to the whole register in order", async () => {
  const pages = [];
  for (const number of [1, 2, 3, 4, 5]) pages.push(await page(`/boats?page=${number}&per_page=20`));
  expect(pages.map(({ items }) => items.length)).toEqual([20, 20, 20, 7, 0]);
  expect(pages.map((one) => one.page)).toEqual([1, 2, 3, 4, 5]);
  expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([seed.boats.length]));
  expect(pages.flatMap(ids)).toEqual(seed.boats.map(({ id }) => id));
});

test("page 1 of 20 is what comes when nothing is said", async () => {
  expect(await page("/boats")).toEqual(await page("/boats?page=1&per_page=20"));
});

test.each(["/boats", "/owners/ann/boats", "/search/boats?q=Al"])(
  "%s gives id name owner length state built",
  async (path) => {
    for (const item of (await page(path)).items) {
      expect(Object.keys(item)).toEqual(["id", "name", "owner", "length", "state", "built"]);
    }
  },
);

test("state and near narrow the list, alone and together", async () => {
  const lost = seed.boats.filter(({ state }) => state === "lost");
  expect(ids(await page("/boats?state=lost&per_page=100"))).toEqual(lost.map(({ id }) => id));
  const north = seed.boats.filter(({ berth }) => berth.side === "north");
  expect(ids(await page("/boats?near=north&per_page=100"))).toEqual(north.map(({ id }) => id));
  const both = lost.filter(({ berth }) => berth.pier === "x");
  expect(both.length).toBeGreaterThan(0);
  expect(ids(await page("/boats?near=x&state=lost"))).toEqual(both.map(({ id }) => id));
  expect((await page("/boats?near=nowhere")).total).toBe(0);
});

test("the boats of one owner, none for somebody unknown", async () => {
  const ann = seed.boats.filter(({ owner }) => owner === "ann").map(({ id }) => id);
  const first = await page("/owners/ann/boats?page=1&per_page=20");
  const second = await page("/owners/ann/boats?page=2&per_page=20");
  expect([...ids(first), ...ids(second)]).toEqual(ann);
  expect(await page("/owners/none/boats")).toEqual({ items: [], page: 1, total: 0 });
});

test("search ignores case and takes a state", async () => {
  const found = seed.boats.filter(({ name }) => /al/i.test(name));
  expect(found.map(({ id }) => id)).toContain("b1");
  expect(ids(await page("/search/boats?q=AL"))).toEqual(found.map(({ id }) => id));
  const lost = found.filter(({ state }) => state === "lost");
  expect(ids(await page("/search/boats?q=al&state=lost"))).toEqual(lost.map(({ id }) => id));
  expect((await page("/search/boats?q=no%20such%20boat")).total).toBe(0);
});

test("the get of a boat gives all, its log included", async () => {
  expect(await get("/boats/b1")).toEqual({
    id: "b1",
    name: "Alma",
    owner: "ann",
    length: 12.5,
    state: "moored",
    built: "2011-04-02",
    note: expect.stringContaining("# Alma\n"),
    flags: ["pilot", "museum"],
    meta: { m1: "mark 1", engine: { hp: 20, "fuel type": "diesel" }, tags: [] },
    papers: { id: "pa1" },
    twin: "b2",
    pings: 0,
    logs: [
      { id: 1, text: "left the pier" },
      { id: 2, text: "wind from the west" },
      { id: 3, text: "back at the pier" },
    ],
  });
});

test.each(seed.people.map(({ login }) => login))("person %j by its encoded key", async (login) => {
  const boats = seed.boats.filter(({ owner }) => owner === login).length;
  const name = seed.people.find((person) => person.login === login)?.name;
  expect(await get(`/people/${encodeURIComponent(login)}`)).toEqual({ login, name, boats });
  expect(await page(`/owners/${encodeURIComponent(login)}/boats`)).toMatchObject({ total: boats });
});

test("people are listed with how many boats they own", async () => {
  const { items, total } = await page("/people?page=1&per_page=20");
  expect(total).toBe(seed.people.length);
  expect(items[0]).toEqual({ login: "ann", name: "Ann", boats: 22 });
});

test("visits belong to a boat and are paged by offset", async () => {
  const all = seed.visits.filter(({ boat }) => boat === "b1");
  expect(await get("/boats/b1/visits?offset=0&limit=20")).toEqual({
    visits: all.slice(0, 20),
    offset: 0,
    total: 23,
  });
  expect(await get("/boats/b1/visits?offset=20&limit=20")).toEqual({
    visits: all.slice(20),
    offset: 20,
    total: 23,
  });
  expect(await get("/boats/b1/visits/2026-01-05")).toEqual({
    boat: "b1",
    day: "2026-01-05",
    fee: 4.5,
  });
});

test("logs, papers, offices and a twin by key", async () => {
  expect(await get("/logs/1")).toEqual({ id: 1, text: "left the pier" });
  expect(await get("/papers/pa1")).toEqual({ id: "pa1", office: "o1" });
  expect(await get("/offices/o1")).toEqual({ id: "o1", city: "Bergen" });
  expect(await get("/boats/b1/twin")).toMatchObject({ id: "b2" });
  expect(await get("/boats/a%3B%3Bb")).toMatchObject({ id: "a;;b" });
});

test.each([
  ["/boats/b9", "there is no boat b9"],
  ["/boats/b9/visits", "there is no boat b9"],
  ["/boats/b3/twin", "there is no twin of boat b3"],
  ["/boats/b1/visits/1999-01-01", "there is no visit of boat b1 on 1999-01-01"],
  ["/people/none", "there is no person none"],
  ["/logs/0", "there is no log 0"],
  ["/papers/none", "there is no paper none"],
  ["/offices/none", "there is no office none"],
  ["/ships", "there is no GET /ships"],
])("404 at %s", async (path, message) => {
  const answer = await send("GET", apis.quay.url + path);
  expect([answer.status, answer.body]).toEqual([404, { message }]);
  expect(answer.headers.get("content-type")).toContain("application/json");
});

const page1000000 = "must be an integer from 1 to 1000000";

test.each([
  ["/boats?state=sunk", "state", "must be one of moored, sailing, lost"],
  ["/boats?page=0", "page", page1000000],
  ["/boats?page=1.5", "page", page1000000],
  ["/boats?page=", "page", page1000000],
  ["/boats?per_page=101", "per_page", "must be an integer from 1 to 100"],
  ["/boats?colour=red", "colour", "is unknown here, known: state, near, page, per_page"],
  ["/boats?page=1&page=2", "page", "is given twice"],
  ["/boats/b1/visits?offset=-1", "offset", "must be an integer from 0 to 1000000"],
  ["/search/boats", "q", "is required"],
])("422 at %s", async (path, field, message) => {
  const answer = await send("GET", apis.quay.url + path);
  expect([answer.status, answer.body]).toEqual([
    422,
    { message: `${field} ${message}`, errors: [{ field, message }] },
  ]);
});
