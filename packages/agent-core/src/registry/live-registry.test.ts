import type { CatalogTexts } from "@plasm/runtime";
import { openCatalog } from "@plasm/core";
import { readFixtureCatalog } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { Failure } from "../errors/problem.ts";
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

/** The yard in a version, with a label. */
const yard = (version: number, label = "Yard"): CatalogTexts => ({
  entryId: "yard",
  domain: domain
    .replace("version: 1", `version: ${version}`)
    .replace("label: Yard", `label: ${label}`),
  mappings,
});

const sent = ({ entryId: entry_id, ...texts }: CatalogTexts) => ({ entry_id, ...texts });

async function registered(texts: CatalogTexts): Promise<RegisteredCatalog> {
  const { catalog } = await open(texts);
  if (catalog === null) throw new Error("it does not open");
  return { catalog, domain: texts.domain, mappings: texts.mappings, credentials: true };
}

const filesOf = (...all: readonly RegisteredCatalog[]): CatalogRegistry => ({
  list: () => all,
  get: (entryId) => all.find(({ catalog }) => catalog.entryId === entryId),
});

/** Processes on one store: each with the catalogs of its own directories. */
function processesOn(store = testStore()) {
  const warned: string[] = [];
  const start = (files: CatalogRegistry) => {
    const warn = (what: string): void => void warned.push(what);
    const hasCredential = (): boolean => true;
    const registry = liveRegistry({ store, files, open, hasCredential, warn });
    return { registry, admin: catalogAdmin({ store, registry, open }) };
  };
  return { store, start, warned };
}

const labels = (registry: CatalogRegistry): readonly string[] =>
  registry.list().map(({ catalog }) => `${catalog.entryId} ${catalog.cgs.label}`);

describe("imported catalogs (RUN-180, RUN-181, SESS-12)", () => {
  it("are on offer in every process on the store, from their next look on", async () => {
    const { start } = processesOn();
    const [one, other] = [start(filesOf()), start(filesOf())];
    const { record, warnings } = await one.admin.import(BY, sent(yard(1)));
    expect([record.by, record.version, warnings]).toEqual(["root", 1, []]);
    expect(labels(one.registry)).toEqual(["yard Yard"]);
    expect(labels(other.registry)).toEqual([]);
    await other.registry.refresh();
    expect(other.registry.get("yard")?.catalog.digest).toBe(record.digest);
    const later = start(filesOf());
    await later.registry.refresh();
    expect(labels(later.registry)).toEqual(["yard Yard"]);
  });

  it("replace what is on offer by a higher version alone; equal ones are one", async () => {
    const { store, start } = processesOn();
    const { registry, admin } = start(filesOf(await registered(yard(2, "Files"))));
    const tried = async (texts: CatalogTexts): Promise<string> => {
      try {
        return `version ${(await admin.import(BY, sent(texts))).record.version}`;
      } catch (thrown) {
        if (thrown instanceof Failure) return `${thrown.problem.code} ${thrown.problem.text}`;
        throw thrown;
      }
    };
    expect(await tried(yard(1))).toBe(
      "plasm-bad-request yard is on offer with version 2; this one has version 1. Raise its version above 2.",
    );
    expect(await tried(yard(2, "Other"))).toContain(
      "is on offer with version 2 with other content;",
    );
    expect(await store.list("offer", "", "")).toEqual([]);
    expect(await tried(yard(2, "Files"))).toBe("version 2");
    expect(await tried(yard(3, "Newer"))).toBe("version 3");
    expect(await tried(yard(3, "Newer"))).toBe("version 3");
    expect(labels(registry)).toEqual(["yard Newer"]);
    // Their content stays, by digest.
    expect(await store.list("importedCatalog", "", "")).toHaveLength(2);
  });

  it("of equal texts are one each, offered and withdrawn by its own id (RUN-170)", async () => {
    const { store, start } = processesOn();
    const [one, other] = [start(filesOf()), start(filesOf())];
    const ids = (registry: CatalogRegistry): readonly string[] =>
      registry.list().map(({ catalog }) => catalog.entryId);
    await one.admin.import(BY, sent(yard(1)));
    await one.admin.import(BY, sent({ ...yard(1), entryId: "shed" }));
    await other.registry.refresh();
    expect(ids(other.registry)).toEqual(["yard", "shed"]);
    expect(other.registry.get("shed")?.catalog.entryId).toBe("shed");
    await one.admin.withdraw(BY, "yard", "keep");
    await other.registry.refresh();
    expect(ids(other.registry)).toEqual(["shed"]);
    await one.admin.withdraw(BY, "shed", "keep");
    expect(await store.list("importedCatalog", "", "")).toEqual([]);
  });

  it("that a store of before keeps by their digest are read, and withdrawn", async () => {
    const { store, start } = processesOn();
    const { record } = await start(filesOf()).admin.import(BY, sent(yard(1)));
    const { digest } = record;
    await store.delete("importedCatalog", "", `yard ${digest}`);
    await store.insert("importedCatalog", "", digest, record);
    await store.insert("offer", "", "shed", { entryId: "shed", digest });
    const { registry, admin } = start(filesOf());
    await registry.refresh();
    expect(registry.list().map(({ catalog }) => catalog.entryId)).toEqual(["yard", "shed"]);
    await admin.withdraw(BY, "shed", "keep");
    await admin.withdraw(BY, "yard", "keep");
    expect(await store.list("importedCatalog", "", "")).toEqual([]);
  });

  it("yield to a directory's higher version, and clash with an equal one that differs", async () => {
    const { start, warned } = processesOn();
    await start(filesOf()).admin.import(BY, sent(yard(2)));
    const newer = start(filesOf(await registered(yard(3, "Files"))));
    await newer.registry.refresh();
    expect(labels(newer.registry)).toEqual(["yard Files"]);
    expect(warned).toEqual([]);
    const clash = start(filesOf(await registered(yard(2, "Files"))));
    await clash.registry.refresh();
    await clash.registry.refresh();
    expect(labels(clash.registry)).toEqual([]);
    expect(warned).toEqual([expect.stringMatching(/^yard is not on offer: .* same version/)]);
  });

  it.each<[object, string]>([
    [{ entry_id: "yard" }, "domain"],
    [{ entry_id: "../yard", domain }, "entry_id is the id of a catalog"],
    [{ entry_id: "yard", domain, mappings: 3 }, "mappings"],
    [
      { entry_id: "yard", domain, maps: "" },
      "takes no argument maps. It takes: entry_id, domain, mappings, origin.",
    ],
    [
      { entry_id: "yard", domain: domain.replace("type: integer", "type: integr"), mappings },
      "error at domain.yaml:",
    ],
    [{ entry_id: "yard", domain: "", mappings: "" }, "yard is not valid."],
  ])("%# are refused, and nothing is kept", async (body, said) => {
    const { store, start } = processesOn();
    const refused = start(filesOf()).admin.import(BY, body as Record<string, unknown>);
    await expect(refused).rejects.toThrow(Failure);
    const problem = await refused.catch((thrown: unknown) => (thrown as Failure).problem);
    expect(problem).toMatchObject({
      code: "plasm-bad-request",
      text: expect.stringContaining(said),
    });
    expect(await store.list("importedCatalog", "", "")).toEqual([]);
    expect(await store.list("offer", "", "")).toEqual([]);
  });
});
