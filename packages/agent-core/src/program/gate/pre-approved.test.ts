import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Policy, ProgramApproval } from "@plasm/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi, type BoatsApi } from "../../../test/boats-api.ts";
import { engineOn } from "../../../test/engine-on.ts";
import { testStore } from "../../../test/test-store.ts";
import type { Engine } from "../../engine.ts";
import type { Caller } from "../../identity/caller.ts";

const ANN: Caller = { scope: "acme", subject: "ann", connection: null, requestId: "r1" };
const BOB: Caller = { ...ANN, subject: "bob" };
const READER: Caller = { ...BOB, readsOnly: { lacks: "effects", stepUp: null } };
const S0 = { kind: "ref", ref: "s0" } as const;

const SEND =
  'place = "harbour"\nnote = "sent"\nb = Boat{state=moored}\nb => Boat(_.id).send(to=place)\nBoat("b1").update(note=note)';

let policy: Policy;
let api: BoatsApi;
let engine: Engine;
beforeEach(() => {
  policy = {};
  api = boatsApi();
  engine = engineOn({ store: testStore(), api, policies: { policyOf: async () => policy } });
});
afterEach(() => engine.close());

const problemOf = (call: Promise<unknown>): Promise<{ code: string; text: string }> =>
  call.then(
    () => ({ code: "ok", text: "ok" }),
    (thrown: unknown) => engine.problemOf(thrown),
  );

const keeps = (program = SEND, caller = ANN, name = "send_home") =>
  engine.programs.import(
    caller,
    `;; name: ${name}\n;; parameters: place, note\n;; shared: ${caller === ANN ? "yes" : "no"}\n;; entities: quay.Boat\n\n${program}`,
  );

/** Lets one version run without review; an operator has to approve everything else. */
async function approves(
  changes: Partial<ProgramApproval> = {},
  operator = true,
  program = SEND,
): Promise<void> {
  const { version } = await keeps(program);
  const approval: ProgramApproval = {
    version,
    effects: 10,
    capabilities: ["quay/boat_send", "quay/boat_update"],
    parameters: { place: { one_of: ["dock", "bay"] }, note: { any: true } },
    ...changes,
  };
  policy = {
    ...(operator ? { apis: { quay: { approval: { operator: ["all"] } } } } : { force: false }),
    programs: { send_home: approval },
  };
  await engine.context(BOB, { intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] });
}

const runs = (program: string, caller = BOB) =>
  problemOf(engine.run(caller, S0, { program, wait: true }));

describe("SAV-16 a policy lets one version of a saved program run without review", () => {
  it("VAL-08: but not one that sends a file, whose content no policy names", async () => {
    const home = await realpath(await mkdtemp(join(tmpdir(), "plasm-approved-")));
    const path = join(home, "note.txt");
    await writeFile(path, "what it holds now");
    await engine.close();
    const files = { maxBytes: 1_000, directories: [home] };
    const policies = { policyOf: async () => policy };
    engine = engineOn({ store: testStore(), api, policies, files });
    await approves({}, true, `${SEND}\nBoat("b1").update(note=file("${path}"))`);
    const { code, text } = await runs('s.send_home(place="dock", note="x")');
    expect(code).toBe("plasm-approval-required");
    expect(text).toContain("effect");
    await rm(home, { recursive: true });
  });

  it.each([true, false])("whoever reviews it otherwise (operator: %s)", async (operator) => {
    await approves({}, operator);
    const planned = await engine.plan(BOB, S0, 's.send_home(place="dock")');
    expect(planned.text).toContain("policy lets s.send_home run without review");
    expect(api.performed).toEqual([]);
    const program = 's.send_home(place="dock", note="gone")';
    const answer = await engine.run(BOB, S0, { program, wait: true });
    expect(answer.text).toContain(
      "note: policy lets s.send_home run without review, with at most 10 effects",
    );
    expect(api.performed).toHaveLength(4);
    expect((await runs("s.send_home()")).code).toBe("ok");
  });

  it("called by name, too, as a prompt, a route or plasm do does", async () => {
    await approves();
    const { session, program } = await engine.programs.open(BOB, "send_home", { place: "bay" });
    await engine.run(BOB, { kind: "pair", ...session }, { program, wait: true });
    expect(api.performed).toHaveLength(4);
    const other = await engine.programs.open(BOB, "send_home", { place: "sea" });
    const held = engine.run(BOB, { kind: "pair", ...other.session }, { program: other.program });
    expect((await problemOf(held)).code).toBe("plasm-approval-required");
  });

  it.each([
    ["an argument that is not allowed", {}, 's.send_home(place="sea")'],
    ["an argument that nothing is said of", { parameters: {} }, 's.send_home(place="dock")'],
    ["another version", { version: "0".repeat(64) }, "s.send_home()"],
    ["an effect that is not named", { capabilities: ["quay/boat_send"] }, "s.send_home()"],
    ["more effects than allowed for certain", { effects: 1 }, "s.send_home()"],
    ["an effect beside it", {}, 's.send_home()\nBoat("b2").update(note="x")'],
    ["two calls", {}, "s.send_home()\ns.send_home()"],
    ["a read beside it", {}, "s.send_home()\nBoat.limit(1)[id]"],
    ["its text with a change", {}, SEND.replace("moored", "lost")],
    ["another program", {}, 'Boat("b2").update(note="x")'],
  ])("and nothing else: %s is reviewed as ever", async (_what, changes, program) => {
    await approves(changes);
    const { code } = await runs(program);
    expect(code).toBe("plasm-approval-required");
    expect(api.performed).toEqual([]);
  });

  it("with no more effects than it says, found out before the first", async () => {
    await approves({ effects: 3 });
    const { text } = await runs("s.send_home()");
    expect(text).toContain(
      "3 rows would have one effect each; policy lets 2 of them run without review",
    );
    expect(text).toContain("plan_commit_ref");
    expect(api.performed.filter((one) => JSON.stringify(one).includes("send"))).toEqual([]);
    const planned = await engine.plan(BOB, S0, "s.send_home()");
    const planCommitRef = planned.meta["plan_commit_ref"];
    const asked = await problemOf(engine.run(BOB, S0, { planCommitRef, wait: true }));
    expect(asked.code).toBe("plasm-approval-required");
  });

  it("not by definitions that somebody wrote, nor a program of the same plan with other labels", async () => {
    await approves();
    const { version } = await engine.programs.find(BOB, "send_home");
    const forged = SEND.replace("moored", "lost")
      .split("\n")
      .map((line) => `;;| ${line}`);
    const text = ["s.send_home()", `;;: s.send_home ${version} (place, note) quay.Boat`, ...forged];
    expect((await runs(text.join("\n"))).code).toBe("plasm-approval-required");
    const swapped = SEND.replaceAll("place", "x_").replaceAll("note = ", "place = ");
    const same = swapped.replace("note=note", "note=place").replaceAll("x_", "note");
    const own = await keeps(same, BOB);
    expect(own.version).not.toBe(version);
    expect((await runs('s.send_home(note="sea")')).code).toBe("plasm-approval-required");
    expect(api.performed).toEqual([]);
  });

  it("not for a credential that only reads, and no more once it was saved again", async () => {
    await approves();
    expect((await runs("s.send_home()", READER)).code).toBe("plasm-insufficient-scope");
    await keeps(SEND.replace("sent", "away"));
    expect((await runs("s.send_home()")).code).toBe("plasm-approval-required");
    expect(api.performed).toEqual([]);
  });
});
