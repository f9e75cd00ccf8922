import type { CatalogTexts } from "@plasm/runtime";
import { openCatalog } from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import type { CatalogRegistry, RegisteredCatalog } from "../ports.ts";
import { testStore } from "../../test/test-store.ts";
import { catalogAdmin } from "./catalog-admin.ts";
import { liveRegistry } from "./live-registry.ts";

const BY = { tenant: "acme", subject: "root" };

const open = async ({ entryId, domain, mappings }: CatalogTexts) =>
  openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    ...(mappings === null ? {} : { mappings: { file: "mappings.yaml", text: mappings } }),
  });

const { domain, mappings } = readFixtureCatalog("yard");

/** The yard in a version. */
const yard = (version: number): CatalogTexts => ({
  entryId: "yard",
  domain: domain.replace("version: 1", `version: ${version}`),
  mappings,
});

async function offeredBy(texts: CatalogTexts): Promise<RegisteredCatalog> {
  const { catalog } = await open(texts);
  if (catalog === null) throw new Error("it does not open");
  return { catalog, domain: texts.domain, mappings: texts.mappings, credentials: true };
}

/** Processes on one store: each with the catalogs of its own directories. */
function processes() {
  const store = testStore();
  const start = (...own: readonly RegisteredCatalog[]) => {
    const files: CatalogRegistry = {
      list: () => own,
      get: (id) => own.find(({ catalog }) => catalog.entryId === id),
    };
    const warn = (): void => undefined;
    const registry = liveRegistry({ store, files, open, hasCredential: () => true, warn });
    return { registry, admin: catalogAdmin({ store, registry, open }) };
  };
  return { store, start };
}

const send = ({ entryId, ...texts }: CatalogTexts) => ({ entry_id: entryId, ...texts });
const versions = ({ list }: CatalogRegistry) => list().map(({ catalog }) => catalog.cgs.version);

describe("an imported catalog is withdrawn (SESS-12, RUN-180)", () => {
  it("every version of it, from every process, while a directory's stays on offer", async () => {
    const { store, start } = processes();
    const [one, other] = [start(await offeredBy(yard(1))), start()];
    for (const version of [2, 3]) await one.admin.import(BY, send(yard(version)));
    await other.registry.refresh();
    expect([versions(one.registry), versions(other.registry)]).toEqual([[3], [3]]);
    const { record, remains, sessions } = await one.admin.withdraw(BY, "yard", "lose");
    expect([record.version, remains?.version, sessions]).toEqual([3, 1, "lose"]);
    expect([versions(one.registry), versions(other.registry)]).toEqual([[1], [3]]);
    await other.registry.refresh();
    expect(versions(other.registry)).toEqual([]);
    expect(await store.list("importedCatalog", "", "")).toEqual([]);
    await other.admin.import(BY, send(yard(2)));
    expect(versions(other.registry)).toEqual([2]);
  });

  it.each(["lose", "keep"] as const)(
    "sessions %s what was imported, and no other",
    async (then) => {
      const { store, start } = processes();
      const { admin } = start();
      await admin.import(BY, send(yard(2)));
      await admin.import(BY, send(yard(3)));
      const pins = [
        // What sessions have with a backend of the deployment's own goes by another digest (RUN-171).
        { ...yard(2), digest: "sha256:2" },
        { ...yard(3), digest: "sha256:3" },
        { ...yard(1), digest: "sha256:of a directory" },
        { ...yard(3), digest: "sha256:of another id", entryId: "shed" },
      ];
      for (const pin of pins) await store.pinCatalog(pin);
      await admin.withdraw(BY, "yard", then);
      const left = await Promise.all(pins.map(({ digest }) => store.isPinned(digest)));
      const kept = then === "keep";
      expect(left).toEqual([kept, kept, true, true]);
    },
  );

  it("what was never imported, or is withdrawn, is no import, and nothing changes", async () => {
    const { start } = processes();
    const { registry, admin } = start(await offeredBy(yard(1)));
    const refused = { problem: { code: "plasm-unknown-catalog" } };
    await expect(admin.withdraw(BY, "yard", "lose")).rejects.toMatchObject(refused);
    await admin.import(BY, send(yard(2)));
    await admin.withdraw(BY, "yard", "lose");
    await expect(admin.withdraw(BY, "yard", "lose")).rejects.toMatchObject(refused);
    await expect(admin.withdraw(BY, "shed", "lose")).rejects.toThrow(
      "No import of shed is on offer.",
    );
    expect(versions(registry)).toEqual([1]);
  });
});

describe("what an imported catalog was made of (SURF-71)", () => {
  const origin = {
    source: "https://user:secret@api.example/openapi.json?key=secret",
    digest: "sha256:1",
    read: "2026-11-23T16:50:00.000Z",
    operations: 250,
    reached: 20,
    left: Array.from({ length: 230 }, (_, n) => `GET /${n}: no rows`),
    generated: { domain: "…", mappings: "…" },
  };
  const originOf = ({ registry }: ReturnType<ReturnType<typeof processes>["start"]>) =>
    registry.get("yard")?.origin?.();

  it("is on offer with it in every process, cut and without what may be secret", async () => {
    const { store, start } = processes();
    const [one, other] = [start(), start()];
    await one.admin.import(BY, { ...send(yard(2)), origin });
    await other.registry.refresh();
    const kept = await originOf(other);
    expect(kept).toMatchObject({
      source: "https://api.example/openapi.json",
      reached: 20,
      omitted: 30,
    });
    expect(kept?.left_out).toHaveLength(200);
    expect(JSON.stringify(await store.list("importedCatalog", "", ""))).not.toContain("secret");
  });

  it("may be said later, of the same texts, and is another's with another version", async () => {
    const { start } = processes();
    const one = start();
    await one.admin.import(BY, send(yard(2)));
    expect(await originOf(one)).toBeNull();
    await one.admin.import(BY, { ...send(yard(2)), origin });
    expect(await originOf(one)).toMatchObject({ operations: 250 });
    await one.admin.import(BY, send(yard(2)));
    expect(await originOf(one)).toMatchObject({ operations: 250 });
    await one.admin.import(BY, send(yard(3)));
    expect(await originOf(one)).toBeNull();
  });

  it.each(["a text", [], { source: "x" }, { ...origin, operations: "many" }])(
    "is refused where it is none: %j",
    async (value) => {
      const { start } = processes();
      await expect(start().admin.import(BY, { ...send(yard(2)), origin: value })).rejects.toThrow(
        /origin is what import.json has/,
      );
    },
  );
});
