import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { send, startForTest, type Started } from "../testing/start-for-test.ts";

let apis: Started;
beforeAll(async () => {
  apis = await startForTest();
});
beforeEach(() => apis.reset());
afterAll(() => apis[Symbol.asyncDispose]());

const yard = (method: string, path: string, body?: Parameters<typeof send>[2]) =>
  send(method, apis.yard.url + path, body);

interface Page {
  readonly boats: readonly { readonly id: number }[];
  readonly next: string | null;
}

const walk = async (limit: number): Promise<readonly Page[]> => {
  const pages: Page[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const after: string = cursor === "" ? "" : `&after=${encodeURIComponent(cursor)}`;
    const page = (await yard("GET", `/boats?limit=${limit}${after}`)).body as Page;
    pages.push(page);
    cursor = page.next;
  }
  return pages;
};

const oneTo45 = Array.from({ length: 45 }, (_none, index) => index + 1);

test.each([
  [20, [20, 20, 5]],
  [15, [15, 15, 15]],
  [45, [45]],
  [100, [45]],
])("boats by cursor, %i at a time, each once and in order", async (limit, sizes) => {
  const pages = await walk(limit);
  expect(pages.map(({ boats }) => boats.length)).toEqual(sizes);
  expect(pages.flatMap(({ boats }) => boats.map(({ id }) => id))).toEqual(oneTo45);
});

test("a boat has a numeric id, and no dock if it stands nowhere", async () => {
  expect((await yard("GET", "/boats/1")).body).toEqual({ id: 1, dock: "dry 1" });
  expect((await yard("GET", "/boats/4")).body).toEqual({ id: 4, dock: null });
});

test("a part is found by maker and number", async () => {
  const part = { maker: "b & sons", no: 1, lines: ["winch", "hand driven", "with brake"] };
  expect((await yard("GET", "/parts/b%20%26%20sons/1")).body).toEqual(part);
  expect((await yard("GET", "/parts/a%2Fb/7")).body).toEqual({ maker: "a/b", no: 7, lines: [] });
});

test("edits apply one after the other and answer with the part", async () => {
  const ops = [
    { op: "insert", at: 1, text: "x" },
    { op: "drop", at: 0 },
  ];
  const edited = await yard("POST", "/parts/a/1/edits", { ops });
  expect(edited).toMatchObject({
    status: 200,
    body: { maker: "a", no: 1, lines: ["x", "three blades"] },
  });
  expect((await yard("GET", "/parts/a/1")).body).toEqual(edited.body);
});

test.each([
  [{}, "ops is required"],
  [{ ops: [] }, "ops must be a list that is not empty"],
  [{ ops: [1, { op: "turn" }] }, "ops[0] must be an object; ops[1].op must be one of insert, drop"],
  [
    { ops: [{ op: "insert", at: -1 }] },
    "ops[0].at must be an integer from 0; ops[0].text is required",
  ],
  [{ ops: [{ op: "drop", at: 0, text: "x" }] }, "ops[0].text is unknown here, known: op, at"],
  [{ ops: [{ op: "drop", at: 2 }] }, "ops[0].at is behind the last line"],
])("422 for the edits %j, and nothing is edited", async (body, message) => {
  const before = (await yard("GET", "/parts/a/1")).body;
  const answer = await yard("POST", "/parts/a/1/edits", body);
  expect([answer.status, (answer.body as { message: string }).message]).toEqual([422, message]);
  expect((await yard("GET", "/parts/a/1")).body).toEqual(before);
});

test.each([
  ["GET", "/boats/0", 404, "there is no boat 0"],
  ["GET", "/parts/a/9", 404, "there is no part 9 of maker a"],
  ["POST", "/parts/a/9/edits", 404, "there is no part 9 of maker a"],
  ["GET", "/boats?after=junk", 422, "after must be a `next` of an earlier page"],
  ["GET", "/boats?page=2", 422, "page is unknown here, known: after, limit"],
])("%s %s is %i", async (method, path, status, message) => {
  const answer = await yard(method, path, method === "POST" ? {} : undefined);
  expect([answer.status, (answer.body as { message: string }).message]).toEqual([status, message]);
});
