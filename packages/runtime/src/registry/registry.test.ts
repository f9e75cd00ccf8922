import { fixtureCatalogDir, fixtureCatalogsDir, readFixtureCatalog } from "@plasm/testkit";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { effectiveBackends } from "../request/effective-backend.ts";
import { type Plugin, loadCatalogDirectory, registerPlugins } from "./registry.ts";

const one = (): { readonly value: number } => ({ value: 1 });
const plugin = (name: string, version: string, ...names: readonly string[]): Plugin => ({
  name,
  version,
  functions: new Map(names.map((each) => [each, one])),
});

test("RUN-105: the functions of all plug-ins by name", () => {
  const { functions, functionNames } = registerPlugins([
    plugin("b", "1.0.0", "sign", "hash"),
    plugin("a", "1.0.0", "fold"),
  ]);
  expect([...functions.keys()]).toEqual(["sign", "hash", "fold"]);
  expect(functionNames).toEqual(["fold", "hash", "sign"]);
});

test("two of one name are refused, both plug-ins named", () => {
  const both = [plugin("a", "1.0.0", "sign"), plugin("b", "1.0.0", "sign")];
  expect(() => registerPlugins(both)).toThrow("plug-ins a and b both have a function sign");
});

test("SESS-13: the generation is null without plug-ins, and depends on name, version and functions alone", () => {
  const generation = (...plugins: readonly Plugin[]) => registerPlugins(plugins).generation;
  const known = generation(plugin("a", "1.0.0", "f", "g"), plugin("b", "2.0.0", "h"));
  expect(generation()).toBeNull();
  expect(known).toMatch(/^[0-9a-f]{64}$/);
  expect(generation(plugin("b", "2.0.0", "h"), plugin("a", "1.0.0", "g", "f"))).toBe(known);
  expect(generation(plugin("a", "1.0.1", "f", "g"), plugin("b", "2.0.0", "h"))).not.toBe(known);
  expect(generation(plugin("a", "1.0.0", "f"), plugin("b", "2.0.0", "h"))).not.toBe(known);
});

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-registry-"));
});
afterAll(() => rm(dir, { recursive: true }));

const yard = readFixtureCatalog("yard");

async function put(place: string, domain: string, mappings: string): Promise<string> {
  const path = join(dir, place);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "domain.yaml"), domain);
  await writeFile(join(path, "mappings.yaml"), mappings);
  return path;
}

describe("RUN-180: catalogs from directories", () => {
  test("a directory of catalogs, and a catalog itself", async () => {
    const all = await loadCatalogDirectory([fixtureCatalogsDir()]);
    expect(all.list().map(({ catalog }) => catalog.entryId)).toEqual([
      "depot",
      "orchard",
      "quay",
      "yard",
    ]);
    expect(all.skipped).toEqual([]);
    const one = await loadCatalogDirectory([fixtureCatalogDir("yard")]);
    expect(one.get("yard")?.domain).toBe(yard.domain);
    expect(one.get("quay")).toBeUndefined();
  });

  test("an invalid one is skipped whole, with its diagnostics", async () => {
    await put("mixed/yard", yard.domain, yard.mappings);
    await put(
      "mixed/broken",
      yard.domain.replace("http_backend: ", "http_backend: no"),
      yard.mappings,
    );
    const { list, skipped } = await loadCatalogDirectory([join(dir, "mixed")]);
    expect(list().map(({ catalog }) => catalog.entryId)).toEqual(["yard"]);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]?.entryId).toBe("broken");
    expect(skipped[0]?.diagnostics.map(({ code }) => code)).toContain("CAT020");
  });

  test("17.13: one with a faulty part is there without it, and says why", async () => {
    const faulty = yard.domain.replace("id_field: id", "id_field: nope");
    await put("partly/yard", faulty, yard.mappings);
    const { get, skipped } = await loadCatalogDirectory([join(dir, "partly")]);
    expect(skipped).toEqual([]);
    const entry = get("yard");
    expect(entry?.diagnostics[0]).toMatchObject({ code: "CAT040", severity: "warning" });
    const lost = entry?.catalog.dropped?.find(({ kind }) => kind === "entity");
    expect(lost?.why).toMatch(/^CAT040 at domain.yaml:/);
    expect(entry?.catalog.cgs.entities.has(lost?.name ?? "")).toBe(false);
  });

  test("CAT-011 files that are no text", async () => {
    await put("bytes/yard", yard.domain, yard.mappings);
    await writeFile(join(dir, "bytes/yard/mappings.yaml"), new Uint8Array([97, 58, 32, 0xff]));
    const { skipped } = await loadCatalogDirectory([join(dir, "bytes")]);
    expect(skipped[0]?.diagnostics[0]).toMatchObject({ code: "CAT011", file: "mappings.yaml" });
    expect(skipped[0]?.diagnostics[0]?.message).toContain("the byte at offset 3");
  });

  describe("files that are no catalog say which form is accepted", () => {
    const forms = ["a directory with domain.yaml and mappings.yaml", "one .yaml domain file"];
    const only = async (place: string) => {
      const { list, skipped } = await loadCatalogDirectory([join(dir, place)]);
      expect(list()).toEqual([]);
      expect(skipped.flatMap(({ diagnostics }) => diagnostics)).toHaveLength(1);
      const [{ code, severity, file, line, column, message } = never()] =
        skipped[0]?.diagnostics ?? [];
      return { code, severity, place: `${file}:${line}:${column}`, message };
    };
    const never = (): never => {
      throw new Error("a diagnostic");
    };

    test.each(["yard.json", "yard.yml", "yard.bin"])("CAT-010 %s", async (name) => {
      await mkdir(join(dir, "forms"), { recursive: true });
      await writeFile(join(dir, "forms", name), "{}");
      const found = await only(`forms/${name}`);
      expect(found).toMatchObject({ code: "CAT010", severity: "error", place: `${name}:1:1` });
      for (const form of forms) expect(found.message).toContain(form);
    });

    test("CAT-010 mappings without a domain, and a domain without mappings", async () => {
      await mkdir(join(dir, "half"), { recursive: true });
      await writeFile(join(dir, "half/mappings.yaml"), yard.mappings);
      const domainless = await only("half");
      expect(domainless).toMatchObject({ code: "CAT010", place: "domain.yaml:1:1" });
      for (const part of ["domain.yaml is missing", ...forms]) {
        expect(domainless.message).toContain(part);
      }
      await rm(join(dir, "half/mappings.yaml"));
      await writeFile(join(dir, "half/domain.yaml"), yard.domain);
      expect(await only("half")).toMatchObject({ code: "CAT010", place: "domain.yaml:1:1" });
    });

    test.each<[string, (path: string) => unknown, string]>([
      ["a FIFO", (path) => execFileSync("mkfifo", [path]), "is a FIFO"],
      ["a directory", (path) => mkdir(path), "is a directory"],
      ["a device", (path) => symlink("/dev/null", path), "is a device"],
      [
        "more than 50 MiB",
        (path) => writeFile(path, "").then(() => truncate(path, 52_428_801)),
        "52428801 bytes",
      ],
    ])("CAT-011 %s", async (name, make, says) => {
      const place = name.replaceAll(" ", "-").toLowerCase();
      await put(place, yard.domain, yard.mappings);
      await rm(join(dir, place, "domain.yaml"));
      await make(join(dir, place, "domain.yaml"));
      const found = await only(place);
      expect(found).toMatchObject({ code: "CAT011", severity: "error", place: "domain.yaml:1:1" });
      for (const part of [says, "regular file of UTF-8 text, at most 52428800 bytes"]) {
        expect(found.message).toContain(part);
      }
    });
  });

  test("CAT-010 one file with mappings inside; a path that is not there", async () => {
    const inside = `${yard.domain}\nmappings:\n${yard.mappings.replace(/^/gm, "  ")}`;
    await mkdir(join(dir, "single"));
    await writeFile(join(dir, "single/yard.yaml"), inside);
    const { get, skipped } = await loadCatalogDirectory([
      join(dir, "single"),
      join(dir, "nowhere"),
    ]);
    expect(get("yard")?.mappings).toBeNull();
    expect(skipped.map(({ diagnostics }) => diagnostics[0]?.code)).toEqual(["CAT010"]);
  });
});

describe("RUN-181: the same entry id twice", () => {
  const newer = yard.domain.replace("version: 1", "version: 2");
  const other = yard.domain.replace("label: Yard", "label: Other yard");

  test("the higher version wins, whatever the order", async () => {
    const paths = [
      await put("v1/yard", yard.domain, yard.mappings),
      await put("v2/yard", newer, yard.mappings),
    ];
    for (const order of [paths, paths.toReversed()]) {
      const { get, skipped } = await loadCatalogDirectory(order);
      expect([get("yard")?.catalog.cgs.version, skipped.length]).toEqual([2, 0]);
    }
  });

  test("equal ones are one; different ones of a version are an error for that id", async () => {
    const a = await put("v1/yard", yard.domain, yard.mappings);
    const b = await put("again/yard", yard.domain, yard.mappings);
    expect((await loadCatalogDirectory([a, b])).list()).toHaveLength(1);
    const c = await put("other/yard", other, yard.mappings);
    const clash = await loadCatalogDirectory([a, c]);
    expect([clash.list().length, clash.skipped[0]?.diagnostics[0]?.code]).toEqual([0, "RUN181"]);
  });
});

describe("RUN-182: look-up", () => {
  test.each<[string, string]>([
    ["quay", "found quay"],
    ["QUAY", "found quay"],
    ["Yard", "found yard"],
    ["harbour", "several quay, yard"],
    ["quai", "none quay"],
    ["something else", "none "],
  ])("%s: %s", async (name, expected) => {
    const registry = await loadCatalogDirectory([fixtureCatalogsDir()]);
    const found = registry.find(name);
    const what =
      found.kind === "found"
        ? found.entry.catalog.entryId
        : (found.kind === "several" ? found.entryIds : found.nearest).join(", ");
    expect(`${found.kind} ${what}`).toBe(expected);
  });

  test("TEACH-40 catalogs the caller may not use take no part", async () => {
    const registry = await loadCatalogDirectory([fixtureCatalogsDir()]);
    expect(registry.find("harbour", (id) => id !== "yard").kind).toBe("found");
    expect(registry.find("quay", (id) => id !== "quay").kind).toBe("none");
  });
});

test("RUN-004 backend overrides come from the environment", () => {
  const env = { PLASM_BACKEND_MY_API_V2: " http://127.0.0.1:1 ", PLASM_BACKEND_QUAY: "" };
  expect([...effectiveBackends(["my-api.v2", "quay", "yard"], env)]).toEqual([
    ["my-api.v2", "http://127.0.0.1:1"],
  ]);
});
