import { describe, expect, it } from "vitest";
import { openCatalog } from "@plasm/core";
import { agentOn, engineOn } from "../../../test/engine-on.ts";
import { fixtureEntry } from "../../../test/fixture-entry.ts";
import { useWorld } from "../../../test/use-world.ts";
import { tokenCounter } from "../../answer/tokens.ts";
import type { Engine } from "../../engine.ts";
import type { Caller } from "../../identity/caller.ts";
import type { CatalogRegistry, RegisteredCatalog } from "../../ports.ts";
import type { SessionAddress } from "../../session/handles.ts";

const ANN: Caller = { scope: "acme", subject: "ann", connection: null, requestId: "r1" };
const BOB: Caller = { ...ANN, subject: "bob" };
const OLGA: Caller = { ...ANN, subject: "olga", oversees: true };
const FOREIGN: Caller = { ...ANN, scope: "other" };
const READER: Caller = { ...ANN, readsOnly: { lacks: "effects", stepUp: null } };
const S0: SessionAddress = { kind: "ref", ref: "s0" };

const READS = 'state = "moored"\nlong = 5\nboats = Boat{state=state, length>long}[id, name]\nboats';
const EFFECTS = 'place = "harbour"\nb = Boat{state=moored}\nb => Boat(_.id).send(to=place)';

const world = useWorld();

const codeOf = (call: Promise<unknown>, { engine } = world()): Promise<unknown> =>
  call.then(
    () => "ok",
    (thrown: unknown) => engine.problemOf(thrown).code,
  );
const textOf = (call: Promise<unknown>, { engine } = world()): Promise<string> =>
  call.then(
    () => "ok",
    (thrown: unknown) => engine.problemOf(thrown).text,
  );

interface AsSaved {
  readonly caller?: Caller;
  readonly engine?: Engine;
  readonly name?: string;
  readonly parameters?: readonly string[];
  readonly shared?: boolean;
}

/** Plans a program in a session of its own and saves that plan. */
async function saves(program: string, saved: AsSaved = {}) {
  const { caller = ANN, engine = world().engine, name = "moored", parameters = [], shared } = saved;
  const agent = await agentOn(engine, "boats", caller);
  const planned = await agent.plan(program);
  const { meta } = await engine.context(caller, { intent: "boats" });
  const address = { kind: "ref", ref: meta.logical_session_ref ?? "" } as const;
  return engine.programs.save(caller, address, {
    planCommitRef: planned.meta["plan_commit_ref"],
    name,
    description: "Boats that lie in the harbour",
    parameters,
    ...(shared === undefined ? {} : { shared }),
  });
}

/** Calls a saved program. */
async function calls(
  values?: unknown,
  { caller = ANN, engine = world().engine, name = "moored" } = {},
) {
  const { session, program } = await engine.programs.open(caller, name, values);
  const address = { kind: "pair", ...session } as const;
  return { program, address, plan: () => engine.plan(caller, address, program) };
}

describe("SAV-01 a plan is saved by name", () => {
  it("with its parameters, what it gives and what it changes, and is called with other values", async () => {
    const saved = await saves(READS, { parameters: ["long", "state"] });
    expect(saved).toMatchObject({
      name: "moored",
      description: "Boats that lie in the harbour",
      parameters: [
        { name: "state", type: "text", list: false, default: "moored" },
        { name: "long", type: "number", list: false, default: 5 },
      ],
      returns: ["boats"],
      effects: [],
      catalogs: ["quay"],
      shared: false,
      owner: "ann",
      own: true,
      program: READS,
    });
    const { engine } = world();
    expect(await engine.programs.list(ANN)).toMatchObject([
      { name: "moored", version: saved.version },
    ]);
    const { address, program, plan } = await calls({ long: 11 });
    expect(program).toBe(READS.replace("long = 5", "long = 11"));
    expect((await plan()).text).toMatch(/^plan /);
    const answer = await engine.run(ANN, address, { program });
    expect(answer.text).toContain("boats · 0 rows");
    const all = await calls();
    expect((await engine.run(ANN, all.address, { program: all.program })).text).toContain(
      "boats · 3 rows",
    );
  });

  it("after it has run, too, and with effects that are reviewed at every call", async () => {
    const { engine, api } = world();
    const agent = await agentOn(engine, "boats", ANN);
    await agent.run(EFFECTS, { force: true, wait: true });
    expect(api.performed).toHaveLength(3);
    const saved = await engine.programs.save(ANN, S0, {
      planCommitRef: "pc0",
      name: "moored",
      parameters: ["place"],
    });
    expect(saved.effects).toEqual(["quay/boat_send"]);
    const { address, program } = await calls({ place: "dock" });
    expect(await codeOf(engine.run(ANN, address, { program }))).toBe("plasm-review-required");
    expect(api.performed).toHaveLength(3);
    const planned = await engine.plan(ANN, address, program);
    const planCommitRef = planned.meta["plan_commit_ref"];
    await engine.run(ANN, address, { program, planCommitRef, wait: true });
    expect(api.performed).toHaveLength(6);
    expect(JSON.stringify(api.asked.at(-1)?.body)).toContain("dock");
  });

  it("again under the same name, in the place of what it was", async () => {
    const first = await saves(READS);
    const second = await saves("boats = Boat[id]\nboats");
    expect(second.version).not.toBe(first.version);
    expect(await world().engine.programs.list(ANN)).toMatchObject([{ version: second.version }]);
  });
});

describe("SAV-04 a call", () => {
  it("takes a quarter of the tokens at most that writing the program took", async () => {
    const { engine } = world();
    const seeds = [{ api: "quay", entity: "Boat" }];
    const opened = await engine.context(ANN, { intent: "moored boats", seeds });
    const planned = await engine.plan(ANN, S0, READS);
    const ran = await engine.run(ANN, S0, { program: READS });
    const save = {
      planCommitRef: planned.meta.plan_commit_ref,
      name: "moored",
      parameters: ["long"],
    };
    await engine.programs.save(ANN, S0, save);
    const { address, program } = await calls({ long: 6 });
    const again = await engine.run(ANN, address, { program });
    const count = await tokenCounter();
    const first = [opened.text, READS, planned.text, READS, ran.text].join("\n");
    const second = [JSON.stringify({ name: "moored", arguments: { long: 6 } }), again.text].join(
      "\n",
    );
    expect(again.text).toContain("boats · 3 rows");
    expect(count(second)).toBeLessThanOrEqual(count(first) / 4);
  });
});

describe("SAV-02 its text is in names", () => {
  it("whatever the session wrote, and is the same plan", async () => {
    const { engine } = world();
    const seeds = [
      { api: "quay", entity: "Boat" },
      { api: "quay", entity: "Visit" },
    ];
    const { meta } = await engine.context(ANN, { intent: "symbols", seeds, notation: "symbols" });
    expect(meta.notation).toBe("symbols");
    const symbols = await engine.symbols(ANN, S0);
    const symbolOf = (name: string) =>
      Object.entries(symbols.p).find(([, wire]) => wire === name)?.[0];
    const program = `old = e1{${symbolOf("state")}=moored}[${symbolOf("id")}]\nold`;
    const planned = await engine.plan(ANN, S0, program);
    const saved = await engine.programs.save(ANN, S0, {
      planCommitRef: planned.meta.plan_commit_ref,
      name: "moored",
    });
    expect(saved.program).toBe("old = Boat{state=moored}[id]\nold");
    expect(saved.text).toContain(";; entities: quay.Boat\n");
    const called = await (await calls()).plan();
    expect(called.meta).toMatchObject({
      plan: { commit: (planned.meta as { plan: { commit: string } }).plan.commit },
    });
  });
});

describe("SAV-03 parameters", () => {
  it.each([
    ["since = 2026-01-31", "since", "today-7d", /since = \d{4}-\d\d-\d\d\n/],
    ["since = 2026-01-31", "since", "2026-02-01", /since = 2026-02-01\n/],
    ["on = true", "on", "false", /on = false\n/],
    ["n = 5", "n", "2.5", /n = 2\.5\n/],
    ["n = 5", "n", 7, /n = 7\n/],
    [
      "who = 'ann'",
      "who",
      '"]\nBoat.delete()\u2028\\',
      /who = "\\"\]\\nBoat\.delete\(\)\\u2028\\\\"\n/,
    ],
    ["who = <<T\nann\nT", "who", "T\nx", /who = "T\\nx"\n/],
    ['ids = ["a", "b"]', "ids", ["c"], /ids = \["c"\]\n/],
    ['ids = ["a", "b"]', "ids", '["c","d"]', /ids = \["c", "d"\]\n/],
    [
      "id = 1b4e28ba-2fa1-11d2-883f-0016d3cca427",
      "id",
      "1B4E28BA-2FA1-11D2-883F-0016D3CCA428",
      /id = 1B4E28BA-2FA1-11D2-883F-0016D3CCA428\n/,
    ],
  ])("%s takes %s = %j", async (line, name, value, expected) => {
    await saves(`${line}\nboats = Boat[id]\nboats`, { parameters: [name] });
    expect((await calls({ [name]: value })).program).toMatch(expected);
  });

  it.each([
    ["since = 2026-01-31", "since", "soon", 'since is "soon", and must be a date'],
    ["since = 2026-01-31", "since", "2026-02-31", "since"],
    ["n = 5", "n", "5)", 'n is "5)", and must be a number'],
    ["n = 5", "n", null, "n is null, and must be a number"],
    ["n = 5", "n", Number.NaN, "must be a number"],
    ["on = true", "on", "yes", "must be true or false"],
    ["who = 'ann'", "who", "a\0b", "must be text"],
    ["who = 'ann'", "who", "\ud800", "must be text"],
    ["who = 'ann'", "who", 5, "must be text"],
    ['ids = ["a"]', "ids", "c", "must be a list, each text"],
    ['ids = ["a"]', "ids", [5], "must be a list, each text"],
    ["long = 5", "lon", 5, "moored takes no argument lon. Did you mean long? It takes: long."],
    ["n = 5", "__proto__", 5, "takes no argument __proto__"],
  ])("%s refuses %s = %j", async (line, name, value, expected) => {
    await saves(`${line}\nboats = Boat[id]\nboats`, { parameters: [line.split(" ", 1)[0] ?? ""] });
    const values = JSON.parse(JSON.stringify({ x: 0 })) as Record<string, unknown>;
    delete values["x"];
    Object.defineProperty(values, name, { value, enumerable: true });
    expect(await textOf(calls(values))).toContain(expected);
  });

  it("are labels that the program binds to a plain value, and nothing else", async () => {
    expect(await textOf(saves(READS, { parameters: ["lon"] }))).toContain(
      "parameters: lon is not a label that the program binds to a plain value. Labels that are: state, long. Did you mean long?",
    );
    expect(await textOf(saves("Boat[id]", { parameters: ["boats"] }))).toContain(
      "Bind one on a line of its own",
    );
  });

  it("are named where a plan refuses what was given", async () => {
    await saves("built = 2011-01-01\nlong = 5\nboats = Boat{built>built, length>long}[id]\nboats", {
      parameters: ["built", "long"],
    });
    const text = await textOf(calls({ built: "2011-02-31", long: 6 }));
    expect(text).toMatch(/^moored: built is "2011-02-31"/);
  });
});

describe("SAV-05 who may run and remove it", () => {
  it("is its owner alone, unless it is shared with the tenant", async () => {
    await saves(READS);
    const { engine } = world();
    for (const other of [BOB, FOREIGN, OLGA, { ...ANN, anonymous: true }]) {
      expect(await engine.programs.list(other)).toEqual([]);
      expect(await textOf(engine.programs.open(other, "moored", {}))).toBe(
        "No saved program moored.",
      );
      expect(await textOf(engine.programs.find(other, "moored"))).toBe("No saved program moored.");
      if (other !== FOREIGN) continue;
      expect(await codeOf(engine.programs.remove(other, "moored"))).toBe("plasm-unknown-program");
    }
    await saves(READS, { shared: true });
    expect(await engine.programs.list(BOB)).toMatchObject([
      { name: "moored", own: false, owner: "ann", shared: true },
    ]);
    expect((await (await calls({}, { caller: BOB })).plan()).text).toMatch(/^plan /);
    expect(await engine.programs.list(FOREIGN)).toEqual([]);
    expect(await codeOf(engine.programs.remove(BOB, "moored"))).toBe("plasm-policy-denied");
    expect(await codeOf(saves("Boat[id]", { caller: BOB, shared: true }))).toBe(
      "plasm-bad-request",
    );
    await saves("boats = Boat[name]\nboats", { caller: BOB });
    expect((await engine.programs.find(BOB, "moored")).own).toBe(true);
    await engine.programs.remove(BOB, "moored");
    expect((await engine.programs.find(BOB, "moored")).own).toBe(false);
    await engine.programs.remove(OLGA, "moored");
    expect(await engine.programs.list(ANN)).toEqual([]);
  });

  it("takes an identity that may change something, and stands in the audit log", async () => {
    await saves(READS);
    const { engine, store } = world();
    const saving = (caller: Caller) =>
      engine.programs.save(caller, S0, { planCommitRef: "pc0", name: "other" });
    expect(await codeOf(saving({ ...ANN, anonymous: true }))).toBe("plasm-unauthenticated");
    expect(await codeOf(saving(READER))).toBe("plasm-insufficient-scope");
    expect(await codeOf(engine.programs.remove(READER, "moored"))).toBe("plasm-insufficient-scope");
    await engine.programs.remove(ANN, "moored");
    const events = [
      ...(await store.list("auditEvent", "acme", "")),
      ...(await store.list("auditLine", "acme", "")),
    ];
    const kinds = events.map(({ value }) => [
      value.kind,
      value.subject,
      value.target,
      value.request_id,
    ]);
    expect(kinds).toContainEqual(["program_saved", "ann", "moored", "r1"]);
    expect(kinds).toContainEqual(["program_removed", "ann", "moored", "r1"]);
  });

  it.each([
    ["Weekly"],
    ["p1"],
    ["page"],
    ["a"],
    ["import"],
    ["x".repeat(61)],
    [""],
    [5],
    [undefined],
  ])("refuses the name %j", async (name) => {
    const agent = await agentOn(world().engine, "boats", ANN);
    await agent.plan(READS);
    const save = world().engine.programs.save(ANN, S0, { planCommitRef: "pc0", name });
    expect(await codeOf(save)).toBe("plasm-bad-request");
  });

  it("refuses refs that name no plan of the session", async () => {
    await agentOn(world().engine, "boats", ANN);
    const save = (planCommitRef: unknown) =>
      world().engine.programs.save(ANN, S0, { planCommitRef, name: "moored" });
    expect(await codeOf(save("pc7"))).toBe("plasm-unknown-handle");
    expect(await codeOf(save(undefined))).toBe("plasm-bad-request");
  });
});

/** A registry whose one catalog can be another one, or none, meanwhile. */
function changing(): CatalogRegistry & { now: RegisteredCatalog | null } {
  const registry = {
    now: fixtureEntry("quay") as RegisteredCatalog | null,
    list: () => (registry.now === null ? [] : [registry.now]),
    get: (id: string) => (id === "quay" && registry.now !== null ? registry.now : undefined),
  };
  return registry;
}

describe("SAV-06 what has changed since", () => {
  it("is asked for again: a catalog that is another one, or is gone", async () => {
    const registry = changing();
    const { store, api } = world();
    const engine = engineOn({ store, api, registry });
    const as = { engine } as ReturnType<typeof world>;
    await saves(READS, { engine, parameters: ["state"] });
    // A call keeps its session, and that its catalogs: what is asked is the catalogs of now.
    expect((await (await calls({}, { engine })).plan()).text).toMatch(/^plan /);
    const before = registry.now;
    if (before === null) throw new Error("no catalog");
    registry.now = described(before);
    expect(registry.now.catalog.digest).not.toBe(before.catalog.digest);
    const changed = calls({}, { engine, caller: ANN });
    expect(await codeOf(changed, as)).toBe("plasm-program-changed");
    expect(await textOf(calls({}, { engine }), as)).toContain("changed since: quay");
    const { text } = await engine.programs.find(ANN, "moored");
    await engine.programs.import(ANN, text);
    expect((await (await calls({}, { engine })).plan()).text).toMatch(/^plan /);
    registry.now = null;
    expect(await codeOf(calls({}, { engine }), as)).toBe("plasm-program-changed");
    const found = engine.discover(ANN, { intent: "moored boats", apis: ["s"] });
    expect(await codeOf(found, as)).toBe("plasm-unknown-program");
    expect(await engine.programs.remove(ANN, "moored")).toMatchObject({ name: "moored" });
    await engine.drain(0);
  });

  /** The same catalog as another version of it: one field has a description. */
  function described({ domain: text, mappings, ...rest }: RegisteredCatalog): RegisteredCatalog {
    const domain = `${text}\n# another version\n`.replace("version: 1", "version: 2");
    const { catalog } = openCatalog({
      entryId: "quay",
      domain: { file: "domain.yaml", text: domain },
      mappings: { file: "mappings.yaml", text: mappings ?? "" },
    });
    if (catalog === null) throw new Error("it does not open");
    return { ...rest, catalog, domain, mappings };
  }
});

describe("SAV-07 a text for a file", () => {
  it("says what it is, and is imported again as what it was", async () => {
    const saved = await saves(READS, { parameters: ["state"], shared: true });
    expect(saved.text).toBe(
      [
        ";; name: moored",
        ";; description: Boats that lie in the harbour",
        ";; parameters: state",
        ";; shared: yes",
        ";; entities: quay.Boat",
        "",
        READS,
        "",
      ].join("\n"),
    );
    const { engine } = world();
    await engine.programs.remove(ANN, "moored");
    const again = await engine.programs.import(ANN, saved.text.replaceAll("\n", "\r\n"));
    expect(again).toEqual({ ...saved, saved_at: again.saved_at });
    expect((await (await calls({ state: "lost" })).plan()).text).toMatch(/^plan /);
  });

  it.each([
    ["Boat[id]", "must begin with a line such as ;; name: weekly_report"],
    [";; name: moored\nBoat[id]", "lacks a line such as ;; entities: catalog.Entity"],
    [";; name: moored\n;; nam: x\nBoat", "line 2 says nam. Did you mean name?"],
    [";; name: moored\n;; name: x\nBoat", "line 2 says name again"],
    [";; name: moored\n;; entities: Boat\n\nBoat", "must list them as catalog.Entity"],
    [";; name: moored\n;; entities: quay.Boat\n;; shared: perhaps\n\nBoat", "must be yes or no"],
    [";; name: moored\n;; entities: quay.Boat\n\nBoat[nmae]", "name"],
    [";; name: moored\n;; entities: quay.Boat\n\npage(s0_pg1)", "only a program can be saved"],
    [
      `;; name: moored\n;; entities: quay.Boat\n\nBoat("b1").update(note=kept(s0_r1, note))`,
      "kept(s0_r1, note) is a value of one session",
    ],
    [
      `;; name: moored\n;; entities: quay.Boat\n\nBoat("b1").update(note=file("plasm://session/s0/a/${"0f".repeat(32)}"))`,
      "is a file of one session",
    ],
    [";; name: moored\n;; entities: gone.Boat\n\nBoat", "gone"],
    [";; name: moored\n;; parameters: x\n;; entities: quay.Boat\n\nBoat", "x is not a label"],
    [7, "text is a number"],
  ])("%j is refused", async (text, expected) => {
    expect(await textOf(world().engine.programs.import(ANN, text))).toContain(expected);
    expect(await world().engine.programs.list(ANN)).toEqual([]);
  });
});
