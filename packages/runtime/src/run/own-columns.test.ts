import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Harbour, startHarbour } from "@plasm/testkit/servers";
import { fixture, goOn, run, type Setting } from "../testing/fixture-run.ts";
import { planProgram } from "../testing/run-program.ts";
import type { RunResult } from "./run-types.ts";

let harbour: Harbour;
let setting: Setting;

beforeEach(async () => {
  harbour = await startHarbour(5);
  setting = { catalogs: [fixture("quay")], backends: { quay: harbour.server.url } };
});
afterEach(() => harbour.server.close());

function runText(text: string) {
  const { nodes, returns } = planProgram(text, setting.catalogs);
  return run(setting, nodes, returns);
}

/** Own members in their order: an object's `__proto__` is compared as any other. */
const cells = (result: RunResult | undefined) =>
  result?.rows.map((row) => Object.entries(row.values));

describe("columns of any name keep their cells (RUN-035)", () => {
  test.each<[string, string, unknown]>([
    [
      "LANG-066 aggregates",
      "Boat.limit(2).aggregate(__proto__=count, b=count)",
      [
        [
          ["__proto__", 2],
          ["b", 2],
        ],
      ],
    ],
    [
      "LANG-065 groups",
      "a = Boat.limit(2)\nb = a => {__proto__: _.id, k: 1}\nb.group_by(__proto__, valueOf=count)",
      ["b1", "b2"].map((id) => [
        ["__proto__", id],
        ["valueOf", 1],
      ]),
    ],
    [
      "LANG-071 derived rows",
      "b = Boat.limit(2)\nb => {__proto__: _.name, c: _.id}",
      [1, 2].map((at) => [
        ["__proto__", `Boat ${at}`],
        ["c", `b${at}`],
      ]),
    ],
    [
      "LANG-046 data",
      "a = [{__proto__: 1, constructor: 2}, {toString: {__proto__: 3}}]\na",
      [
        [
          ["__proto__", 1],
          ["constructor", 2],
          ["toString", null],
        ],
        [
          ["__proto__", null],
          ["constructor", null],
          ["toString", JSON.parse('{"__proto__": 3}')],
        ],
      ],
    ],
    [
      "LANG-045 a cell of them",
      "a = {__proto__: b2, b: 1}\nx = Boat(a.__proto__)\nx => {__proto__: _.id}",
      [[["__proto__", "b2"]]],
    ],
    [
      "LANG-061 a projection",
      "a = [{__proto__: 2, b: 1}, {__proto__: 1}]\na{__proto__>0}.sort(__proto__)[__proto__]",
      [[["__proto__", 1]], [["__proto__", 2]]],
    ],
  ])("%s", async (_, text, expected) => {
    const { results, status } = await runText(text);
    expect(status).toBe("succeeded");
    expect(cells(results[0])).toEqual(expected);
    expect(results[0]?.notLoaded).toEqual([]);
  });

  test.each([
    "a = Boat\nb = a => {__proto__: _.id}\nb.page_size(2)",
    "a = [{__proto__: b1}, {__proto__: b2}, {__proto__: b3}]\na.page_size(2)",
  ])("PLAN-080 behind a cursor: %s", async (text) => {
    const { results } = await runText(text);
    const cursor = results[0]?.cursor ?? null;
    const rest = cursor === null ? null : await goOn(setting, cursor);
    if (rest === null || rest.status === "failed") throw new Error("no second page");
    expect(cells(rest.result)?.[0]).toEqual([["__proto__", "b3"]]);
  });
});
