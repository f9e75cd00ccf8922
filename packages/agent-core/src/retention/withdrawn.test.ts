import { openCatalog } from "@plasm/core";
import { systemClock, systemIds } from "@plasm/runtime";
import { readFixtureCatalog } from "@plasm/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import type { RegisteredCatalog } from "../ports.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { testStore } from "../../test/test-store.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";
import { sweep } from "./sweep.ts";

const HOUR = 3_600_000;
const SCOPE = LOCAL.scope;
const S0 = { kind: "ref", ref: "s0" } as const;
const BOAT = { intent: "boats", seeds: [{ api: "quay", entity: "Boat" }] };

const versions = new Map<number, RegisteredCatalog>();

/** quay, with another description from one version to the next. */
function version(n: number): RegisteredCatalog {
  const known = versions.get(n) ?? open(n);
  versions.set(n, known);
  return known;
}

function open(n: number): RegisteredCatalog {
  const { entryId, domain: text, mappings } = readFixtureCatalog("quay");
  const domain = text.replace("A harbour register", `A harbour register, version ${n}`);
  const { catalog } = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error("quay does not open");
  return { catalog, domain, mappings, credentials: true };
}

let store: MemoryStore;
let offered: RegisteredCatalog;
const engines: Engine[] = [];

/** A process on the store, with what is on offer at the time of each call. */
function start(): Engine {
  const engine = createEngine({
    store: { ...store, close: async () => undefined },
    registry: { list: () => [offered], get: (id) => (id === "quay" ? offered : undefined) },
    ports: {
      transport: boatsApi().transport,
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
  });
  engines.push(engine);
  return engine;
}

beforeEach(() => {
  store = testStore();
  offered = version(1);
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

/** The digest that the session of an intent has its catalog by. */
async function digestOf(intent: string): Promise<string | undefined> {
  const all = await store.list("logical", SCOPE, "");
  const bound = all.find(({ value }) => value.intent === intent)?.value.bound ?? null;
  return bound === null ? undefined : (await store.waves(bound))[0]?.entry.digest;
}

it("F12 SESS-12 a catalog that is replaced: a session keeps its own, a new one has the new", async () => {
  const old = version(1).catalog.digest;
  const first = start();
  await first.context(LOCAL, BOAT);
  offered = version(2);
  // Another process has nothing of the old one but what the store pins.
  const second = start();
  for (const engine of [first, second]) {
    const { meta } = await engine.context(LOCAL, {
      ...BOAT,
      seeds: [{ api: "quay", entity: "Person" }],
    });
    expect(meta["domain_revision"]).toBe(2);
    expect((await engine.plan(LOCAL, S0, "Boat.limit(1)[id]")).meta["dry_verdict"]).toBe("ok");
  }
  expect([await digestOf("boats"), version(2).catalog.digest === old]).toEqual([old, false]);
  await second.context(LOCAL, { ...BOAT, intent: "others" });
  expect(await digestOf("others")).toBe(version(2).catalog.digest);
  store.advance(HOUR - 1);
  await sweep(store);
  expect(await store.isPinned(old)).toBe(true);
  await first.plan(LOCAL, S0, "Boat.limit(1)[id]");
  store.advance(HOUR - 1);
  await sweep(store);
  expect([await store.isPinned(old), await digestOf("others")]).toEqual([true, undefined]);
  store.advance(1);
  await sweep(store);
  expect(await store.isPinned(old)).toBe(false);
});

it("F12 SESS-12 a catalog that is withdrawn: the session is lost with that reason, in every process", async () => {
  const first = start();
  const second = start();
  const { meta: before } = await first.context(LOCAL, BOAT);
  await second.context(LOCAL, BOAT);
  const old = version(1).catalog.digest;
  offered = version(2);
  expect(await store.withdrawCatalog(old)).toBe(true);
  expect(await store.withdrawCatalog(old)).toBe(false);
  for (const engine of [first, second]) {
    const lost = engine.plan(LOCAL, S0, "Boat.limit(1)[id]");
    await expect(lost).rejects.toMatchObject({
      problem: {
        code: "plasm-session-lost",
        text: "Session s0 is gone (catalog_gone). Call plasm_context with the same intent and seeds; all e#, m#, p# change.",
      },
    });
  }
  const again = await first.context(LOCAL, BOAT);
  expect(again.meta["continuity"]).toEqual({
    stale_binding_recovered: true,
    new_symbol_space: true,
    discard_cached_plasm_symbols: true,
    previous_execute: before["execute_binding"],
    reason: "catalog_gone",
  });
  expect(again.text).toContain("NOTICE: the earlier session of s0 is gone (catalog_gone).");
  expect(await digestOf("boats")).toBe(version(2).catalog.digest);
});

it("SESS-12 a session without intent whose catalog is withdrawn gives way to another", async () => {
  const engine = start();
  const { seeds } = BOAT;
  const first = await engine.context(LOCAL, { seeds });
  await store.withdrawCatalog(version(1).catalog.digest);
  const second = await engine.context(LOCAL, { seeds });
  expect(second.meta["execute_binding"]).not.toEqual(first.meta["execute_binding"]);
  expect(second.meta["reused"]).toBe(false);
});
