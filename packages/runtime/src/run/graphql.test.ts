import { compareCodePoints } from "@plasm/core/internal";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Reply } from "@plasm/testkit/servers";
import { quickClock, type Setting } from "../testing/fixture-run.ts";
import {
  type Asked,
  graphqlDepot,
  type GraphqlServer,
  startGraphql,
} from "../testing/graphql-depot.ts";
import { runText } from "../testing/run-text.ts";

const depot = graphqlDepot();
let graphql: GraphqlServer;
let reply: (asked: Asked) => Reply;

beforeAll(async () => {
  graphql = await startGraphql((asked) => reply(asked));
});
afterAll(() => graphql.server.close());
beforeEach(() => {
  graphql.asked.splice(0);
  reply = page;
});

const ALL = [1, 2, 3, 4, 5].map((size) => ({ id: `c${size}`, size }));

/** Two crates a page. */
function page({ variables }: Asked): Reply {
  const start = Number(variables["after"] ?? 0);
  const nodes = ALL.slice(start, start + 2);
  const end = start + nodes.length;
  const pageInfo = { hasNextPage: end < ALL.length, endCursor: String(end) };
  return { json: { data: { depot: { crates: { nodes, pageInfo } } } } };
}

async function ask(text: string, over: Partial<Setting> = {}) {
  const backends = { depot: graphql.server.url };
  const outcome = await runText({ catalogs: [depot], backends, ...over }, text);
  return { outcome, error: outcome.nodes[0]?.error ?? null, result: outcome.results[0] };
}

const NOT_FOUND = { message: "no such depot", type: "NOT_FOUND" };

describe("GraphQL reads", () => {
  test("MAP-042 RUN-072 cursors go into variables, and all pages are read", async () => {
    const { result } = await ask('Crate{depot=Depot("d1")}.sort(size, desc)[id]');
    expect(result?.rows.map(({ values }) => values["id"])).toEqual(["c5", "c4", "c3", "c2", "c1"]);
    expect(graphql.asked.map(({ variables }) => variables)).toEqual([
      { depot: "d1", first: 2 },
      { depot: "d1", first: 2, after: "2" },
      { depot: "d1", first: 2, after: "4" },
    ]);
  });

  test("a condition goes into variables; one request is enough for what one page holds", async () => {
    await ask('Crate{depot=Depot("d1"), size=3}.limit(2)');
    expect(graphql.asked.map(({ variables }) => variables)).toEqual([
      { depot: "d1", size: 3, first: 2 },
    ]);
  });

  test("RUN-023 equal operations are sent once, others are not taken for them", async () => {
    reply = ({ variables }) => ({ json: { data: { crate: { id: variables["id"], size: 1 } } } });
    await ask('Crate("c1")[size], Crate("c1")[id], Crate("c2")[size]');
    const asked = graphql.asked.map(({ variables }) => JSON.stringify(variables));
    expect(asked.toSorted(compareCodePoints)).toEqual(['{"id":"c1"}', '{"id":"c2"}']);
  });

  test.each<[string, Reply]>([
    ["503", { status: 503, text: "" }],
    ["a lost connection", { hangUp: true }],
    ["429", { status: 429, json: {}, headers: { "retry-after": "1" } }],
    [
      "a request error that asks to wait",
      { json: { errors: [{ message: "slow down" }] }, headers: { "retry-after": "1" } },
    ],
    [
      "a request error of a used-up limit",
      {
        json: { errors: [{ message: "slow down" }] },
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767614401" },
      },
    ],
    [
      "RUN-217 a request error whose code says that it is throttled",
      { json: { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] } },
    ],
    [
      "RUN-217 a 400 whose code says that it is limited",
      { status: 400, json: { errors: [{ message: "slow", extensions: { code: "RATELIMITED" } }] } },
    ],
    [
      "RUN-217 a request error whose type says that it is limited",
      { json: { errors: [{ message: "API limit", type: "RATE_LIMITED" }] } },
    ],
  ])("RUN-025 a read by POST is tried again after %s", async (_what, fault) => {
    const clock = quickClock();
    reply = (asked) => (graphql.asked.length === 1 ? fault : page(asked));
    const { outcome, result } = await ask('Crate{depot=Depot("d1")}.limit(1)', { clock });
    expect([outcome.status, result?.rows.length, graphql.asked.length]).toEqual([
      "succeeded",
      1,
      2,
    ]);
    expect(clock.waits).toHaveLength(1);
  });

  test("RUN-150 a rate limit under 200 says how long to wait and what the API says", async () => {
    reply = () => ({
      json: { errors: [{ message: "API limit", type: "RATE_LIMITED" }] },
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1767616200" },
    });
    const { error } = await ask('Crate("c1")');
    expect(error).toMatchObject({
      code: "rate_limited",
      retryable: true,
      retryAfter: 1800,
      request: { method: "POST", status: 200, apiText: "API limit" },
    });
    expect(graphql.asked).toHaveLength(1);
  });

  test("errors beside data are no rate limit, whatever the headers say", async () => {
    reply = () => ({
      json: { data: { crate: null }, errors: [NOT_FOUND] },
      headers: { "x-ratelimit-remaining": "0" },
    });
    const { error } = await ask('Crate("c1")');
    expect([error?.code, graphql.asked.length]).toEqual(["upstream_error", 1]);
  });
});

describe("RUN-041 errors under 200", () => {
  test.each<[string, string, unknown]>([
    ["of a list, no data", 'Crate{depot=Depot("d1")}', { errors: [NOT_FOUND] }],
    [
      "of a list, a null on the way",
      'Crate{depot=Depot("d1")}',
      { data: { depot: null }, errors: [NOT_FOUND] },
    ],
    [
      "of a list, null for the rows",
      'Crate{depot=Depot("d1")}',
      { data: { depot: { crates: { nodes: null } } }, errors: [NOT_FOUND] },
    ],
    ["of a get", 'Crate("c1")', { data: { crate: null }, errors: [NOT_FOUND] }],
    ["of a get, data null", 'Crate("c1")', { data: null, errors: [NOT_FOUND] }],
  ])("without rows fail: %s", async (_what, text, json) => {
    reply = () => ({ json });
    const { error } = await ask(text);
    expect(error).toMatchObject({
      code: "upstream_error",
      request: { method: "POST", pathTemplate: "/graphql", status: 200, apiText: "no such depot" },
    });
    expect(error?.message).toContain("no such depot");
    expect(graphql.asked).toHaveLength(1);
  });

  test.each<[string, string, unknown]>([
    [
      "a list",
      'Crate{depot=Depot("d1")}',
      { depot: { crates: { nodes: [ALL[0]], pageInfo: { hasNextPage: false } } } },
    ],
    ["a get", 'Crate("c1")', { crate: { ...ALL[0], note: null } }],
  ])("beside the rows of %s are a diagnostic and partial", async (_what, text, data) => {
    reply = () => ({ json: { data, errors: [{ message: "no note for you" }] } });
    const { outcome, result } = await ask(text);
    expect(outcome.status).toBe("succeeded");
    expect(result?.rows).toMatchObject([{ values: { id: "c1", size: 1 } }]);
    expect(result?.partial).toBe("graphql_errors");
    expect(outcome.diagnostics).toMatchObject([
      { code: "graphql_errors", detail: "no note for you" },
    ]);
  });

  test("an empty list of errors is none; null without errors is not found (RUN-031)", async () => {
    reply = page;
    const fine = await ask('Crate{depot=Depot("d1")}.limit(1)');
    expect(fine.result?.partial ?? []).toEqual([]);
    reply = () => ({ json: { data: { crate: null }, errors: [] } });
    expect((await ask('Crate("c9")')).error?.code).toBe("not_found");
  });

  test("RUN-031 an object of which nothing was selected is no row: it is of another type", async () => {
    reply = () => ({ json: { data: { crate: {} } } });
    expect((await ask('Crate("d1")')).error?.code).toBe("not_found");
    const nodes = [{}, ALL[0], {}];
    reply = () => ({ json: { data: { depot: { crates: { nodes, pageInfo: {} } } } } });
    const { result } = await ask('Crate{depot=Depot("d1")}');
    expect(result?.rows).toMatchObject([{ ref: "Crate:c1" }]);
  });
});
