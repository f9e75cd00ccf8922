import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledCache, loadCatalogDirectory, type Registry } from "@plasm/runtime";
import { longCatalog } from "./long-catalog.ts";
import type { Pair } from "./pair.ts";

/** Pairs that need files, and how to remove these. */
export interface LoadPairs {
  readonly pairs: readonly Pair[];
  close(): void;
}

async function loaded(work: Promise<Registry>): Promise<Registry> {
  const registry = await work;
  if (registry.list().length === 1) return registry;
  throw new Error(JSON.stringify(registry.skipped));
}

/** A long catalog taken from what it was compiled to before, against reading and checking its files. */
export async function loadPairs(atLeast = 5_000): Promise<LoadPairs> {
  const root = mkdtempSync(join(tmpdir(), "plasm-bench-"));
  const { domain, mappings, lines } = longCatalog(atLeast);
  const path = join(root, "long");
  mkdirSync(path);
  writeFileSync(join(path, "domain.yaml"), domain);
  writeFileSync(join(path, "mappings.yaml"), mappings);
  const cache = compiledCache(join(root, "compiled"), "bench");
  await loaded(loadCatalogDirectory([path], { cache }));
  return {
    pairs: [
      {
        name: "load a catalog",
        ours: {
          what: `load ${lines} lines compiled before`,
          run: () => loaded(loadCatalogDirectory([path], { cache })),
        },
        base: {
          what: "the same files compiled",
          run: () => loaded(loadCatalogDirectory([path])),
        },
      },
    ],
    close: () => {
      rmSync(root, { recursive: true });
    },
  };
}
