/**
 * Tries one property in this process: `try-property.mjs MODULE KEY RUNS SEED`. Prints what came of it as
 * JSON on the last line. Sources are read as they are: run it with `--conditions=@plasm/source`.
 * Without KEY it prints what the module has.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../boot/versions.mjs";

const load = (path) => import(pathToFileURL(join(root, path)).href);
const [module, key, runs, seed] = process.argv.slice(2);
const { properties } = await load(module);

if (key === undefined) {
  const listed = properties.map(({ key, says, served }) => ({ key, says, served }));
  console.log(JSON.stringify(listed));
} else {
  const { checkProperty } = await load("packages/testkit/src/property/check-property.ts");
  const property = properties.find((each) => each.key === key);
  console.log(JSON.stringify(await checkProperty(property, Number(runs), Number(seed))));
}
