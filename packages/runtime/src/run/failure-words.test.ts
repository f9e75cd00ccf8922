import { afterEach, describe, expect, test } from "vitest";
import { type Reply, startServer, type TestServer } from "@plasm/testkit/servers";
import { effect, effectNode, effectOn, lit } from "../testing/effect-nodes.ts";
import { catalogOf, run } from "../testing/fixture-run.ts";
import { boat, boats } from "../testing/nodes.ts";

const domain = (url: string, top: string, output: string) => `
version: 1
http_backend: ${url}
${top}
values:
  text: { type: string, string_semantics: short }
  count: { type: integer }
entities:
  Boat:
    id_field: id
    fields: { id: { value_ref: text }, name: { value_ref: text }, ok: { value_ref: text } }
  Berth:
    id_field: code
    fields: { code: { value_ref: text }, size: { value_ref: count } }
  Rope:
    key_vars: [boat, no]
    id_field: no
    fields: { boat: { value_ref: text }, no: { value_ref: text } }
capabilities:
  boat_query: { kind: query, entity: Boat }
  boat_get: { kind: get, entity: Boat }
  boat_ping: { kind: action, entity: Boat, output: ${output} }
  berth_get: { kind: get, entity: Berth }
  berth_create:
    kind: create
    entity: Berth
    parameters: [{ name: code, value_ref: text, required: true }, { name: size, value_ref: count }]
  berth_put:
    kind: create
    entity: Berth
    parameters: [{ name: code, value_ref: text, required: true }]
  berth_split:
    kind: create
    entity: Berth
    parameters: [{ name: code, value_ref: text, required: true }]
  rope_create:
    kind: create
    entity: Rope
    parameters: [{ name: boat, value_ref: text, required: true }, { name: no, value_ref: text, required: true }]
`;

const mappings = (response: string, ping: string) => `
boat_query: { method: GET, path: [{ type: literal, value: boats }], response: { items: boats${response} } }
boat_get: { method: GET, path: [{ type: literal, value: boats }, { type: var, name: id }] }
boat_ping:
  method: POST
  path: [{ type: literal, value: boats }, { type: var, name: id }, { type: literal, value: ping }]
  ${ping}
berth_get: { method: GET, path: [{ type: literal, value: berths }, { type: var, name: code }] }
berth_create:
  method: POST
  path: [{ type: literal, value: berths }]
  body: { type: var, name: input }
berth_put: { method: PUT, path: [{ type: literal, value: berths }, { type: var, name: code }] }
berth_split:
  method: POST
  path: [{ type: literal, value: berths }, { type: var, name: code }, { type: literal, value: halves }]
rope_create:
  method: POST
  path: [{ type: literal, value: boats }, { type: var, name: boat }, { type: literal, value: ropes }]
  body: { type: object, fields: [[no, { type: var, name: no }]] }
`;

interface Case {
  readonly top?: string;
  readonly response?: string;
  readonly ping?: string;
  readonly output?: string;
}

const SIDE = "{ type: side_effect, description: pings it }";

let server: TestServer | undefined;
afterEach(() => server?.close());

async function setting(reply: Reply, { top = "", response = "", ping = "", output = SIDE }: Case) {
  server = await startServer(() => reply);
  const catalog = catalogOf("quay", domain(server.url, top, output), mappings(response, ping));
  return { catalogs: [catalog], backends: {} };
}

async function pinged(reply: Reply, how: Case = {}) {
  const outcome = await run(await setting(reply, how), [
    effectNode("n1", 0, effect("action", "b1", {}, "ping")),
  ]);
  const { error } = outcome.nodes[0] ?? {};
  return {
    status: outcome.effects[0]?.status,
    message: error?.message ?? null,
    requests: server?.log.length,
  };
}

describe("17.8 RUN-041: error_when goes before done", () => {
  const WHEN = "response: { error_when: [{ path: ok, eq: false, message_path: why.text }] }";

  test("a write without rows that is answered 200 and ok: false has failed", async () => {
    const reply = { json: { ok: false, why: { text: "it is asleep" } } };
    const { status, message, requests } = await pinged(reply, { ping: WHEN });
    expect([status, requests]).toEqual(["failed", 1]);
    expect(message).toContain('reports a failure: "it is asleep".');
    expect((await pinged({ json: { ok: true } }, { ping: WHEN })).status).toBe("done");
  });

  test("a sign with in_doubt leaves it open whether it happened, wherever it stands among others", async () => {
    const signs = (...all: readonly string[]) => ({
      ping: `response: { error_when: [${all.join(", ")}] }`,
    });
    const [open, refused] = [
      "{ path: error, eq: broke_off, in_doubt: true }",
      "{ path: ok, eq: false, message_path: error }",
    ];
    const broken = { json: { ok: false, error: "broke_off" } };
    for (const all of [signs(open, refused), signs(refused, open)]) {
      const { status, message, requests } = await pinged(broken, all);
      expect([status, requests]).toEqual(["in_doubt", 1]);
      expect(message).toContain("broke_off");
      await server?.close();
      expect((await pinged({ json: { ok: false, error: "asleep" } }, all)).status).toBe("failed");
      await server?.close();
    }
  });

  test("so it has without error_when, where no row is expected, whatever the entity calls its fields", async () => {
    expect((await pinged({ json: { ok: false, error: "asleep" } })).status).toBe("failed");
    await server?.close();
    // A row of it is data.
    expect((await pinged({ json: { id: "b1", ok: false } })).status).toBe("done");
  });

  test("and as text/plain", async () => {
    const reply = { text: '{"ok":false}', headers: { "content-type": "text/plain" } };
    expect((await pinged(reply, { ping: WHEN })).status).toBe("failed");
  });
});

describe("RUN-041: the parts of a 207", () => {
  const parts = (...codes: readonly (number | string)[]): Reply => ({
    status: 207,
    json: { took: 3, results: codes.map((status) => ({ status, error: null, why: "asleep" })) },
  });

  test("that all failed are a failure, that did not are done", async () => {
    const { status, message } = await pinged(parts(409, "HTTP/1.1 423 Locked"));
    expect(status).toBe("failed");
    expect(message).toContain("answered 207, and 2 of 2 parts failed");
    await server?.close();
    expect((await pinged(parts(200, "201"))).status).toBe("done");
  });

  test("of which some failed make the result partial, which says how many", async () => {
    const outcome = await run(await setting(parts(200, 409, 200), {}), [
      effectNode("n1", 0, effect("action", "b1", {}, "ping")),
    ]);
    expect(outcome.effects[0]?.status).toBe("done");
    expect(outcome.results[0]?.partial).toBe("parts_failed");
    expect(outcome.diagnostics).toMatchObject([
      { code: "parts_failed", detail: expect.stringContaining("1 of 3 parts failed") },
    ]);
  });

  test("are looked at in lists, too, and not where error_when says what fails", async () => {
    const body = { status: 207, json: { boats: [{ id: "b1" }, { id: "b2", error: "fog" }] } };
    const list = await run(await setting(body, {}), [boats()]);
    expect(list.results[0]?.partial).toBe("parts_failed");
    await server?.close();
    const own = await run(await setting(body, { response: ", error_when: []" }), [boats()]);
    expect(own.results[0]?.partial).toBeNull();
  });
});

describe("17.8 success_indicators", () => {
  const output = "{ type: status, success_indicators: [ok, 202, { path: state.name, eq: done }] }";

  test.each<[string, Reply, string]>([
    ["text", { text: "OK", headers: { "content-type": "text/plain" } }, "done"],
    ["a member with it", { json: { status: "ok" } }, "done"],
    ["a member of its name", { json: { ok: true } }, "done"],
    ["a status", { status: 202, json: { queued: 1 } }, "done"],
    ["a path", { json: { state: { name: "done" } } }, "done"],
    ["no body", { status: 204, text: "" }, "done"],
    ["none of them", { json: { status: "rejected", message: "it is asleep" } }, "failed"],
    ["other text", { text: "queue full", headers: { "content-type": "text/plain" } }, "failed"],
  ])("%s", async (_name, reply, expected) => {
    const { status, message } = await pinged(reply, { output });
    expect(status).toBe(expected);
    const quoted = /without a sign of success .*: "(it is asleep|queue full)"/.exec(message ?? "");
    expect(quoted === null).toBe(expected === "done");
    expect(message === null).toBe(expected === "done");
  });
});

describe("17.8 RUN-039: the API's own words of statuses from 400 on", () => {
  const read = async (reply: Reply, how: Case) => {
    const outcome = await run(await setting(reply, how), [boats()]);
    return outcome.nodes[0]?.error?.message ?? null;
  };

  test("stand where message_path says", async () => {
    const json = { message: "Bad Request", fault: { text: "the tide is out" } };
    const own = { response: ", message_path: fault.text" };
    expect(await read({ status: 422, json }, own)).toContain('answered 422: "the tide is out".');
    expect(await read({ status: 422, json: { message: "Bad Request" } }, own)).toContain(
      "Bad Request",
    );
    expect(
      await pinged({ status: 409, json }, { ping: "response: { message_path: fault.text }" }),
    ).toMatchObject({ message: expect.stringContaining('"the tide is out"') });
  });

  test("with reason and details, bounded and without secrets", async () => {
    const json = {
      error: { message: "Conflict", details: [{ reason: "use close", note: "x".repeat(2000) }] },
    };
    const message = await read({ status: 409, json }, {});
    expect(message).toContain("Conflict: ");
    expect(message).toContain("use close");
    expect([...(message ?? "")].length).toBeLessThan(768 + 120);
  });
});

describe("17.8 response_defaults: one for all mappings of a catalog", () => {
  const top = "response_defaults: { error_when: [{ path: state, eq: bad }], message_path: [why] }";
  const bad: Reply = { json: { state: "bad", why: "fog", boats: [{ id: "b1" }], id: "b1" } };

  test("lists, gets and writes, with a response of their own or none", async () => {
    const own = await setting(bad, { top });
    const list = await run(own, [boats()]);
    expect(list.nodes[0]?.error?.message).toContain('reports a failure: "fog"');
    const get = await run(own, [boat("b1")]);
    expect(get.nodes[0]?.error?.message).toContain('"fog"');
    await server?.close();
    expect(await pinged(bad, { top })).toMatchObject({ status: "failed" });
  });

  test("statuses from 400 on", async () => {
    const { message } = await pinged(
      { status: 400, json: { why: "fog", message: "Bad Request" } },
      { top },
    );
    expect(message).toContain('answered 400: "fog"');
  });

  test("a mapping's own goes before it, an empty list switches it off", async () => {
    const own = await setting(bad, { top, response: ", error_when: []" });
    expect((await run(own, [boats()])).results[0]?.rows).toHaveLength(1);
  });
});

describe("17.8 RUN-040, RUN-043: a created row without a body shows its key", () => {
  const created = async (
    label: string,
    args: Record<string, string>,
    reply: Reply,
    entity = "Berth",
  ) => {
    const own = await setting(reply, {});
    const given = Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, lit(value)]),
    );
    const capability = `${entity.toLowerCase()}_${label}`;
    const body = effectOn("quay", entity, "create", capability, null, given);
    const outcome = await run(own, [effectNode("n1", 0, body)]);
    return {
      refs: outcome.results[0]?.rows.map(({ ref }) => ref),
      values: outcome.results[0]?.rows.map(({ values }) => values),
      status: outcome.effects[0]?.status,
      said: outcome.results[0]?.diagnostics.map(({ code }) => code),
    };
  };
  const empty: Reply = { status: 201, text: "" };

  test("that its arguments chose", async () => {
    expect(await created("create", { code: "A7" }, empty)).toEqual({
      refs: ["Berth:A7"],
      values: [{ code: "A7" }],
      status: "done",
      said: [],
    });
  });

  test("that it was put to", async () => {
    expect((await created("put", { code: "A7" }, { status: 204, text: "" })).refs).toEqual([
      "Berth:A7",
    ]);
  });

  test("not one that only leads to where it is made", async () => {
    const { refs, said } = await created("split", { code: "A7" }, empty);
    expect([refs, said]).toEqual([[null], ["identity_missing"]]);
  });

  test("of several parts, and a Location goes before them", async () => {
    expect((await created("create", { boat: "b1", no: "r2" }, empty, "Rope")).refs).toEqual([
      "Rope:boat=b1,no=r2",
    ]);
    await server?.close();
    const located = { ...empty, headers: { location: "/berths/A8" } };
    expect((await created("create", { code: "A7" }, located)).refs).toEqual(["Berth:A8"]);
  });
});
