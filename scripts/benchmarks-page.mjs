/** Writes the figures of bench/results/ into the pages that have them: `node scripts/benchmarks-page.mjs`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PAGES, pageWithFigures } from "./benchmarks/tables.mjs";
import { root } from "./boot/versions.mjs";

const result = (name) => JSON.parse(readFileSync(join(root, `bench/results/${name}.json`), "utf8"));
for (const page of PAGES) {
  const path = join(root, page);
  writeFileSync(path, pageWithFigures(readFileSync(path, "utf8"), result));
}
