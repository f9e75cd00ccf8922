import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Received, type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import type { EffectEntry } from "../../effects/effect-log.ts";
import { effectNode, lit } from "../../testing/effect-nodes.ts";
import { quickClock, run, type Setting } from "../../testing/fixture-run.ts";
import { orchard } from "../../testing/orchard-catalog.ts";
import { onTree, plant } from "../../testing/orchard-effects.ts";

const OK: Reply = { json: { id: 7, name: "x" } };
const post = plant({ name: lit("x") });
const put = onTree("update", "tree_put", { name: lit("x") });
const fell = onTree("delete", "tree_fell");
const pay = onTree("action", "tree_pay", { sum: lit(1) });

let server: TestServer;
let setting: Setting;
let replies: Reply[];

beforeEach(async () => {
  replies = [];
  server = await startServer(() => replies.shift() ?? OK);
  setting = { catalogs: [orchard()], backends: { orchard: server.url } };
});
afterEach(() => server.close());

async function outcome(body: Parameters<typeof effectNode>[2], over: Partial<Setting> = {}) {
  const { nodes, effects, status, requests } = await run({ ...setting, ...over }, [
    effectNode("n1", 0, body),
  ]);
  const [entry] = effects;
  if (entry === undefined) throw new Error("no effect");
  return { entry, error: nodes[0]?.error ?? null, status, requests, sent: server.log.length };
}

const statusOf = (entry: EffectEntry) => entry.status;
const hangUp: Reply = { hangUp: true };
const limited: Reply = { status: 429, text: "" };
const busy: Reply = { status: 503, text: "" };

describe("RUN-025: what may be sent again", () => {
  test.each<[string, typeof post, readonly Reply[], number, EffectEntry["status"]]>([
    ["POST, connection lost", post, [hangUp], 1, "in_doubt"],
    ["PUT, connection lost", put, [hangUp], 1, "in_doubt"],
    ["DELETE, connection lost", fell, [hangUp], 1, "in_doubt"],
    ["with a key, connection lost", pay, [hangUp], 2, "done"],
    ["with a key, lost three times", pay, [hangUp, hangUp, hangUp], 3, "in_doubt"],
    ["POST, 429", post, [limited], 1, "failed"],
    ["PUT, 429", put, [limited], 2, "done"],
    ["DELETE, 429", fell, [limited, limited], 3, "done"],
    ["with a key, 429", pay, [limited], 2, "done"],
    ["18.4 POST, 503", post, [busy], 1, "in_doubt"],
    ["PUT, 503", put, [busy], 2, "done"],
    ["PUT, 503 three times", put, [busy, busy, busy], 3, "in_doubt"],
    ["with a key, 503", pay, [busy], 2, "done"],
    ["POST, 502", post, [{ status: 502, text: "" }], 1, "in_doubt"],
    ["PUT, 504", put, [{ status: 504, text: "" }], 1, "in_doubt"],
    ["with a key, 502", pay, [{ status: 502, text: "" }], 2, "done"],
    [
      "with a key, 504 three times",
      pay,
      [504, 504, 504].map((status) => ({ status, text: "" })),
      3,
      "in_doubt",
    ],
    ["RUN-189 POST, 408", post, [{ status: 408, text: "" }], 1, "in_doubt"],
    ["RUN-189 POST, 520", post, [{ status: 520, text: "" }], 1, "in_doubt"],
    ["RUN-189 POST, 524", post, [{ status: 524, text: "" }], 1, "in_doubt"],
    ["POST, 500", post, [{ status: 500, json: {} }], 1, "failed"],
    ["PUT, 500", put, [{ status: 500, json: {} }], 1, "failed"],
    ["with a key, 422", pay, [{ status: 422, json: {} }], 1, "failed"],
    ["with a key, lost, then 422", pay, [hangUp, { status: 422, json: {} }], 2, "in_doubt"],
    ["with a key, lost, then 429 without end", pay, [hangUp, limited, limited], 3, "in_doubt"],
    ["with a key, lost, then 409", pay, [hangUp, { status: 409, json: {} }], 2, "in_doubt"],
    ["PUT, 503, then lost", put, [busy, hangUp], 2, "in_doubt"],
  ])("%s", async (_what, body, given, sent, status) => {
    replies = [...given];
    const seen = await outcome(body);
    expect([seen.sent, statusOf(seen.entry)]).toEqual([sent, status]);
    expect(seen.error === null).toBe(status === "done");
    expect(seen.error?.code === "effect_in_doubt").toBe(status === "in_doubt");
    expect(seen.requests).toHaveLength(sent);
  });

  test("nothing was sent: always tried again, then failed", async () => {
    const gone = server.url;
    await server.close();
    const seen = await outcome(post, { backends: { orchard: gone } });
    expect(seen.requests.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(seen.entry).toMatchObject({ status: "failed", httpStatus: null });
    expect(seen.error).toMatchObject({ code: "upstream_error", retryable: true });
  });

  test("the key is the same in every attempt", async () => {
    replies = [hangUp, busy];
    const { entry } = await outcome(pay);
    const keys = server.log.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([entry.idempotencyKey, entry.idempotencyKey, entry.idempotencyKey]);
  });

  test("Retry-After is waited for", async () => {
    const clock = quickClock();
    replies = [{ ...limited, headers: { "retry-after": "7" } }];
    const { entry } = await outcome(put, { clock });
    expect([entry.status, clock.waits]).toEqual(["done", [7_000]]);
  });

  test.each([
    [put, limited],
    [post, limited],
  ])("one that is too long is rate_limited, and says when", async (body, reply) => {
    replies = [{ ...reply, headers: { "retry-after": "120" } }];
    const { error, sent, entry } = await outcome(body);
    expect(error).toMatchObject({ code: "rate_limited", retryAfter: 120, retryable: true });
    expect([sent, entry.status]).toEqual([1, "failed"]);
  });
});

describe("RUN-216: an effect waits where no request is left", () => {
  const last = (reset: string): Reply => ({
    ...OK,
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset },
  });
  const three = [1, 2, 3].map((n) => effectNode(`n${n}`, n, plant({ name: lit(`tree ${n}`) })));

  test.each([
    ["seconds from now", "20"],
    ["a time", String(Date.UTC(2026, 0, 5, 12, 0, 20) / 1_000)],
    ["a time in milliseconds", String(Date.UTC(2026, 0, 5, 12, 0, 20))],
  ])("RUN-215 told in %s", async (_told, reset) => {
    const clock = quickClock();
    replies = [OK, last(reset), OK];
    const { status } = await run({ ...setting, clock }, three);
    expect([status, server.log.length, clock.waits]).toEqual(["succeeded", 3, [20_000]]);
  });

  test("no longer than a minute: the API itself refuses then", async () => {
    const clock = quickClock();
    replies = [OK, last("61"), OK];
    const { status } = await run({ ...setting, clock }, three);
    expect([status, clock.waits]).toEqual(["succeeded", []]);
  });
});

test.each<[string, readonly Reply[], number, EffectEntry["status"]]>([
  ["once", [limited], 2, "done"],
  ["three times", [limited, limited, limited], 3, "failed"],
])("RUN-025 POST, 429 %s, where the catalog lists it", async (_what, given, sent, status) => {
  replies = [...given];
  const seen = await outcome(post, { catalogs: [orchard("not_done_statuses: [429]\n")] });
  expect([seen.sent, statusOf(seen.entry)]).toEqual([sent, status]);
});

describe("18.4: a catalog that says which answers mean that nothing was done", () => {
  const declared = (): Partial<Setting> => ({
    catalogs: [orchard("not_done_statuses: [503]\n")],
  });

  test.each<[string, typeof post, readonly Reply[], number, EffectEntry["status"]]>([
    ["POST, 503 once", post, [busy], 2, "done"],
    ["POST, 503 three times", post, [busy, busy, busy], 3, "failed"],
    ["POST, 502, which it does not say", post, [{ status: 502, text: "" }], 1, "in_doubt"],
    ["POST, lost", post, [hangUp], 1, "in_doubt"],
  ])("%s", async (_what, body, given, sent, status) => {
    replies = [...given];
    const seen = await outcome(body, declared());
    expect([seen.sent, statusOf(seen.entry)]).toEqual([sent, status]);
  });

  test("the advice is to plan it again", async () => {
    replies = [busy, busy, busy];
    const { error } = await outcome(post, declared());
    expect(error?.correction).toBe("it was not done; plan this effect again later");
  });

  test("of one that says nothing, a 503 that asks to wait too long is in doubt, and nothing is sent again", async () => {
    replies = [{ ...busy, headers: { "retry-after": "120" } }];
    const { error, sent, entry } = await outcome(put);
    expect([sent, entry.status, error?.code]).toEqual([1, "in_doubt", "effect_in_doubt"]);
  });
});

describe("PLAN-073: an effect in doubt says what to look at", () => {
  test.each<[string, typeof post, readonly string[]]>([
    ["create", post, ["new Tree", "name=x"]],
    ["update", put, ["Tree:7", "name"]],
    ["delete", fell, ["Tree:7", "gone"]],
  ])("%s", async (_kind, body, words) => {
    replies = [hangUp];
    const { error, entry } = await outcome(body);
    expect(error).toMatchObject({ code: "effect_in_doubt", retryable: false });
    for (const word of words) expect(error?.correction).toContain(word);
    expect(error?.correction).toContain("never the whole program");
    expect(entry.error).toEqual(error);
  });

  test("an answer that cannot be read is no proof", async () => {
    replies = [{ text: "<html><body>Sign in</body></html>" }];
    const { error, entry } = await outcome(put);
    expect([error?.code, entry.status, entry.httpStatus]).toEqual([
      "effect_in_doubt",
      "in_doubt",
      200,
    ]);
  });
});

describe("RUN-027: redirects", () => {
  const moved = (status: number, location: string): Reply => ({
    status,
    text: "",
    headers: { location },
  });

  test.each([307, 308])(
    "%i at the same origin is followed with method and body",
    async (status) => {
      replies = [moved(status, "/elsewhere?x=1")];
      const { entry } = await outcome(post);
      expect(entry.status).toBe("done");
      const [first, second] = server.log;
      expect([second?.method, second?.url, second?.body]).toEqual([
        "POST",
        "/elsewhere?x=1",
        first?.body,
      ]);
    },
  );

  test.each([307, 308])("%i to another origin is refused; nothing happened", async (status) => {
    replies = [moved(status, "http://127.0.0.1:9/x")];
    const { error, entry, sent } = await outcome(post);
    expect([error?.code, entry.status, sent]).toEqual(["origin_refused", "failed", 1]);
    expect(error?.message).toContain("http://127.0.0.1:9");
  });

  test.each([301, 302, 303])("%i is not followed, and leaves doubt", async (status) => {
    replies = [moved(status, "/trees/9")];
    const { error, sent } = await outcome(post);
    expect([error?.code, sent]).toEqual(["effect_in_doubt", 1]);
    expect(error?.message).toContain(
      "/trees/9, where no effect follows: if the API has moved, set PLASM_BACKEND_ORCHARD",
    );
  });

  test("more than five are refused", async () => {
    replies = Array.from({ length: 9 }, (_none, n) => moved(307, `/${n}`));
    const { error, sent } = await outcome(post);
    expect([error?.code, sent]).toEqual(["origin_refused", 6]);
  });
});

test("effects come on connections of their own, never on idle ones", async () => {
  const nodes = [effectNode("n1", 0, put), effectNode("n2", 1, put)];
  const { status } = await run(setting, nodes);
  const connections = server.log.map(({ headers }: Received) => headers.connection);
  expect([status, connections]).toEqual(["succeeded", ["close", "close"]]);
});
