import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { send, startForTest, type Started } from "../testing/start-for-test.ts";
import { seedQuay } from "./seed.ts";

const seed = seedQuay();
let apis: Started;
beforeAll(async () => {
  apis = await startForTest();
});
beforeEach(() => apis.reset());
afterAll(() => apis[Symbol.asyncDispose]());

const quay = (method: string, path: string, body?: Parameters<typeof send>[2]) =>
  send(method, apis.quay.url + path, body);

test("create answers with the boat and where it is; its id was never used", async () => {
  const made = await quay("POST", "/boats", { name: "New", owner: "ann", length: 4.5, note: "hi" });
  const id = `b${seed.nextBoat}`;
  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toBe(`/boats/${id}`);
  expect(made.body).toMatchObject({ id, name: "New", owner: "ann", length: 4.5, note: "hi" });
  expect((await quay("GET", `/boats/${id}`)).body).toEqual(made.body);
  expect((await quay("GET", "/people/ann")).body).toMatchObject({ boats: 23 });

  await quay("DELETE", `/boats/${id}`);
  const next = await quay("POST", "/boats", { name: "Next", owner: "ann" });
  expect(next.body).toMatchObject({ id: `b${seed.nextBoat + 1}`, length: null, logs: [] });
});

test("update changes what is given, null included, and answers with the boat", async () => {
  const before = (await quay("GET", "/boats/b1")).body;
  const changed = await quay("PATCH", "/boats/b1", { name: "x", note: null });
  expect([changed.status, changed.body]).toEqual([
    200,
    { ...(before as object), name: "x", note: null },
  ]);
  expect((await quay("GET", "/boats/b1")).body).toEqual(changed.body);
});

test("ping and send answer with nothing and are kept", async () => {
  const pinged = await quay("POST", "/boats/b1/ping");
  const sent = await quay("POST", "/boats/b1/messages", { to: "a", note: "p1 ;; \"${x} it's" });
  await quay("POST", "/boats/b1/messages", { to: "b" });
  expect([pinged.status, pinged.body, sent.status, sent.body]).toEqual([
    204,
    undefined,
    204,
    undefined,
  ]);
  expect((await quay("GET", "/boats/b1")).body).toMatchObject({ pings: 1 });
  expect((await quay("GET", "/boats/b1/messages")).body).toEqual({
    items: [
      { to: "a", note: "p1 ;; \"${x} it's" },
      { to: "b", note: null },
    ],
  });
});

test("delete takes the boat and what was its own", async () => {
  expect(await quay("DELETE", "/boats/b2")).toMatchObject({ status: 204, body: undefined });
  for (const path of ["/boats/b2", "/boats/b2/visits", "/boats/b1/twin"]) {
    expect((await quay("GET", path)).status).toBe(404);
  }
  expect((await quay("DELETE", "/boats/b2")).status).toBe(404);
  expect((await quay("GET", "/boats")).body).toMatchObject({ total: seed.boats.length - 1 });
});

test("reset puts the first data back and forgets requests", async () => {
  await quay("DELETE", "/boats/b1");
  await apis.reset();
  expect(apis.requests).toEqual([]);
  expect((await quay("GET", "/boats/b1")).status).toBe(200);
});

const unknownBoat = { message: "there is no boat b9" };

test.each([
  ["PATCH", "/boats/b9", { name: "x" }],
  ["DELETE", "/boats/b9", undefined],
  ["POST", "/boats/b9/ping", undefined],
  ["POST", "/boats/b9/messages", { to: "a" }],
])("404 at %s %s", async (method, path, body) => {
  const answer = await quay(method, path, body);
  expect([answer.status, answer.body]).toEqual([404, unknownBoat]);
});

const needsOne = "needs at least one of name, state, note";

test.each([
  ["POST", "/boats", {}, "name is required; owner is required"],
  ["POST", "/boats", { name: "", owner: "ann" }, "name must be text that is not empty"],
  ["POST", "/boats", { name: "x", owner: "none" }, "owner must be the login of a person"],
  [
    "POST",
    "/boats",
    { name: "x", owner: "ann", length: "long", id: "b1" },
    "length must be a number above 0, or null; id is unknown here, known: name, owner, length, note",
  ],
  ["PATCH", "/boats/b1", {}, `body ${needsOne}`],
  ["PATCH", "/boats/b1", { state: "sunk" }, "state must be one of moored, sailing, lost, or null"],
  ["PATCH", "/boats/b1", { name: null }, "name must be text that is not empty"],
  ["POST", "/boats/b1/messages", { note: 1 }, "to is required; note must be text or null"],
  ["POST", "/boats/b1/ping", { loud: true }, "loud is unknown here, known: "],
])("422 at %s %s with %j", async (method, path, body, message) => {
  const answer = await quay(method, path, body);
  expect([answer.status, (answer.body as { message: string }).message]).toEqual([422, message]);
  expect((await quay("GET", "/boats/b1")).body).toMatchObject({ name: "Alma", pings: 0 });
});

test.each([
  ["{", "the body is not JSON"],
  ["[1]", "the body must be a JSON object"],
  ["", "the body is not JSON"],
])("400 for the body %j", async (text, message) => {
  const answer = await quay("POST", "/boats", text);
  expect([answer.status, answer.body]).toEqual([400, { message }]);
});

test("decimal text is a length and is kept digit by digit", async () => {
  const length = "9007199254740993.125";
  const made = await quay("POST", "/boats", { name: "Long", owner: "bob", length });
  expect(made.body).toMatchObject({ length });
});
