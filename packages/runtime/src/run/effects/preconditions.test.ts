import { type Reply, type TestServer, startServer } from "@plasm/testkit/servers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Setting, catalogOf, contextOf } from "../../testing/fixture-run.ts";
import { memoryLog } from "../../testing/memory-log.ts";
import { planProgram } from "../../testing/run-program.ts";
import { explainPlan, runPlan } from "../run-plan.ts";

const DOMAIN = `
version: 1
http_backend: http://127.0.0.1:1
values:
  text: { type: string, string_semantics: short }
  status: { type: select, allowed_values: [pending, paid, sent] }
  order: { type: entity_ref, target: Order }
entities:
  Order:
    fields:
      id: { value_ref: text }
      status: { value_ref: status }
      owner: { value_ref: text }
  Refund:
    fields:
      id: { value_ref: text }
      order: { value_ref: order }
capabilities:
  order_query: { kind: query, entity: Order, provides: [id, status] }
  order_get: { kind: get, entity: Order }
  order_cancel:
    kind: action
    entity: Order
    output: { type: side_effect, description: Called off }
    preconditions: [{ field: status, in: [pending, paid], description: sent orders come back as returns }]
  order_pay:
    kind: action
    entity: Order
    output: { type: side_effect, description: Paid }
    preconditions: [{ field: status, eq: pending }]
  order_send:
    kind: action
    entity: Order
    provides: [id, status]
    preconditions: [{ field: status, eq: paid }, { field: owner, exists: true }]
  order_rename:
    kind: update
    entity: Order
    parameters: [{ name: owner, value_ref: text, required: true }]
    output: { type: side_effect, description: Renamed }
    preconditions: [{ field: status, not_in: [sent] }]
  refund_create:
    kind: create
    entity: Refund
    parameters: [{ name: order, value_ref: order, required: true }]
    preconditions: [{ param: order, field: status, in: [paid, sent] }]
`;

const path = (...parts: readonly string[]): string =>
  `path: [${parts.map((part) => (part === "id" ? "{ type: var, name: id }" : `{ type: literal, value: ${part} }`)).join(", ")}]`;

const MAPPINGS = `
order_query: { method: GET, ${path("orders")}, response: bare_list }
order_get: { method: GET, ${path("orders", "id")}, response: single }
order_cancel: { method: POST, ${path("orders", "id", "cancel")} }
order_pay: { method: POST, ${path("orders", "id", "pay")} }
order_send: { method: POST, ${path("orders", "id", "send")}, response: single }
order_rename: { method: POST, ${path("orders", "id")}, body: { type: object, fields: [[owner, { type: var, name: owner }]] } }
refund_create: { method: POST, ${path("refunds")}, body: { type: object, fields: [[order, { type: var, name: order }]] }, response: single }
`;

const shop = catalogOf("shop", DOMAIN, MAPPINGS);

interface StoredOrder {
  readonly id: string;
  status: string;
  owner: string | null;
}

let orders: StoredOrder[];
let server: TestServer;
let setting: Setting;

function answer(method: string, url: string): Reply {
  const [place, id, verb] = url.slice(1).split("/");
  const order = orders.find((each) => each.id === id);
  if (place === "refunds") return { status: 201, json: { id: "r1" } };
  if (method === "GET" && id === undefined) {
    return { json: orders.map((each) => ({ id: each.id, status: each.status })) };
  }
  if (order === undefined) return { status: 404, json: {} };
  if (method === "GET") return { json: order };
  if (verb === "pay") order.status = "paid";
  if (verb === "send") order.status = "sent";
  return verb === "send" ? { json: order } : { status: 204, text: "" };
}

beforeEach(async () => {
  orders = [
    { id: "o1", status: "pending", owner: "ann" },
    { id: "o2", status: "sent", owner: "bob" },
    { id: "o3", status: "paid", owner: null },
  ];
  server = await startServer(({ method, path: url }) => answer(method, url));
  setting = { catalogs: [shop], backends: { shop: server.url } };
});
afterEach(() => server.close());

const sent = (): readonly string[] => server.log.map(({ method, path: url }) => `${method} ${url}`);
const changed = (): readonly string[] => sent().filter((each) => !each.startsWith("GET"));

const runText = (text: string) =>
  runPlan({ ...contextOf(setting), plan: planProgram(text, [shop]), effectLog: memoryLog() });

const explainText = (text: string, limits: Setting["limits"] = {}) =>
  explainPlan({ ...contextOf({ ...setting, limits }), plan: planProgram(text, [shop]) });

describe("17.17 OPS-38 an explanation says whether what an effect needs holds, and what the row has", () => {
  const judged = async (text: string, limits: Setting["limits"] = {}) =>
    (await explainText(text, limits)).effects.map(({ preconditions }) =>
      preconditions.map(({ needs, of, has, holds }) => [needs, of, has, holds]),
    );

  test("it holds, by a get", async () => {
    expect(await judged('Order("o1").cancel()')).toEqual([
      [["status in [pending, paid]", "Order:o1", "pending", true]],
    ]);
    expect(sent()).toEqual(["GET /orders/o1"]);
  });

  test("it does not hold; every effect is told, and none is sent", async () => {
    expect(await judged('Order("o2").cancel()\nOrder("o1").pay()')).toEqual([
      [["status in [pending, paid]", "Order:o2", "sent", false]],
      [["status=pending", "Order:o1", "pending", true]],
    ]);
    expect(changed()).toEqual([]);
  });

  test("rows at hand are not read again, and each row is told by itself", async () => {
    expect(await judged("Order => _.cancel()")).toEqual([
      [["status in [pending, paid]", "Order:o1", "pending", true]],
      [["status in [pending, paid]", "Order:o2", "sent", false]],
      [["status in [pending, paid]", "Order:o3", "paid", true]],
    ]);
    expect(sent()).toEqual(["GET /orders"]);
  });

  test("several preconditions of one row cost one get, those of an update none more", async () => {
    expect(await judged('Order("o3").send()')).toEqual([
      [
        ["status=paid", "Order:o3", "paid", true],
        ["exists(owner)", "Order:o3", null, false],
      ],
    ]);
    const { effects } = await explainText('Order("o1").rename(owner=eve)');
    expect(effects[0]).toMatchObject({
      changes: [{ field: "owner", before: "ann", after: "eve" }],
      preconditions: [{ needs: "not{status in [sent]}", has: "pending", holds: true }],
    });
    expect(sent()).toEqual(["GET /orders/o3", "GET /orders/o1"]);
  });

  test("of a create, the row that its argument refers to", async () => {
    expect(await judged('Refund.create(order=Order("o1"))')).toEqual([
      [["order.status in [paid, sent]", "Order:o1", "pending", false]],
    ]);
    expect(sent()).toEqual(["GET /orders/o1"]);
  });

  test("not known: a row that is not there, and a budget that is used up", async () => {
    expect(await judged('Order("o9").pay()')).toEqual([
      [["status=pending", "Order:o9", undefined, null]],
    ]);
    expect(await judged('Order("o1").pay()\nOrder("o2").pay()', { requests: 1 })).toEqual([
      [["status=pending", "Order:o1", "pending", true]],
      [["status=pending", "Order:o2", undefined, null]],
    ]);
  });
});

describe("17.17 a run refuses what a row in hand shows, before anything is sent", () => {
  test("a row that was read: nothing is sent, and the reason is said", async () => {
    const { status, effects, nodes } = await runText('o = Order("o2")\no.cancel()\no[id, status]');
    expect([status, effects.map((each) => each.status)]).toEqual(["failed", ["skipped"]]);
    const error = nodes.find((each) => each.error !== null)?.error;
    expect(error).toMatchObject({ code: "precondition_failed", retryable: false });
    expect(error?.message).toContain(
      'Order:o2 needs status in [pending, paid] (sent orders come back as returns), and its status is "sent"',
    );
    expect(changed()).toEqual([]);
  });

  test("rows in hand: none is sent if one does not meet it, and the filter it advises runs", async () => {
    const { nodes, effects } = await runText("Order => _.cancel()");
    expect(changed()).toEqual([]);
    expect(effects).toHaveLength(3);
    const error = nodes.find((each) => each.error !== null)?.error;
    expect(error).toMatchObject({ code: "precondition_failed", row: 1 });
    expect(error?.message).toContain("1 of 3");
    const [, filter = ""] = /(\.filter\{.*\}) before/.exec(error?.correction ?? "") ?? [];
    const { status } = await runText(`Order${filter} => _.cancel()`);
    expect([status, changed()]).toEqual([
      "succeeded",
      ["POST /orders/o1/cancel", "POST /orders/o3/cancel"],
    ]);
  });

  test("rows without that column get other advice", async () => {
    const { nodes } = await runText("r = Order[id]\nr => Order(_.id).cancel()");
    const error = nodes.find((each) => each.error !== null)?.error;
    expect(error?.code).toBe("precondition_failed");
    expect(error?.correction).not.toContain(".filter");
    expect(changed()).toEqual([]);
  });

  test("a row that nothing has read is not read for it: the API decides", async () => {
    const { status } = await runText('Order("o2").cancel()');
    expect([status, sent()]).toEqual(["succeeded", ["POST /orders/o2/cancel"]]);
  });

  test("RUN-062 what was read before an effect says nothing after it", async () => {
    const { status } = await runText('o = Order("o1")\no.pay()\nOrder("o1").cancel()\no[id]');
    expect([status, changed()]).toEqual([
      "succeeded",
      ["POST /orders/o1/pay", "POST /orders/o1/cancel"],
    ]);
  });

  test("what an effect answers counts: sent once, an order is not sent again", async () => {
    orders[0] = { id: "o1", status: "paid", owner: "ann" };
    const { effects } = await runText('Order("o1").send()\nOrder("o1").send()');
    expect(effects.map((each) => each.status)).toEqual(["done", "skipped"]);
    expect(effects[1]?.error).toMatchObject({ code: "precondition_failed" });
    expect(changed()).toEqual(["POST /orders/o1/send"]);
  });

  test("of a create, the row that its argument refers to", async () => {
    const { effects } = await runText('o = Order("o1")\nRefund.create(order=o)\no[id, status]');
    expect(effects[0]?.error?.message).toContain("Order:o1 needs order.status in [paid, sent]");
    expect(changed()).toEqual([]);
    const { status } = await runText('o = Order("o2")\nRefund.create(order=o)\no[id, status]');
    expect([status, changed()]).toEqual(["succeeded", ["POST /refunds"]]);
  });

  test("an unknown field is not hydrated, and a null one is known", async () => {
    orders = [{ id: "o1", status: "paid", owner: null }];
    const listed = await runText("Order => _.send()");
    expect([listed.status, sent()]).toEqual(["succeeded", ["GET /orders", "POST /orders/o1/send"]]);
    orders = [{ id: "o1", status: "paid", owner: null }];
    const read = await runText('o = Order("o1")\no.send()\no[id, owner]');
    expect(read.effects[0]?.error?.message).toContain("exists(owner), and its owner is null");
  });
});
