/** Writes the figures of bench/results/ into docs/benchmarks.md: `node scripts/benchmarks-page.mjs`. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pageWithFigures } from "./benchmarks/tables.mjs";
import { root } from "./boot/versions.mjs";

const path = join(root, "docs/benchmarks.md");
const result = (name) => JSON.parse(readFileSync(join(root, `bench/results/${name}.json`), "utf8"));
writeFileSync(path, pageWithFigures(readFileSync(path, "utf8"), result));
