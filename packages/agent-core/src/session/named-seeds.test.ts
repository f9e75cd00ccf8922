import { openCatalog, type Policy } from "@plasm/core";
import { afterEach, describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import type { RegisteredCatalog } from "../ports.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { fixtureEntry } from "../../test/fixture-entry.ts";
import { testStore } from "../../test/test-store.ts";
import { problemOf } from "../../test/problem-of.ts";

const [QUAY, YARD] = [fixtureEntry("quay"), fixtureEntry("yard")];

/** Entities whose names fold into each other. */
const NEAR = namesEntry(["Build", "Building", "Set", "Setting", "OAuth1Client", "OAuth2Client"]);

/** A catalog of entities of one field and one read each. */
function namesEntry(names: readonly string[]): RegisteredCatalog {
  const reads = names.map((entity) => [`${entity.toLowerCase()}_get`, entity] as const);
  const domain = JSON.stringify({
    version: 1,
    http_backend: "https://near.example",
    values: { text: { type: "string", string_semantics: "short" } },
    entities: Object.fromEntries(
      names.map((name) => [
        name,
        { id_field: "id", fields: { id: { value_ref: "text", required: true } } },
      ]),
    ),
    capabilities: Object.fromEntries(
      reads.map(([read, entity]) => [read, { kind: "get", entity }]),
    ),
  });
  const mappings = JSON.stringify(
    Object.fromEntries(
      reads.map(([read]) => [
        read,
        {
          method: "GET",
          path: [
            { type: "literal", value: read },
            { type: "var", name: "id" },
          ],
        },
      ]),
    ),
  );
  const { catalog, diagnostics } = openCatalog({
    entryId: "near",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return { catalog, domain, mappings, credentials: true };
}

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

/** An engine on catalogs of which some may come later. */
function engineWith(catalogs: RegisteredCatalog[], policy: Policy = {}): Engine {
  const registry = {
    list: () => catalogs,
    get: (id: string) => catalogs.find(({ catalog }) => catalog.entryId === id),
  };
  const engine = engineOn({ store: testStore(), api: boatsApi(), registry, policy });
  engines.push(engine);
  return engine;
}

const INTENT = "which boats are moored";
const open = (engine: Engine, seeds: unknown, intent = INTENT) =>
  engine.context(LOCAL, { intent, seeds, notation: "names" });

describe("a seed that names no catalog (SURF-7, TEACH-40)", () => {
  test.each(["Visit", "visit", "visits", "VISITS"])(
    "%s is the one entity of that name, and the answer says whose",
    async (entity) => {
      const { text, meta } = await open(engineWith([YARD, QUAY]), [{ entity }]);
      expect(text).toContain("\nquay: Visit\n");
      expect(meta["resolved_seeds"]).toEqual([{ seed: entity, api: "quay", entity: "Visit" }]);
      expect(meta["catalog_entry_ids"]).toEqual(["quay"]);
    },
  );

  test("stands beside seeds that name theirs; what was found out is told of these alone", async () => {
    const seeds = [{ entity: "parts" }, { api: "quay", entity: "Boat" }, { entity: " people " }];
    const { text, meta } = await open(engineWith([YARD, QUAY]), seeds);
    expect(text).toMatch(/\nquay: Boat, Person\n[^]*\nAdded from yard: Part\n/);
    expect(meta["resolved_seeds"]).toEqual([
      { seed: "parts", api: "yard", entity: "Part" },
      { seed: "people", api: "quay", entity: "Person" },
    ]);
  });

  test("a seed that names its catalog may be the goal's word as well", async () => {
    const { text, meta } = await open(engineWith([YARD, QUAY]), [{ api: "yard", entity: "boats" }]);
    expect(text).toContain("\nyard: Boat\n");
    expect(meta).not.toHaveProperty("resolved_seeds");
  });

  test("is the same session as with its catalog: nothing is opened twice (SESS-13)", async () => {
    const engine = engineWith([YARD, QUAY]);
    const first = await open(engine, [{ api: "quay", entity: "Visit" }]);
    const again = await open(engine, [{ entity: "visits" }]);
    expect(again.meta).toMatchObject({ reused: true, waves: [] });
    expect(again.meta["execute_binding"]).toEqual(first.meta["execute_binding"]);
    // Without an intent it is the key alone that finds it.
    const seeds = [{ entity: "Visit" }];
    const unbound = await engine.context(LOCAL, { seeds: [{ api: "quay", entity: "Visit" }] });
    const found = await engine.context(LOCAL, { seeds });
    expect(found.meta["execute_binding"]).toEqual(unbound.meta["execute_binding"]);
  });
});

describe("a name that means several entities, or none (SURF-18)", () => {
  test("several are listed as seeds, and none is picked", async () => {
    const problem = await problemOf(open(engineWith([YARD, QUAY]), [{ entity: "boats" }]));
    expect(problem).toMatchObject({ code: "plasm-unknown-entity", status: 422 });
    expect(problem.text).toBe(
      'boats may be {"api":"quay","entity":"Boat"}, {"api":"yard","entity":"Boat"}: seed the one that is meant.',
    );
  });

  test("none: the error says what discovery would have said, five rows at most", async () => {
    const engine = engineWith([YARD, QUAY]);
    const problem = await problemOf(open(engine, [{ entity: "Zeppelin" }]));
    const { text } = await engine.discover(LOCAL, { intent: INTENT, limit: 5 });
    expect(problem.code).toBe("plasm-unknown-entity");
    expect(problem.text).toBe(
      `No catalog has an entity Zeppelin.\nDiscovery finds for this intent:\n${text}`,
    );
  });

  test("of a catalog that is named, the nearest one is told first (ERR-007)", async () => {
    const engine = engineWith([YARD, QUAY]);
    const near = await problemOf(open(engine, [{ api: "yard", entity: "Boot" }]));
    expect(near.text).toBe("yard has no entity Boot. Nearest: Boat. Entities: Boat, Part");
    const far = await problemOf(open(engine, [{ api: "yard", entity: "Zeppelin" }]));
    expect(far.text).toBe("yard has no entity Zeppelin. Entities: Boat, Part");
  });

  test("every seed that fails is named at once", async () => {
    const seeds = [{ entity: "Zeppelin" }, { entity: "Boat" }, { entity: "Part" }];
    const { text } = await problemOf(open(engineWith([YARD, QUAY]), seeds));
    expect(text).toMatch(/^No catalog has an entity Zeppelin\.\nBoat may be .*\nDiscovery finds/);
    expect(text).not.toContain("Part may");
  });

  test("of very many the first ten are named (ERR-004)", async () => {
    const seeds = Array.from({ length: 1_000 }, (_, at) => ({
      entity: `${"zeppelin".repeat(50)} ${at}`,
    }));
    const { text } = await problemOf(engineWith([QUAY]).context(LOCAL, { seeds }));
    expect(text.match(/^No catalog has /gm)).toHaveLength(1);
    const short = Array.from({ length: 12 }, (_, at) => ({ entity: `zeppelin${"x".repeat(at)}` }));
    const other = await problemOf(open(engineWith([QUAY]), short));
    expect(other.text).toMatch(/^(?:No catalog has an entity zeppelinx*\.\n){10}2 more\nDiscovery/);
  });

  test("without an intent the words themselves are looked for", async () => {
    const seeds = [{ entity: "spare parts by maker" }];
    const { text } = await problemOf(engineWith([YARD, QUAY]).context(LOCAL, { seeds }));
    expect(text).toMatch(/\nDiscovery finds for these words:\n[^]*^yard\tPart\t/m);
  });

  test("one that fails opens nothing of the others (SESS-17)", async () => {
    const engine = engineWith([YARD, QUAY]);
    await problemOf(open(engine, [{ entity: "Visit" }, { entity: "Zeppelin" }]));
    const { meta } = await open(engine, [{ entity: "Part" }]);
    expect(meta).toMatchObject({ reused: false, logical_session_ref: "s0", domain_revision: 1 });
    await problemOf(open(engine, [{ entity: "Visit" }, { entity: "Zeppelin" }]));
    expect((await open(engine, [{ entity: "Part" }])).meta).toMatchObject({ domain_revision: 1 });
  });

  test("an empty list of seeds: what is wanted, and what there is", async () => {
    const engine = engineWith([QUAY]);
    const { code, text } = await problemOf(open(engine, []));
    const found = await engine.discover(LOCAL, { intent: INTENT, limit: 5 });
    expect(code).toBe("plasm-bad-request");
    expect(text).toMatch(/^seeds is missing: at least one \{"entity": …\}, /);
    expect(text).toContain(`\nDiscovery finds for this intent:\n${found.text}`);
  });

  test.each([
    [{}],
    [{ account: "work" }],
    [{ api: " ", entity: "Boat" }],
    [{ api: null, entity: "Boat" }],
    [{ entity: " " }],
    [{ entity: 7 }],
    ["Boat"],
    [null],
  ])("%j is no seed", async (seed) => {
    const { code, text } = await problemOf(open(engineWith([QUAY]), [seed]));
    expect([code, text]).toEqual([
      "plasm-bad-request",
      'seeds[0] needs "entity", and "api" if several catalogs have it, both non-blank text; or "api" alone, for what the goal needs of it.',
    ]);
  });
});

describe("a goal that names no seeds (TEACH-47)", () => {
  const ownOf = ({ api, entity }: { readonly api: string; readonly entity: string }) =>
    `${api}:${entity}`;
  const refsIn = (value: unknown): readonly string[] =>
    (value as readonly { readonly api: string; readonly entity: string }[]).map(ownOf);

  test("is taught what fits it, and told what else there is", async () => {
    const engine = engineWith([YARD, QUAY]);
    const { text, meta } = await open(engine, undefined, "visits of people to the harbour");
    const chosen = refsIn(meta["chosen_seeds"]);
    const others = refsIn(meta["other_seeds"]);
    expect(chosen).toContain("quay:Visit");
    expect(chosen.length).toBeLessThanOrEqual(4);
    expect(others.filter((one) => chosen.includes(one))).toEqual([]);
    const namesIn = (api: string): string =>
      others.flatMap((one) => (one.startsWith(api) ? [one.slice(api.length + 1)] : [])).join(", ");
    const byApi = ["quay", "yard"].map((api) => `${api}: ${namesIn(api)}`).join("; ");
    expect(text.split("\n").at(-1)).toBe(
      `Chosen for the goal: ${chosen.join(", ")}; seed these if the goal needs them: ${byApi}`,
    );
    // It is a session like any other: a program over what was chosen is a plan.
    const plan = await engine.plan(LOCAL, { kind: "ref", ref: "s0" }, 'Visit{boat="b1"}.limit(2)');
    expect(plan.text).toMatch(/^plan ok /);
  });

  test("asked again the same session is unchanged, and nothing is told twice", async () => {
    const engine = engineWith([YARD, QUAY]);
    const first = await open(engine, undefined, "visits of people to the harbour");
    const again = await open(engine, undefined, "visits of people to the harbour");
    expect(again.text).toContain("s0 unchanged: ");
    expect(again.text).not.toContain("Chosen for the goal");
    expect(again.meta).toMatchObject({ waves: [], domain_revision: first.meta["domain_revision"] });
  });

  test("of a session that was opened by seeds it adds nothing, and replays what that has", async () => {
    const engine = engineWith([YARD, QUAY]);
    const intent = "visits of people to the harbour";
    await open(engine, [{ api: "yard", entity: "Part" }], intent);
    const again = await engine.context(LOCAL, { intent, replay: true });
    expect(again.meta).toMatchObject({ domain_revision: 1, catalog_entry_ids: ["yard"] });
    expect(again.text).toContain("yard: Part");
    const more = await open(engine, [{ api: "quay" }], intent);
    expect(refsIn(more.meta["chosen_seeds"])).toContain("quay:Visit");
  });

  test("an API alone is taught what the goal needs of it, beside seeds that are named", async () => {
    const engine = engineWith([YARD, QUAY]);
    const seeds = [{ api: "yard" }, { entity: "Visit" }];
    const { meta } = await open(engine, seeds, "parts that a boat needs");
    expect(refsIn(meta["chosen_seeds"])).toContain("yard:Part");
    expect(meta["catalog_entry_ids"]).toEqual(["quay", "yard"]);
  });

  test("an API that is named a hundred thousand times is ranked once", async () => {
    const engine = engineWith([YARD, QUAY]);
    const seeds = Array.from({ length: 100_000 }, () => ({ api: "yard" }));
    const { meta } = await open(engine, seeds, "parts that a boat needs");
    expect(refsIn(meta["chosen_seeds"]).length).toBeLessThanOrEqual(4);
  });

  test("an API that is named is never answered with nothing", async () => {
    const engine = engineWith([QUAY, YARD]);
    const { text, meta } = await open(engine, [{ api: "quay" }], "zzz qqq");
    expect(refsIn(meta["chosen_seeds"])).toContain("quay:Boat");
    expect(text).toContain(
      "\nNo word of the goal is found in quay: what can do most there is taught.\n",
    );
    const found = await engine.discover(LOCAL, { intent: "zzz qqq", apis: ["quay"] });
    expect(found.text).toMatch(/^No word of this goal is found in quay; what can do most there:\n/);
    expect(found.text).toContain("\nquay\tBoat\t");
  });

  test("TEACH-47 the only one on offer is as good as named", async () => {
    const { text, meta } = await open(engineWith([QUAY]), undefined, "zzz qqq");
    expect(refsIn(meta["chosen_seeds"])).toContain("quay:Boat");
    expect(text).toContain("\nNo word of the goal is found in quay: ");
  });

  test("TEACH-47 one that policy forbids is not, nor told of", async () => {
    const engine = engineWith([QUAY], { apis: {} });
    const { text } = await problemOf(open(engine, undefined, "visits"));
    expect(text).not.toContain("quay");
  });

  test("a goal that nothing fits is told so, with the catalogs; nothing is opened", async () => {
    const engine = engineWith([QUAY, YARD]);
    const { code, text } = await problemOf(open(engine, undefined, "zzz qqq"));
    expect(code).toBe("plasm-unknown-entity");
    expect(text).toMatch(/^Nothing fits this goal\. No match\. Catalogs: quay, yard\nName seeds: /);
    const near = await problemOf(open(engine, undefined, "robots, pizza and jazz on mars by boat"));
    expect(near.text).toMatch(/\nNearest by single words: [^\n]*quay: Boat[^\n]*\nName seeds: /);
    expect((await open(engine, undefined, "visits")).meta).toMatchObject({ reused: false });
  });

  test("a catalog that policy forbids is not chosen from", async () => {
    const engine = engineWith([QUAY, YARD], { apis: { quay: {} } });
    const { meta } = await open(engine, undefined, "parts for boats");
    expect(
      [...refsIn(meta["chosen_seeds"]), ...refsIn(meta["other_seeds"])].join(" "),
    ).not.toContain("yard:");
  });

  test("without an intent there is nothing to choose by", async () => {
    const engine = engineWith([QUAY]);
    const none = await problemOf(engine.context(LOCAL, {}));
    expect(none.text).toMatch(/^seeds is missing: at least one /);
    const only = await problemOf(engine.context(LOCAL, { seeds: [{ api: "quay" }] }));
    expect(only.text).toMatch(/^A seed of quay names no entity, and no intent is known/);
  });
});

describe("what a session holds", () => {
  test("a catalog that comes later changes nothing of it", async () => {
    const catalogs = [QUAY];
    const engine = engineWith(catalogs);
    await open(engine, [{ entity: "boats" }]);
    catalogs.push(YARD);
    const { text, meta } = await open(engine, [{ entity: "boats" }]);
    expect(text).toContain("s0 unchanged: Boat.");
    expect(meta["resolved_seeds"]).toEqual([{ seed: "boats", api: "quay", entity: "Boat" }]);
    expect(await problemOf(open(engine, [{ entity: "boats" }], "another goal"))).toMatchObject({
      code: "plasm-unknown-entity",
    });
  });

  test.each([
    ["Build", "Building"],
    ["Setting", "Set"],
    ["OAuth2Client", "OAuth1Client"],
  ])("a %s that is asked for by its name is never the %s that is held", async (asked, held) => {
    const engine = engineWith([NEAR]);
    await open(engine, [{ entity: held }]);
    const { text, meta } = await open(engine, [{ entity: asked }]);
    expect(text).not.toContain("unchanged");
    expect(meta["resolved_seeds"]).toEqual([{ seed: asked, api: "near", entity: asked }]);
    expect(meta["domain_revision"]).toBe(2);
  });

  test("is meant first on the routes that name it by its pair, too", async () => {
    const engine = engineWith([YARD, QUAY]);
    const { meta } = await engine.context(LOCAL, { seeds: [{ api: "yard", entity: "Boat" }] });
    const { prompt_hash: promptHash, session_id: sessionId } = meta["execute_binding"] as {
      readonly prompt_hash: string;
      readonly session_id: string;
    };
    const session = { promptHash, sessionId };
    const more = await engine.context(LOCAL, { seeds: [{ entity: "Boat" }], session });
    expect(more.meta).toMatchObject({
      domain_revision: 1,
      resolved_seeds: [{ seed: "Boat", api: "yard", entity: "Boat" }],
    });
  });

  test("of two catalogs with the name, both in the session, none is meant more", async () => {
    const engine = engineWith([YARD, QUAY]);
    const both = ["quay", "yard"].map((api) => ({ api, entity: "Boat" }));
    await open(engine, both);
    expect((await problemOf(open(engine, [{ entity: "Boat" }]))).text).toMatch(/^Boat may be /);
  });
});

test("a forbidden catalog has no part in it: neither meant, nor named, nor in the way (SURF-26)", async () => {
  const engine = engineWith([YARD, QUAY], { apis: { quay: {} } });
  const { meta } = await open(engine, [{ entity: "Boat" }]);
  expect(meta["resolved_seeds"]).toEqual([{ seed: "Boat", api: "quay", entity: "Boat" }]);
  const refused = await problemOf(open(engine, [{ entity: "Part" }], "spare parts"));
  const alone = engineWith([QUAY]);
  expect(refused).toEqual(await problemOf(open(alone, [{ entity: "Part" }], "spare parts")));
  expect(refused.text).not.toContain("yard");
});
