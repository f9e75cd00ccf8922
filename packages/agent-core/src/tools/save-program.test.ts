import { describe, expect, it } from "vitest";
import { agentOn } from "../../test/engine-on.ts";
import { useWorld } from "../../test/use-world.ts";
import type { Caller } from "../identity/caller.ts";
import { plasmRun } from "./all-tools.ts";
import { answerTool } from "./tool.ts";

const ANN: Caller = { scope: "acme", subject: "ann", connection: null, requestId: "r1" };
const READER: Caller = { ...ANN, readsOnly: { lacks: "effects", stepUp: null } };
const NOBODY: Caller = { ...ANN, anonymous: true };

const READS = 'state = "moored"\nboats = Boat{state=state}[id, name]\nboats';
const EFFECTS = 'place = "harbour"\nb = Boat{state=moored}\nb => Boat(_.id).send(to=place)';

const world = useWorld();

const call = (args: Readonly<Record<string, unknown>>, caller = ANN) =>
  answerTool(plasmRun, {
    engine: world().engine,
    caller,
    args: { logical_session_ref: "s0", ...args },
  });
const problemOf = (args: Readonly<Record<string, unknown>>, caller = ANN) =>
  call(args, caller).then(
    () => null,
    (thrown: unknown) => world().engine.problemOf(thrown),
  );

describe("SAV-10 a model keeps what it planned by a call", () => {
  it("by its ref, whether it has run or not, and is told how it is called", async () => {
    const { engine, api } = world();
    const agent = await agentOn(engine, "boats", ANN);
    await agent.run(EFFECTS, { force: true, wait: true });
    const { length } = api.asked;
    const save = { name: "send_moored", description: "Sends boats", parameters: ["place"] };
    const { text, meta } = await call({ plan_commit_ref: "pc0", save });
    expect(text).toMatch(/^saved send_moored · version [0-9a-f]{12} · yours alone\n/);
    expect(text).toContain("takes place text");
    expect(text).toContain("each call is reviewed: quay/boat_send");
    expect(meta).toMatchObject({ saved: { name: "send_moored", description: "Sends boats" } });
    expect(meta["saved"]).not.toHaveProperty("program");
    expect(api.asked).toHaveLength(length);
    expect(await engine.programs.list(ANN)).toMatchObject([{ name: "send_moored" }]);
  });

  it("by its text, which runs nothing", async () => {
    const { engine, api } = world();
    await agentOn(engine, "boats", ANN);
    const { text } = await call({ program: EFFECTS, save: { name: "send_moored", shared: true } });
    expect(text).toContain("shared with the tenant");
    expect(api.asked).toEqual([]);
    expect(await engine.programs.find(ANN, "send_moored")).toMatchObject({ program: EFFECTS });
  });

  it.each([
    [{ save: { name: "moored" } }, "plan_commit_ref"],
    [{ program: READS, save: "moored" }, "save must be an object"],
    [{ program: READS, save: { nam: "moored" } }, "Did you mean name?"],
    [{ program: READS, save: { name: "P" } }, "name is P"],
    [{ program: READS, save: { name: "moored", parameters: ["stat"] } }, "Did you mean state?"],
    [{ program: READS, plan_commit_ref: "pc0", save: { name: "moored" } }, "leave one of them out"],
    [{ program: READS, force: true, save: { name: "moored" } }, "leave force out"],
    [{ program: READS, wait: true, save: { name: "moored" } }, "leave wait out"],
    [{ program: "Boat[nmae]", save: { name: "moored" } }, "nmae"],
    [{ program: "page(s0_pg1)", save: { name: "moored" } }, "only a program can be saved"],
    [{ plan_commit_ref: "pc7", save: { name: "moored" } }, "No plan pc7"],
  ])("%j is refused, and keeps nothing", async (args, expected) => {
    await agentOn(world().engine, "boats", ANN);
    expect((await problemOf(args))?.text).toContain(expected);
    expect(await world().engine.programs.list(ANN)).toEqual([]);
  });

  it("SAV-05 a credential that only reads, and who has no identity, are told what it takes", async () => {
    await agentOn(world().engine, "boats", ANN);
    const args = { program: READS, save: { name: "moored" } };
    const reader = await problemOf(args, READER);
    expect(reader).toMatchObject({ code: "plasm-insufficient-scope" });
    expect(reader?.text).toContain("To save a program changes something");
    expect(await problemOf(args, NOBODY)).toMatchObject({ code: "plasm-unauthenticated" });
    expect(await world().engine.programs.list(ANN)).toEqual([]);
  });
});
