import { openCatalog } from "@plasm/core";
import { systemClock, systemIds } from "@plasm/runtime";
import { readFixtureCatalog } from "@plasm/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import type { Engine } from "../engine.ts";
import type { SessionSecretsOf } from "./secrets.ts";
import type { RegisteredCatalog } from "../ports.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { testStore } from "../../test/test-store.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";

/** Who opens what, where: the members of the reuse key as a caller and a deployment make them. */
interface Opening {
  readonly scope: string;
  /** the id under which quay's files are on offer */
  readonly primary: string;
  readonly version: number;
  readonly entities: readonly string[];
  readonly subject: string;
  readonly delegated: boolean;
  readonly generation: string | null;
  readonly intent: string | null;
}

const BASE: Opening = {
  scope: "acme",
  primary: "quay",
  version: 1,
  entities: ["Boat"],
  subject: "ann",
  delegated: false,
  generation: null,
  intent: null,
};

const opened = new Map<string, RegisteredCatalog>();

function registered({ primary, version }: Opening): RegisteredCatalog {
  const known = opened.get(`${primary} ${version}`) ?? openAs(primary, version);
  opened.set(`${primary} ${version}`, known);
  return known;
}

function openAs(primary: string, version: number): RegisteredCatalog {
  const { domain: text, mappings } = readFixtureCatalog("quay");
  const domain = text.replace("A harbour register", `A harbour register, version ${version}`);
  const { catalog } = openCatalog({
    entryId: primary,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (catalog === null) throw new Error("quay does not open");
  return { catalog, domain, mappings, credentials: true };
}

const secretsFor =
  (delegated: boolean): SessionSecretsOf =>
  ({ scope, subject }) => ({
    credentials: {
      tenant: scope,
      ...(delegated && subject !== null ? { delegated, principal: subject } : {}),
    },
  });

let store: MemoryStore;
const engines: Engine[] = [];
beforeEach(() => {
  store = testStore();
});
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

/** Opens it in a process of its own on the store: which row that came to, and whether it was there. */
async function open(opening: Opening) {
  const entry = registered(opening);
  const { primary, scope, subject, delegated, generation, entities, intent } = opening;
  const engine = createEngine({
    store: { ...store, close: async () => undefined },
    registry: { list: () => [entry], get: (id) => (id === primary ? entry : undefined) },
    ports: {
      transport: boatsApi().transport,
      secrets: { env: () => undefined, hosted: async () => undefined },
      clock: systemClock,
      ids: systemIds,
      functions: new Map(),
    },
    pluginGeneration: generation,
    secretsOf: secretsFor(delegated),
  });
  engines.push(engine);
  const seeds = entities.map((entity) => ({ api: primary, entity }));
  const { meta } = await engine.context(
    { scope, subject, connection: null },
    { seeds, ...(intent === null ? {} : { intent }) },
  );
  return { row: JSON.stringify(meta["execute_binding"]), reused: meta["reused"] };
}

const DELEGATED: Opening = { ...BASE, delegated: true };
const BOUND: Opening = { ...BASE, intent: "paint" };

it.each<[string, Opening, Partial<Opening>]>([
  ["B11 tenant scope", BASE, { scope: "umbrella" }],
  ["B12 primary entry_id", BASE, { primary: "dock" }],
  ["B13 catalog hash", BASE, { version: 2 }],
  ["B14 entity set, larger", BASE, { entities: ["Boat", "Person"] }],
  ["B14 entity set, another", BASE, { entities: ["Person"] }],
  ["B15 principal, delegated", DELEGATED, { subject: "bob" }],
  ["B16 plug-in generation", BASE, { generation: "sha256:1" }],
  ["B16 plug-in generation, another", { ...BASE, generation: "sha256:1" }, { generation: "2" }],
  ["B17 logical id, by an intent", BASE, { intent: "paint" }],
  ["B17 logical id, by another intent", BOUND, { intent: "sell" }],
])("SESS-13 %s alone gives another row, and the first one stays", async (_name, base, over) => {
  const first = await open(base);
  expect(first.reused).toBe(false);
  expect(await open(base)).toEqual({ row: first.row, reused: true });
  const other = await open({ ...base, ...over });
  expect(other.reused).toBe(false);
  expect(other.row).not.toBe(first.row);
  // SESS-14: a live session is never evicted by an open.
  expect(await open(base)).toEqual({ row: first.row, reused: true });
  expect(await open({ ...base, ...over })).toEqual({ row: other.row, reused: true });
});

it("B18 SESS-13 without delegation another subject of the scope has the same row, by its intent", async () => {
  const { row } = await open(BOUND);
  expect(await open({ ...BOUND, subject: "bob" })).toEqual({ row, reused: true });
});

it("18.18 B18 without an intent another subject of the scope has a row of its own", async () => {
  const first = await open(BASE);
  const other = await open({ ...BASE, subject: "bob" });
  expect(other.reused).toBe(false);
  expect(other.row).not.toBe(first.row);
  expect(await open(BASE)).toEqual({ row: first.row, reused: true });
});
