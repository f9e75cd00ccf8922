import type { Catalog, Policy } from "@plasm/core";
import { resolveApi } from "@plasm/core/internal";
import { fail } from "../errors/problem.ts";
import { refuseNoList } from "../errors/arguments.ts";
import type { CatalogRegistry } from "../ports.ts";
import type { CatalogSeeds } from "./seeds.ts";

/** Entry id → digest of the catalog's files that a client demands (RUN-172). */
export type Pins = ReadonlyMap<string, string>;

const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/;
const EXAMPLE = '{"api": …, "digest": "sha256:…"}, one for each catalog of the seeds';

/**
 * Reads the catalogs' digests that a client pins; null if it pins none. Throws plasm-bad-request, and
 * plasm-unknown-catalog for an api that is none.
 */
export function readPins(pins: unknown, registry: CatalogRegistry, policy: Policy): Pins | null {
  if (pins === undefined) return null;
  if (!Array.isArray(pins)) throw refuseNoList("pins", pins, EXAMPLE);
  const catalogs = registry.list().map((one) => one.catalog);
  const read = new Map<string, string>();
  for (const [index, pin] of pins.entries()) {
    const { api, digest } = (pin ?? {}) as { api?: unknown; digest?: unknown };
    const [, hex] = typeof digest === "string" ? (DIGEST.exec(digest) ?? []) : [];
    if (typeof api !== "string" || hex === undefined) {
      throw fail(
        "plasm-bad-request",
        `pins[${index}] needs "api" and "digest", sha256: and 64 hexadecimal digits.`,
      );
    }
    const found = resolveApi(api.trim(), catalogs, policy);
    if (!found.ok) throw fail("plasm-unknown-catalog", found.message);
    if (read.has(found.entryId)) {
      throw fail("plasm-bad-request", `pins name ${found.entryId} twice.`);
    }
    read.set(found.entryId, `sha256:${hex}`);
  }
  return read;
}

/** The digest of a catalog's files, whatever overlay or backend it is used with. */
const fileDigest = ({ base, digest }: Catalog): string => base ?? digest;

/**
 * Refuses a session whose catalogs are not those that its client pins: of each catalog that is seeded
 * there must be a pin, and of no other (RUN-172). Throws plasm-bad-request with both digests.
 */
export function checkPins(
  pins: Pins | null,
  groups: readonly CatalogSeeds[],
  catalogs: ReadonlyMap<string, Catalog>,
): void {
  if (pins === null) return;
  const faults = groups.flatMap(({ entryId }) => {
    const catalog = catalogs.get(entryId);
    const pinned = pins.get(entryId);
    if (catalog === undefined) return [];
    const own = fileDigest(catalog);
    if (pinned === own) return [];
    const said = pinned === undefined ? "not pinned" : `pinned as ${pinned}`;
    return [`${entryId} is ${own} here and ${said}`];
  });
  const seeded = new Set(groups.map(({ entryId }) => entryId));
  const extra = [...pins].filter(([entryId]) => !seeded.has(entryId));
  const further = extra.map(
    ([entryId, pinned]) => `${entryId} is pinned as ${pinned} and not seeded`,
  );
  const all = [...faults, ...further];
  if (all.length === 0) return;
  throw fail("plasm-bad-request", `The catalogs are not those of the pins: ${all.join("; ")}.`);
}
