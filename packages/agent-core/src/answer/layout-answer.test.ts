import { beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { agentOn, engineOn, type Agent, type Told } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";

let engine: Engine;
let agent: Agent;
beforeEach(async () => {
  engine = engineOn({ store: testStore(), api: boatsApi() });
  agent = await agentOn(engine);
});

const ran = (program: string): Promise<Told> => agent.run(program, { force: true, wait: true });
const countsOf = ({ meta }: Told): unknown =>
  (meta["steps"] as readonly { readonly row_count: number }[]).map((step) => step.row_count);

describe("SURF-15, RUN-040 rows that say no more than that effects are done", () => {
  it.each([
    ["of one", 'Boat("b1").ping()', "done ping quay.Boat b1", [1]],
    ["of many", "Boat.limit(3) => Boat(_.id).ping()", "done ping quay.Boat ×3 b1 b2 b3", [3]],
    [
      "of several results",
      'a = Boat("b1").ping()\nb = Boat("b2").delete()\na, b',
      "done ping quay.Boat b1\ndone delete quay.Boat b2",
      [1, 1],
    ],
  ])("have no table, %s", async (_, program, text, counts) => {
    const told = await ran(program);
    expect(told.text).toBe(text);
    expect(countsOf(told)).toEqual(counts);
  });

  it("are in structured answers as ever", async () => {
    const program = "Boat.limit(2) => Boat(_.id).ping()";
    const at = { kind: "ref", ref: "s0" } as const;
    const { results } = await engine.run(LOCAL, at, { program, force: true, wait: true });
    expect(results).toMatchObject([
      { name: "Boat", columns: ["ok"], rows: [{ ok: true }, { ok: true }], row_count: 2 },
    ]);
  });

  it("leave other results as they are", async () => {
    const told = await ran('a = Boat("b1").ping()\nx = Boat("b2")[id]\na, x');
    expect(told.text).toBe("x · 1 row\n```tsv\nid\nb2\n```\ndone ping quay.Boat b1");
    expect(countsOf(told)).toEqual([1, 1]);
  });

  it.each([
    ["projected", "p = Boat.limit(2) => Boat(_.id).ping()\np[ok]", "ok\ntrue\ntrue"],
    ["counted", "p = Boat.limit(2) => Boat(_.id).ping()\np.aggregate(n=count)", "n\n2"],
    ["limited", "p = Boat.limit(2) => Boat(_.id).ping()\np.limit(1)", "ok\ntrue"],
    ["derived from", "p = Boat.limit(2) => Boat(_.id).ping()\np => {was: _.ok}", "was\ntrue\ntrue"],
  ])("are rows like others where they are %s", async (_, program, table) => {
    const { text } = await ran(program);
    expect(text).toContain(`\`\`\`tsv\n${table}\n\`\`\`\ndone ping quay.Boat ×2 b1 b2`);
  });

  it("so are rows that an API answered with", async () => {
    const { text } = await ran('Boat("b1").update(name="Ann")[id, name]');
    expect(text).toBe("Boat · 1 row\n```tsv\nid\tname\nb1\tAnn\n```\ndone update quay.Boat b1");
  });
});
