import { openCatalog } from "@plasm/core";
import { expect, test } from "vitest";
import type { RegisteredCatalog } from "../ports.ts";
import type { PinnedCatalog } from "../records/sessions.ts";
import { testStore } from "../../test/test-store.ts";
import { PinnedCatalogs } from "./catalog-content.ts";

const domainOf = (host: string): string => `
version: 1
http_backend: https://${host}.example
auth: { scheme: none }
values: { text: { type: string, string_semantics: short } }
entities: { Tree: { id_field: id, fields: { id: { value_ref: text } } } }
capabilities: { tree_query: { kind: query, entity: Tree } }
`;
const MAPPINGS = `tree_query: { method: GET, path: [{ type: literal, value: trees }] }`;

function registered(domain: string): RegisteredCatalog {
  const source = {
    entryId: "orchard",
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: MAPPINGS },
  };
  const { catalog, diagnostics } = openCatalog(source);
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return { catalog, domain, mappings: MAPPINGS, credentials: true };
}

const NOW = registered(domainOf("now"));
const BEFORE = registered(domainOf("before"));
const EFFECTIVE = "e".repeat(64);

/** What a new process reads of content that sessions opened with, while `NOW` is on offer. */
async function read({ domain, mappings }: RegisteredCatalog) {
  const store = testStore();
  const pinned: PinnedCatalog = { digest: EFFECTIVE, entryId: "orchard", domain, mappings };
  await store.pinCatalog(pinned);
  const pinnedCatalogs = new PinnedCatalogs([], (id) => (id === "orchard" ? NOW : undefined));
  const catalog = await pinnedCatalogs.read(store, "orchard", EFFECTIVE);
  await store.withdrawCatalog(EFFECTIVE);
  return { catalog, withdrawn: await pinnedCatalogs.read(store, "orchard", EFFECTIVE) };
}

test("SESS-12 content that is on offer is not compiled again", async () => {
  const { catalog } = await read(NOW);
  expect(catalog).toMatchObject({ digest: EFFECTIVE, base: NOW.catalog.digest });
  expect(catalog?.cgs).toBe(NOW.catalog.cgs);
});

test.each([
  ["domain", BEFORE],
  ["mappings", { ...BEFORE, domain: NOW.domain, mappings: `${MAPPINGS}\n` }],
])("SESS-12 content with another %s is what the session opened with", async (_what, other) => {
  const { catalog } = await read(other);
  expect(catalog?.cgs).not.toBe(NOW.catalog.cgs);
  const same = other.domain === BEFORE.domain ? BEFORE : NOW;
  expect(catalog).toEqual({ ...same.catalog, digest: EFFECTIVE, base: same.catalog.digest });
});

test("SESS-12 content that was withdrawn is gone, on offer or not", async () => {
  for (const each of [NOW, BEFORE]) expect((await read(each)).withdrawn).toBeNull();
});

test("RUN-001 sessions of catalogs with equal texts have each its own entry id", async () => {
  const store = testStore();
  const { domain, mappings } = NOW;
  await store.pinCatalog({ digest: EFFECTIVE, entryId: "orchard", domain, mappings });
  const pinned = new PinnedCatalogs([], () => undefined);
  const twice = ["orchard", "garden", "orchard", "garden"];
  const read = await Promise.all(twice.map((id) => pinned.read(store, id, EFFECTIVE)));
  expect(read.map((catalog) => catalog?.entryId)).toEqual(twice);
});
