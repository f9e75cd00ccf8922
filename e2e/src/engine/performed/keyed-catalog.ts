import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFixtureCatalog } from "@plasm/testkit";

const KEYED = ["tree_create", "tree_update", "tree_prune"];

/** Writes the orchard catalog once more, as `nursery`, with an idempotency key on some of its writes. */
export function writeNursery(dir: string): string {
  const { domain, mappings } = readFixtureCatalog("orchard");
  const keyed = KEYED.reduce((text, name) => {
    const line = `${name}:\n`;
    if (!text.includes(line)) throw new Error(`${name} has no mapping`);
    return text.replace(line, `${line}  idempotency: { header: Idempotency-Key }\n`);
  }, mappings);
  const place = join(dir, "nursery");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "domain.yaml"), domain);
  writeFileSync(join(place, "mappings.yaml"), keyed);
  return place;
}
