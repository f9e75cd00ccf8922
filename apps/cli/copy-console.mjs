/** Lays the files of the console beside `plasm.mjs`, in `console/`, or in the directory given: `copy-console.mjs [DIST]`. */
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [dist = `${import.meta.dirname}/dist`] = process.argv.slice(2);
const from = dirname(fileURLToPath(import.meta.resolve("@plasm/console/package.json")));
const to = join(dist, "console");
rmSync(to, { recursive: true, force: true });
cpSync(join(from, "dist"), to, { recursive: true });
