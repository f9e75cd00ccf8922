/**
 * One part of the long crash test: `main.ts STORE SEED PART PARTS`. Says each kill on stderr, and what came of
 * all as JSON on the last line of stdout.
 */
import { strikesOf, tryPart, type KillStore } from "./try-part.ts";

const [store = "", seed = "", part = "", parts = ""] = process.argv.slice(2);
const stores: readonly KillStore[] = ["sqlite", "postgres"];
const wanted = stores.find((one) => one === store);
if (wanted === undefined) throw new Error(`${store} is no store`);
const strikes = strikesOf(wanted, Number(seed), Number(part), Number(parts));
const outcome = await tryPart(wanted, strikes, (text) => console.error(text));
console.log(JSON.stringify(outcome));
