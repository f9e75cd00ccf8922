/**
 * Lets the oracle judge worlds in this process: `try-oracle.mjs WORLDS SEED`. Prints the first finding, as it was
 * drawn and not shrunk, as JSON on the last line. Run it with `--conditions=@plasm/source`.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../boot/versions.mjs";

const load = (name) => import(pathToFileURL(join(root, "e2e/src/oracle", name)).href);
const [worlds, seed] = process.argv.slice(2).map(Number);
const { judgeSeed } = await load("judge-seed.ts");
const { serveWorlds } = await load("serve-worlds.ts");
const { wholesFrom } = await load("../drawer.ts");

const served = await serveWorlds();
const seeds = wholesFrom(seed);
let failure = null;
let tried = 0;
while (failure === null && tried < worlds) {
  failure = await judgeSeed(served, seeds(), { shrinks: false });
  tried += 1;
}
await served.close();
console.log(JSON.stringify({ tried, failure }));
