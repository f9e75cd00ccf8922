import type { Capability, PlanValue } from "@plasm/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { RunFailure } from "../base/run-failure.ts";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { boats } from "../testing/nodes.ts";
import { argumentSets } from "./list-sets.ts";

let quay: TestServer;
let setting: Setting;
const count = 100;

beforeAll(async () => {
  quay = await startQuay(makeBoats(count));
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterAll(() => quay.close());

/** `Boat{owner in …}`: one list for each owner, 25 boats each, two pages. */
const ownedBy = (owner: PlanValue, over: object = {}) =>
  boats({ capability: "boat_query_owner", args: { owner }, ...over });

const owners = ["ann", "bob", "ann", "cora"];
const boatsOf = (owner: string) =>
  makeBoats(count).flatMap((one) => (one.owner === owner ? [`Boat:${one.id}`] : []));
const merged = ["ann", "bob", "cora"].flatMap(boatsOf);

describe("C-080 one request per distinct value of a required parameter (RUN-111)", () => {
  test("in the order of the values, every page of each", async () => {
    quay.log.splice(0);
    const { results, status } = await run(setting, [ownedBy({ lit: owners })]);
    expect(status).toBe("succeeded");
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(merged);
    expect(quay.log.map(({ path }) => path)).toEqual(
      ["ann", "bob", "cora"].flatMap((owner) => Array(2).fill(`/owners/${owner}/boats`)),
    );
  });

  test("the values may be a column, null cells left out", async () => {
    const column = { from: "n1", path: ["owner"], type: "Person(str)", many: true };
    const nodes = [boats({ limit: 8, wanted: ["id", "owner"] }), ownedBy(column, { id: "n2" })];
    const { results } = await run(setting, nodes);
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(merged);
  });

  test("no value is no request and no row", async () => {
    quay.log.splice(0);
    const { results, status } = await run(setting, [ownedBy({ lit: [] })]);
    expect([status, results[0]?.rows, quay.log]).toEqual(["succeeded", [], []]);
  });

  test("a limit stops reading", async () => {
    quay.log.splice(0);
    const { results } = await run(setting, [ownedBy({ lit: owners }, { limit: 30 })]);
    expect(results[0]?.rows).toHaveLength(30);
    expect(quay.log).toHaveLength(3);
  });

  test("a row of several values is given once", async () => {
    const same = await startQuay(makeBoats(3), ({ path }) =>
      path.startsWith("/owners/") ? { json: { items: [{ id: "b1" }], total: 1 } } : null,
    );
    const { results } = await run({ ...setting, backends: { quay: same.url } }, [
      ownedBy({ lit: ["ann", "bob"] }),
    ]);
    await same.close();
    expect(results[0]?.rows.map(({ ref }) => ref)).toEqual(["Boat:b1"]);
    expect(results[0]?.diagnostics).toEqual([]);
  });

  test("more values than fan_out are budget_exceeded before any request", async () => {
    quay.log.splice(0);
    const { nodes } = await run({ ...setting, limits: { fan_out: 2 } }, [ownedBy({ lit: owners })]);
    expect(nodes[0]?.error).toMatchObject({ code: "budget_exceeded" });
    expect(nodes[0]?.error?.message).toContain("3 values");
    expect(quay.log).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5])("cut after %i requests, its cursor goes on", async (requests) => {
    const cut = await run({ ...setting, limits: { requests } }, [ownedBy({ lit: owners })]);
    expect(cut.results[0]?.partial).toBe("requests");
    const rows = cut.results[0]?.rows.map(({ ref }) => ref) ?? [];
    let cursor = cut.results[0]?.cursor ?? null;
    expect(cursor).not.toBeNull();
    while (cursor !== null) {
      const more = await goOn(setting, cursor, 7);
      if (more.status === "failed") throw new Error(more.error.message);
      rows.push(...more.result.rows.map(({ ref }) => ref));
      cursor = more.result.cursor;
    }
    expect(rows).toEqual(merged);
  });
});

describe("argument sets", () => {
  const capability = (name: string): Capability => {
    const found = fixture("quay").cgs.capabilities.get(name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };

  test("are one where no slot has several values", () => {
    const args = { owner: "ann", state: "lost" };
    expect(argumentSets(capability("boat_query_owner"), args, 1)).toEqual([args]);
    expect(argumentSets(capability("boat_query"), {}, 1)).toEqual([{}]);
  });

  test("of several lists are all their combinations, within the limit together", () => {
    const args = { owner: ["ann", "bob"], state: ["lost", "moored"] };
    const sets = argumentSets(capability("boat_query_owner"), args, 4);
    expect(sets.map(({ owner, state }) => [owner, state])).toEqual([
      ["ann", "lost"],
      ["ann", "moored"],
      ["bob", "lost"],
      ["bob", "moored"],
    ]);
    expect(() => argumentSets(capability("boat_query_owner"), args, 3)).toThrow(RunFailure);
  });
});
