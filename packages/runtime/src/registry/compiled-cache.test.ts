import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { openCatalog } from "@plasm/core";
import {
  fixtureCatalogNames,
  fixtureCatalogsDir,
  patchedCatalog,
  readFixtureCatalog,
} from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compiledCache, type CompiledFrom, openCompiledCache } from "./compiled-cache.ts";
import { loadCatalogDirectory } from "./registry.ts";

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-compiled-"));
});
afterEach(() => rm(dir, { recursive: true }));

const parcels = patchedCatalog({
  version: "0",
  values: 'odd: {type: select, allowed_values: [__proto__, "\\u00e9", 1]}',
  fields: "odd: {value_ref: odd}",
  capabilities: "parcel_new: {kind: create, entity: Parcel}",
  mappings:
    "parcel_new: {method: POST, path: [], body: {type: const, value: {__proto__: {a: 9007199254740993}, b: [-0, null, 1.5]}}}",
});

const from = (more: Partial<CompiledFrom> = {}): CompiledFrom => ({
  entryId: "parcels",
  files: [
    ["domain.yaml", parcels.domain],
    ["mappings.yaml", parcels.mappings],
  ],
  functions: [],
  ...more,
});

function compile() {
  const { catalog, diagnostics, omitted } = openCatalog({
    entryId: "parcels",
    domain: { file: "domain.yaml", text: parcels.domain },
    mappings: { file: "mappings.yaml", text: parcels.mappings },
  });
  if (catalog === null) throw new Error(JSON.stringify(diagnostics));
  return { catalog, diagnostics, omitted };
}

const only = async (): Promise<string> => join(dir, (await readdir(dir))[0] ?? "");

describe("a catalog compiled before", () => {
  test.each(fixtureCatalogNames)("%s is the same as one compiled now", async (name) => {
    const cache = compiledCache(dir, "1");
    const path = join(fixtureCatalogsDir(), name);
    const cold = await loadCatalogDirectory([path]);
    const filling = await loadCatalogDirectory([path], { cache });
    const warm = await loadCatalogDirectory([path], { cache });
    expect(await readdir(dir)).toHaveLength(1);
    for (const registry of [filling, warm]) expect(registry.list()).toEqual(cold.list());
    expect(warm.get(name)?.domain).toBe(readFixtureCatalog(name).domain);
  });

  test("keeps odd names, exact numbers and warnings", async () => {
    const cache = compiledCache(dir, "1");
    const made = compile();
    await cache.put(from(), made);
    const known = await cache.get(from());
    expect(known).toEqual(made);
    expect(known?.diagnostics.map(({ code }) => code)).toEqual(["CAT022"]);
    expect(Object.isFrozen(known?.catalog)).toBe(true);
    const template = known?.catalog.cml.get("parcel_new");
    const body = template?.transport === "http" && template.body?.type === "const" && template.body;
    expect(Object.keys((body && body.value) || {})).toEqual(["__proto__", "b"]);
  });

  test("is another one as soon as anything it was made from is", async () => {
    const cache = compiledCache(dir, "1");
    await cache.put(from(), compile());
    const [domain, mappings] = from().files;
    if (domain === undefined || mappings === undefined) throw new Error("two files");
    const others: readonly CompiledFrom[] = [
      from({ entryId: "other" }),
      from({ functions: ["sign"] }),
      from({ files: [[domain[0], `${domain[1]}\n`], mappings] }),
      from({ files: [domain, [mappings[0], `${mappings[1]} `]] }),
      from({ files: [domain] }),
    ];
    for (const other of others) expect(await cache.get(other)).toBeNull();
    expect(await compiledCache(dir, "2").get(from())).toBeNull();
    expect(await cache.get(from())).not.toBeNull();
  });

  test("with any byte changed, cut or added is none, and is made again", async () => {
    const cache = compiledCache(dir, "1");
    await cache.put(from(), compile());
    const file = await only();
    const good = await readFile(file);
    const broken = [
      Buffer.alloc(0),
      Buffer.from("text"),
      good.subarray(0, 32),
      good.subarray(0, -1),
      Buffer.concat([good, Buffer.from([0])]),
      ...Array.from({ length: 60 }, (_none, at) => {
        const copy = Buffer.from(good);
        const place = Math.floor((at / 60) * copy.length);
        copy[place] = (copy[place] ?? 0) ^ 1;
        return copy;
      }),
    ];
    for (const bytes of broken) {
      await writeFile(file, bytes);
      expect(await cache.get(from())).toBeNull();
    }
    await cache.put(from(), compile());
    expect(await cache.get(from())).toEqual(compile());
  });

  test("a broken catalog is never kept", async () => {
    const cache = compiledCache(join(dir, "cache"), "1");
    await writeFile(join(dir, "broken.yaml"), "version: 1\n");
    const { skipped } = await loadCatalogDirectory([join(dir, "broken.yaml")], { cache });
    expect(skipped).toHaveLength(1);
    await expect(readdir(join(dir, "cache"))).rejects.toThrow("ENOENT");
  });

  test("of one entry id the last four are kept, of another all of its own", async () => {
    const cache = compiledCache(dir, "1");
    await cache.put(from({ entryId: "parcels.old" }), compile());
    for (let at = 0; at < 6; at++) await cache.put(from({ functions: [`f${at}`] }), compile());
    const names = await readdir(dir);
    expect(names.filter((name) => name.startsWith("parcels@"))).toHaveLength(4);
    expect(names.filter((name) => name.startsWith("parcels.old@"))).toHaveLength(1);
    expect(await cache.get(from({ functions: ["f5"] }))).not.toBeNull();
  });

  test("in a place that cannot be written changes nothing", async () => {
    await writeFile(join(dir, "file"), "");
    const cache = compiledCache(join(dir, "file", "below"), "1");
    const { list } = await loadCatalogDirectory([fixtureCatalogsDir()], { cache });
    expect(list()).toHaveLength(fixtureCatalogNames.length);
  });
});

describe("forms that a build left beside its file", () => {
  const shipped = (): string => join(dir, "compiled");
  const open = async (engine: string) => {
    const url = pathToFileURL(join(dir, "plasm.mjs")).href;
    const cache = await openCompiledCache(join(dir, "data"), { kind: "file", engine, url });
    if (cache === null) throw new Error("no cache");
    return cache;
  };
  beforeEach(() => compiledCache(shipped(), "1").put(from(), compile()));

  test("are taken by the same build, which then keeps none of its own", async () => {
    expect(await (await open("1")).get(from())).toEqual(compile());
    await expect(readdir(join(dir, "data"))).rejects.toThrow("ENOENT");
  });

  test("are none for another build, nor for other files", async () => {
    expect(await (await open("2")).get(from())).toBeNull();
    expect(await (await open("1")).get(from({ functions: ["sign"] }))).toBeNull();
  });

  test("are none where they are damaged, and never written", async () => {
    const [name = ""] = await readdir(shipped());
    const damaged = (await readFile(join(shipped(), name))).fill(1, 40, 50);
    await writeFile(join(shipped(), name), damaged);
    const cache = await open("1");
    expect(await cache.get(from())).toBeNull();
    await cache.put(from(), compile());
    expect(await cache.get(from())).toEqual(compile());
    expect((await readFile(join(shipped(), name))).equals(damaged)).toBe(true);
    expect(await readdir(shipped())).toEqual([name]);
  });
});

/** The cache of an engine whose modules are there. */
const cacheOf = (url: string) =>
  openCompiledCache(join(dir, "cache"), { kind: "modules", urls: [url] });

test("another build of the engine has a cache of its own", async () => {
  const module = join(dir, "engine.js");
  await writeFile(join(dir, "package.json"), "{}");
  const url = pathToFileURL(module).href;
  const open = async (code: string) => {
    await writeFile(module, code);
    const cache = await cacheOf(url);
    if (cache === null) throw new Error("no cache");
    return cache;
  };
  await (await open("one")).put(from(), compile());
  expect(await (await open("two")).get(from())).toBeNull();
  expect(await (await open("one")).get(from())).toEqual(compile());
  expect(await cacheOf(`${url}.missing`)).toBeNull();
});

test("so has the same build on another version of a package that it depends on", async () => {
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  await write("engine/dist/index.js", "one");
  await write("engine/package.json", '{"name":"engine","dependencies":{"yaml-reader":"^1.0.0"}}');
  const url = pathToFileURL(join(dir, "engine/dist/index.js")).href;
  const open = async (version: string) => {
    const manifest = { name: "yaml-reader", version, main: "index.js", exports: "./index.js" };
    await write("node_modules/yaml-reader/package.json", JSON.stringify(manifest));
    const cache = await cacheOf(url);
    if (cache === null) throw new Error("no cache");
    return cache;
  };
  await (await open("1.0.0")).put(from(), compile());
  expect(await (await open("1.0.1")).get(from())).toBeNull();
  expect(await (await open("1.0.0")).get(from())).toEqual(compile());
});

test("an engine in one file, with no package around it, has a cache, too", async () => {
  const module = join(dir, "alone.mjs");
  await writeFile(module, "one");
  const cache = await cacheOf(pathToFileURL(module).href);
  await cache?.put(from(), compile());
  expect(await cache?.get(from())).toEqual(compile());
});

test("a dependency that stands in a bundle is not looked for beside it", async () => {
  const module = join(dir, "alone.mjs");
  await writeFile(module, "one");
  await writeFile(join(dir, "package.json"), '{"name":"a","dependencies":{"not-installed":"1"}}');
  expect(await cacheOf(pathToFileURL(module).href)).not.toBeNull();
});

test("an engine that runs from its sources has no cache, since they change without a build", async () => {
  expect(await openCompiledCache(dir)).toBeNull();
});
