import { openCatalog } from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import { afterEach, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { LOCAL } from "../identity/caller.ts";
import type { RegisteredCatalog } from "../ports.ts";
import { listRegistry } from "../registry/listing.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import { problemOf } from "../../test/problem-of.ts";
import { effectiveCatalog, PinnedCatalogs } from "./catalog-content.ts";

const quay = readFixtureCatalog("quay");

/** Quay with one text of its domain changed. */
function broken(was: string, is: string): RegisteredCatalog {
  expect(quay.domain).toContain(was);
  const domain = quay.domain.replace(was, is);
  const { catalog, diagnostics } = openCatalog({
    entryId: "quay",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: quay.mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return { catalog, domain, mappings: quay.mappings, credentials: true };
}

const engines: Engine[] = [];
afterEach(() => Promise.all(engines.splice(0).map((engine) => engine.close())));

function engineWith(entry: RegisteredCatalog): Engine {
  const registry = {
    list: () => [entry],
    get: (id: string) => (id === "quay" ? entry : undefined),
  };
  const engine = engineOn({ store: testStore(), api: boatsApi(), registry });
  engines.push(engine);
  return engine;
}

const withoutSend = () => broken("boat_send:\n    kind: action", "boat_send:\n    kind: act");
const open = (engine: Engine, entity: string) =>
  engine.context(LOCAL, {
    intent: "boats",
    seeds: [{ api: "quay", entity }],
    notation: "names",
  });

test("17.13: a session says above its table what could not be loaded, and why when it is called", async () => {
  const engine = engineWith(withoutSend());
  const { text } = await open(engine, "Boat");
  expect(text).toContain("\nNot loaded, since the catalog has faults: Boat.send\n");
  expect(text).not.toContain(".send(");
  const called = engine.plan(LOCAL, { kind: "ref", ref: "s0" }, 'Boat("b1").send(to="harbour")');
  const { text: refusal } = await problemOf(called);
  expect(refusal).toMatch(/send of Boat was not loaded: CAT002 at domain.yaml/);
});

test("17.13: the registry lists what is not loaded, and why", () => {
  const entry = withoutSend();
  const registry = { list: () => [entry], get: () => entry };
  const credentials = { tenant: "local" };
  const [row] = listRegistry(registry, { policy: {}, credentials });
  expect(row?.["not_loaded"]).toEqual([
    { part: "capabilities.boat_send", why: expect.stringMatching(/^CAT002 at domain.yaml:/) },
  ]);
  const hidden = { apis: { quay: { deny: ["boat_send"] } } };
  const [other] = listRegistry(registry, { policy: hidden, credentials });
  expect(other).not.toHaveProperty("not_loaded");
});

test("17.13: an entity that could not be loaded says why when it is a seed", async () => {
  const engine = engineWith(broken("id_field: day", "id_field: nothing"));
  const { text } = await problemOf(open(engine, "Visit"));
  expect(text).toMatch(/Visit was not loaded: CAT\d+ at domain.yaml/);
});

test("17.13 RUN-173: another process has of a session's catalog what the session has", async () => {
  const entry = withoutSend();
  const { catalog, pinned } = effectiveCatalog(entry, undefined);
  const store = testStore();
  await store.pinCatalog(pinned);
  const read = await new PinnedCatalogs([], () => undefined).read(
    store,
    pinned.entryId,
    pinned.digest,
  );
  expect(read).toEqual(catalog);
  expect(read?.dropped?.map(({ part }) => part)).toEqual(["capabilities.boat_send"]);
});
