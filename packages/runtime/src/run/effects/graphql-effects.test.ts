import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Reply } from "@plasm/testkit/servers";
import {
  type Asked,
  graphqlDepot,
  type GraphqlServer,
  startGraphql,
} from "../../testing/graphql-depot.ts";
import { memoryLog } from "../../testing/memory-log.ts";
import { runText } from "../../testing/run-text.ts";

const depot = graphqlDepot();
let graphql: GraphqlServer;
let reply: (asked: Asked) => Reply;

beforeAll(async () => {
  graphql = await startGraphql((asked) => reply(asked));
});
afterAll(() => graphql.server.close());
beforeEach(() => void graphql.asked.splice(0));

async function perform(text: string) {
  const effectLog = memoryLog();
  const backends = { depot: graphql.server.url };
  const outcome = await runText({ catalogs: [depot], backends, effectLog }, text);
  return {
    outcome,
    rows: outcome.results[0]?.rows.map(({ values }) => values),
    error: outcome.nodes[0]?.error ?? null,
    status: effectLog.writes.at(-1)?.status,
    sent: graphql.asked.map(({ name, variables }) => [name, variables]),
  };
}

const errors = [{ message: "not yours" }];
const crate = { id: "c1", size: 1, note: "n" };

describe("GraphQL mutations are effects", () => {
  test("variables carry identity, arguments and explicit null; the answer is the row", async () => {
    reply = () => ({ json: { data: { update: { crate: { ...crate, note: null } } } } });
    const { rows, sent, status } = await perform('Crate("c1").update(note=null)[id, note]');
    expect(sent).toEqual([["update", { id: "c1", note: null }]]);
    expect([rows, status]).toEqual([[{ id: "c1", note: null }], "done"]);
  });

  test("a create's row is the one of its payload; what was left out is not sent", async () => {
    reply = () => ({ json: { data: { create: { crate: { ...crate, id: "c9" } } } } });
    const { rows, sent } = await perform("Crate.create(size=1)[id]");
    expect([rows, sent]).toEqual([[{ id: "c9" }], [["create", { size: 1 }]]]);
  });

  test.each([[{ create: { crate: null } }], [{ create: null }]])(
    "RUN-211 a call without a row of its own whose answer has none, %j, is in doubt",
    async (data) => {
      reply = () => ({ json: { data } });
      const { error, status } = await perform("Crate.create(size=1)");
      expect([error?.code, status]).toEqual(["effect_in_doubt", "in_doubt"]);
      expect(error?.message).toContain("create was answered with no Crate and no error.");
    },
  );

  test("RUN-211 a change of a row whose payload is null is of a row that is not there", async () => {
    reply = () => ({ json: { data: { update: null } } });
    const { error, status } = await perform('Crate("c1").update(note="x")');
    expect([error?.code, status]).toEqual(["not_found", "failed"]);
  });

  const refusal = (more: object) => [{ message: "not yours", path: ["seal"], ...more }];
  const within = ["seal", "crate", "note"];

  test.each<[string, unknown]>([
    ["no data", { errors }],
    ["data null", { data: null, errors }],
    ["a code", { data: { seal: null }, errors: refusal({ extensions: { code: "FORBIDDEN" } }) }],
    ["a code of words", { data: null, errors: refusal({ extensions: { code: "notFound" } }) }],
    ["a type", { data: { seal: null }, errors: refusal({ type: "UNPROCESSABLE" }) }],
    ["a status", { data: { seal: null }, errors: refusal({ extensions: { status: 422 } }) }],
    [
      "a status of HTTP",
      { data: { seal: null }, errors: refusal({ extensions: { http: { status: 403 } } }) },
    ],
  ])(
    "RUN-041 errors and %s: it failed, though nothing but ok was expected",
    async (_what, json) => {
      reply = () => ({ json });
      const { error, status } = await perform('Crate("c1").seal()');
      expect(error).toMatchObject({ code: "upstream_error", request: { apiText: "not yours" } });
      expect([status, graphql.asked.length]).toEqual(["failed", 1]);
    },
  );

  test.each<[string, object]>([
    ["its member null", { data: { seal: null }, errors }],
    ["data null behind a path", { data: null, errors: refusal({}) }],
    [
      "a code of the server's own",
      { data: { seal: null }, errors: refusal({ extensions: { code: "INTERNAL_SERVER_ERROR" } }) },
    ],
    [
      "a time that ran out",
      { data: { seal: null }, errors: refusal({ extensions: { status: 408 } }) },
    ],
    [
      "a code from within its answer",
      {
        data: { seal: null },
        errors: refusal({ path: within, extensions: { code: "FORBIDDEN" } }),
      },
    ],
    [
      "a refusal among others",
      {
        data: { seal: null },
        errors: [...refusal({ extensions: { code: "FORBIDDEN" } }), { message: "and this" }],
      },
    ],
  ])(
    "RUN-041 errors and %s: whether it happened is unknown, and it is not repeated",
    async (_what, json) => {
      reply = () => ({ json });
      const { error, status } = await perform('Crate("c1").seal()');
      expect(error).toMatchObject({
        code: "effect_in_doubt",
        request: { apiText: expect.stringContaining("not yours") },
      });
      expect(error?.correction).toContain("look at Crate:c1");
      expect([status, graphql.asked.length]).toEqual(["in_doubt", 1]);
    },
  );

  test("RUN-041 a payload whose row is null because of an error within is in doubt as well", async () => {
    reply = () => ({
      json: {
        data: { update: { crate: null } },
        errors: [{ message: "no size", path: ["update", "crate", "size"] }],
      },
    });
    const { error, status } = await perform('Crate("c1").update(note="x")');
    expect([error?.code, status]).toEqual(["effect_in_doubt", "in_doubt"]);
  });

  test("RUN-041 errors beside what it answers are a diagnostic and partial: it is done", async () => {
    reply = () => ({ json: { data: { seal: { ok: true } }, errors } });
    const { outcome, rows, status } = await perform('Crate("c1").seal()');
    expect([rows, status]).toEqual([[{ ok: true }], "done"]);
    expect(outcome.results[0]?.partial).toBe("graphql_errors");
  });

  test.each<[string, Reply, string, string]>([
    ["a lost connection", { hangUp: true }, "effect_in_doubt", "in_doubt"],
    ["504", { status: 504, text: "" }, "effect_in_doubt", "in_doubt"],
    ["502", { status: 502, text: "" }, "effect_in_doubt", "in_doubt"],
    ["markup under 200", { text: "<p>ok</p>" }, "effect_in_doubt", "in_doubt"],
    ["503", { status: 503, text: "" }, "effect_in_doubt", "in_doubt"],
    ["429", { status: 429, json: {} }, "rate_limited", "failed"],
    [
      "a request error that asks to wait",
      { json: { errors }, headers: { "retry-after": "1" } },
      "rate_limited",
      "failed",
    ],
  ])("RUN-025 after %s a mutation is sent once", async (_what, fault, code, ending) => {
    reply = () => fault;
    const { error, status } = await perform('Crate("c1").update(note="x")');
    expect([error?.code, status, graphql.asked.length]).toEqual([code, ending, 1]);
  });

  test.each<[string, Reply]>([
    ["a lost connection", { hangUp: true }],
    ["a request error that asks to wait", { json: { errors }, headers: { "retry-after": "1" } }],
  ])("RUN-026 with an idempotency header it is sent again after %s", async (_what, fault) => {
    reply = () =>
      graphql.asked.length === 1 ? fault : { json: { data: { delete: { ok: true } } } };
    const { status } = await perform('Crate("c1").delete()');
    const keys = graphql.asked.map(({ headers }) => headers["idempotency-key"]);
    expect(status).toBe("done");
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toBeTruthy();
  });
});
