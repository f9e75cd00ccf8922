import { describe, expect, it } from "vitest";
import { raiseMark, readMarks } from "../effects/effect-marks.ts";
import { agentOn, type Agent, type Told } from "../../../test/engine-on.ts";
import { useWorld } from "../../../test/use-world.ts";

const LIST = "Boat.page_size(3)[id, name]";
const force = { force: true } as const;

const world = useWorld(12);

const reads = () => world().api.asked.filter(({ method }) => method === "GET").length;
const rename = (id: string, name: string): string => `Boat("${id}").update(name="${name}")`;
/** The rows of an answer's only table, as text. */
const rows = ({ text }: Told): readonly string[] =>
  text.split("\n").filter((line) => /^b\d+\t/.test(line));

/** Runs a program and gives its page handle; requests so far are forgotten. */
async function listed(program: string, by: Agent = world().agent): Promise<string> {
  const { meta, text } = await by.run(program, force);
  const [next] = (meta["paging"] ?? []) as readonly { readonly next_page_handle: string }[];
  if (next === undefined) throw new Error(text);
  world().api.asked.splice(0);
  return next.next_page_handle;
}

describe("PLAN-083, SESS-36: a page after an effect of its session", () => {
  it("is read again, without the rows shown", async () => {
    const { api, agent } = world();
    const handle = await listed(LIST);
    await agent.run(rename("b5", "Alma"), force);
    api.asked.splice(0);
    const page = await agent.run(`page(${handle})`);
    expect(rows(page)).toEqual(["b4\tBoat b4", "b5\tAlma", "b6\tBoat b6"]);
    expect(page.text).toContain("· rows 4-6");
    expect(reads()).toBe(1);
    // What was read after the effect stands.
    expect(rows(await agent.run(`page(${handle})`))[0]).toBe("b7\tBoat b7");
    expect(reads()).toBe(1);
  });

  it("is not, where the session performed none", async () => {
    const { api, agent } = world();
    const handle = await listed(LIST);
    await agent.plan(rename("b5", "Alma"));
    await agent.run(rename("b5", "Alma"));
    expect(rows(await agent.run(`page(${handle})`))[1]).toBe("b5\tBoat b5");
    expect(api.asked).toEqual([]);
  });

  it("is not, where another session did", async () => {
    const { api, engine, agent } = world();
    const handle = await listed(LIST);
    const other = await agentOn(engine, "others");
    await other.run(rename("b5", "Alma"), force);
    api.asked.splice(0);
    expect(rows(await agent.run(`page(${handle})`))).toHaveLength(3);
    expect(api.asked).toEqual([]);
  });

  it("is read again after an effect that failed, or that nobody knows of", async () => {
    const { api, agent } = world();
    for (const status of [500, 422]) {
      const handle = await listed(LIST);
      api.before = async ({ method }) => (method === "PATCH" ? { status, json: {} } : null);
      expect((await agent.run(rename("b5", "Alma"), force)).problem).not.toBeNull();
      api.asked.splice(0);
      await agent.run(`page(${handle})`);
      expect(reads()).toBe(1);
    }
  });

  it("of the same program: what was read before its effect is read again", async () => {
    const handle = await listed(`some = ${LIST}\n${rename("b5", "Alma")}\nsome`);
    expect(rows(await world().agent.run(`page(${handle})`))[1]).toBe("b5\tAlma");
    expect(reads()).toBe(1);
  });

  it("of the same program: what was read after its effect is not", async () => {
    const { api, agent } = world();
    const handle = await listed(`${rename("b5", "Alma")}\n${LIST}`);
    expect(rows(await agent.run(`page(${handle})`))[1]).toBe("b5\tAlma");
    expect(api.asked).toEqual([]);
  });
});

describe("marks of effects", () => {
  const place = { scope: "t1", owner: "s" };

  it("rise by one with each, whoever raises them", async () => {
    const { store } = world();
    await Promise.all(Array.from({ length: 8 }, () => raiseMark(store, place, "quay")));
    expect(await readMarks(store, place, ["quay", "yard", "quay"])).toEqual({ quay: 8, yard: 0 });
    expect(await readMarks(store, { ...place, scope: "t2" }, ["quay"])).toEqual({ quay: 0 });
  });
});
