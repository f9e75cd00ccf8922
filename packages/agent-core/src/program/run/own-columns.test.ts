import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../engine.ts";
import { layoutResult } from "../../answer/layout.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";

let engine: Engine;
beforeEach(() => {
  engine = engineOn({ store: testStore(), api: boatsApi() });
});
afterEach(() => engine.close());

describe("columns of any name are shown with their cells (SURF-13)", () => {
  it.each<[string, readonly string[]]>([
    ["a = [{__proto__: 1, constructor: 2}, {toString: 3}]\na", ["1\t2\t", "\t\t3"]],
    ["a = [{k: 1}, {k: 2}]\na.aggregate(__proto__=count, b=count)", ["2\t2"]],
    ["a = [{k: 1}, {k: 2}]\na => {__proto__: _.k, c: {__proto__: 3}}", ['1\t{"__proto__":3}']],
  ])("%s", async (program, lines) => {
    const agent = await agentOn(engine);
    const { text, problem } = await agent.run(program);
    expect(problem).toBeNull();
    for (const line of lines) expect(text.split("\n")).toContain(line);
  });

  it("a cell that is not there is empty, whatever its column is called", () => {
    const input = { columns: ["id", "constructor"], keys: [], rows: [{ id: 1 }] };
    expect(layoutResult(input, 100, (text) => text.length).lines).toEqual(["1\t"]);
  });
});
