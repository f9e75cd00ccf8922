import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeBoats, startQuay, type TestServer } from "@plasm/testkit/servers";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";

let quay: TestServer;
let setting: Setting;

beforeAll(async () => {
  quay = await startQuay(makeBoats(45));
  setting = { catalogs: [fixture("quay")], backends: { quay: quay.url } };
});
afterEach(() => void quay.log.splice(0));
afterAll(() => quay.close());

const asked = (): readonly string[] => quay.log.splice(0).map(({ url }) => url);

async function ran(program: string, own: Setting = setting) {
  const { nodes, returns } = planProgram(program, own.catalogs);
  const { results, status } = await run(own, nodes, returns);
  return { status, result: results[0] };
}

function cursorOf(result: Awaited<ReturnType<typeof ran>>["result"]) {
  const cursor = result?.cursor ?? null;
  if (cursor === null) throw new Error("no cursor");
  return cursor;
}

async function rowsOf(program: string, own: Setting = setting) {
  const { status, result } = await ran(program, own);
  expect(status).toBe("succeeded");
  return result?.rows.map(({ values }) => values);
}

/** Fees of the test quay: b1 has 23 visits with the fees 0 to 22, any other its number modulo 3. */
const THREE = "b = Boat.limit(3)\n";

describe("LANG-055: what related rows come to", () => {
  test("of a scoped list: one list a row, all its pages, however much is asked of it", async () => {
    const all =
      "n: count(_.visits), fees: sum(_.visits.fee), top: max(_.visits.fee), mean: avg(_.visits.fee), last: max(_.visits.day)";
    expect(await rowsOf(`${THREE}b => {id: _.id, ${all}}`)).toEqual([
      { id: "b1", n: 23, fees: 253, top: 22, mean: 11, last: "2026-01-23" },
      { id: "b2", n: 2, fees: 1, top: 1, mean: 0.5, last: "2026-01-02" },
      { id: "b3", n: 0, fees: 0, top: null, mean: null, last: null },
    ]);
    expect(asked().toSorted()).toEqual([
      "/boats/b1/visits?limit=20&offset=0",
      "/boats/b1/visits?limit=20&offset=20",
      "/boats/b2/visits?limit=20&offset=0",
      "/boats/b3/visits?limit=20&offset=0",
      "/boats?page=1&per_page=20",
    ]);
  });

  test("under conditions of their own", async () => {
    const program = `${THREE}b => {big: count(_.visits{fee > 20}), sum: sum(_.visits{fee > 20 or fee = 1}.fee)}`;
    expect(await rowsOf(program)).toEqual([
      { big: 2, sum: 44 },
      { big: 0, sum: 1 },
      { big: 0, sum: 0 },
    ]);
  });

  test("whether there is one ends with the first", async () => {
    expect(await rowsOf(`${THREE}b => {any: exists(_.visits)}`)).toEqual([
      { any: true },
      { any: true },
      { any: false },
    ]);
    expect(asked()).not.toContain("/boats/b1/visits?limit=20&offset=20");
  });

  test("RUN-050 of rows that stand in the row itself, by its get", async () => {
    expect(await rowsOf(`${THREE}b => {n: count(_.logs), least: min(_.logs.id)}`)).toEqual([
      { n: 2, least: 11 },
      { n: 2, least: 21 },
      { n: 2, least: 31 },
    ]);
  });

  test("in conditions, behind those that need no read", async () => {
    expect(await rowsOf(`${THREE}b{count(visits) > 1, state=sailing}[id]`)).toEqual([{ id: "b2" }]);
    expect(asked().filter((url) => url.includes("visits"))).toEqual([
      "/boats/b2/visits?limit=20&offset=0",
    ]);
    expect(await rowsOf("Boat{not exists(visits)}.limit(2)[id]")).toEqual([
      { id: "b3" },
      { id: "b6" },
    ]);
    expect(await rowsOf("Boat{exists(visits{fee > 21})}[id]")).toEqual([{ id: "b1" }]);
  });

  test("in order, groups and sums", async () => {
    expect(await rowsOf(`${THREE}b.sort(count(visits))[id]`)).toEqual([
      { id: "b3" },
      { id: "b2" },
      { id: "b1" },
    ]);
    expect(await rowsOf(`${THREE}b.aggregate(all=sum(count(visits)))`)).toEqual([{ all: 25 }]);
    expect(await rowsOf(`${THREE}b.group_by(length(visits), boats=count)`)).toEqual([
      { length_visits: 23, boats: 1 },
      { length_visits: 2, boats: 1 },
      { length_visits: 0, boats: 1 },
    ]);
  });

  test("right of a comparison, and as the key of a join", async () => {
    expect(await rowsOf(`${THREE}b{1 < count(visits)}[id]`)).toEqual([{ id: "b1" }, { id: "b2" }]);
    expect(await rowsOf(`${THREE}b{length < count(visits)}[id]`)).toEqual([{ id: "b1" }]);
    const joined = "n = [{k: 2}, {k: 0}]\nb.join(n, count(visits)=k)[id, n.k]";
    expect(await rowsOf(`${THREE}${joined}`)).toEqual([
      { id: "b2", "n.k": 2 },
      { id: "b3", "n.k": 0 },
    ]);
  });

  test("RUN-057 a column that the list does not give is read by the gets that the bill counts", async () => {
    const program = 'p = Person("ann")\np => {n: count(_.boats.note), any: exists(_.boats.flags)}';
    expect(await rowsOf(program)).toEqual([{ n: 12, any: true }]);
    expect(asked().filter((url) => /^\/boats\/b\d+$/.test(url))).toHaveLength(12);
  });

  test("LANG-045 a null total is refused where a value must be, before the first effect", async () => {
    const send = "b => Boat(_.id).send(to=text(max(_.visits.day)))";
    const { status } = await ran(`${THREE}${send}`);
    expect(status).toBe("failed");
    expect(quay.log.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("fan_out bounds how many rows are asked about, in hand or not", async () => {
    const few = { ...setting, limits: { fan_out: 3 } };
    const { result } = await ran("Boat => {n: count(_.logs)}", few);
    expect([result?.rows.length, result?.partial]).toEqual([3, "fan_out"]);
  });

  test("in what an effect is sent", async () => {
    const send = 'b => Boat(_.id).send(to="x", note="fees " + sum(_.visits.fee))';
    await ran(`b = Boat.limit(2)\n${send}`);
    expect(quay.log.flatMap(({ method, body }) => (method === "POST" ? [body] : []))).toEqual([
      expect.stringContaining("fees 253"),
      expect.stringContaining("fees 1"),
    ]);
  });

  test("RUN-054 one that fails is null and told, the others are there", async () => {
    const faulty = await startQuay(makeBoats(3), ({ path }) =>
      path === "/boats/b2/visits" ? { status: 500, json: { message: "broken" } } : null,
    );
    const { status, result } = await ran("b = Boat\nb => {id: _.id, n: count(_.visits)}", {
      ...setting,
      backends: { quay: faulty.url },
    });
    expect(status).toBe("succeeded");
    expect(result?.rows.map(({ values }) => values)).toEqual([
      { id: "b1", n: 23 },
      { id: "b2", n: null },
      { id: "b3", n: 0 },
    ]);
    expect(result?.partial).toBe("source_failed");
    await faulty.close();
  });

  test("PLAN-080 a budget ends with the last row that was read whole, and its cursor goes on", async () => {
    const program = "b = Boat.limit(5)\nb => {id: _.id, n: count(_.visits)}";
    const short = { ...setting, limits: { requests: 4 } };
    const { result } = await ran(program, short);
    expect(result?.partial).toBe("requests");
    const before = result?.rows.map(({ values }) => values) ?? [];
    expect(before.length).toBeLessThan(5);
    const rest = await goOn(setting, cursorOf(result));
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect([...before, ...rest.result.rows.map(({ values }) => values)]).toEqual(
      await rowsOf(program),
    );
  });

  test("PLAN-080 rows that wait behind a page keep what was counted", async () => {
    const { result } = await ran("Boat{count(visits) > 0}.page_size(2)[id]");
    expect(result?.rows.map(({ values }) => values)).toEqual([{ id: "b1" }, { id: "b2" }]);
    const rest = await goOn(setting, cursorOf(result));
    if (rest.status === "failed") throw new Error(rest.error.message);
    expect(rest.result.rows.map(({ values }) => values).slice(0, 2)).toEqual([
      { id: "b4" },
      { id: "b5" },
    ]);
  });
});
