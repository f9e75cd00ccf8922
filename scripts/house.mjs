/**
 * The figures of the house: how large it is, how far a call walks through it, and how much of it is powder.
 *
 *     node scripts/house.mjs           the figures of the sources
 *     node scripts/house.mjs --walk    what one read of three rows enters, too (builds nothing, starts a sample API)
 *     node scripts/house.mjs --list    each fragment, each doubled name, each cycle
 */
import { parseArgs } from "node:util";
import { readHouse } from "./house/read-house.mjs";

const { values: options } = parseArgs({
  options: { walk: { type: "boolean" }, list: { type: "boolean" } },
});

const house = readHouse();
const rows = [
  ["product lines", house.lines, 80_000],
  ["product files", house.files.length, 700],
  ["fragments", house.fragments.length, 25],
  ["names exported by more than one file", house.doubled.length, 20],
  ["names that core exports", house.coreExports, 80],
  ["import cycles", house.cycles.length, 0],
];
if (options.walk) {
  const { walkThreeRows } = await import("./house/walk-three-rows.mjs");
  const walk = await walkThreeRows();
  rows.push(["files entered by a read of three rows", walk.files, 180]);
  rows.push(["functions entered by it", walk.functions, 600]);
}
console.log("figure                                   today     goal");
for (const [name, today, goal] of rows)
  console.log(`${name.padEnd(38)} ${String(today).padStart(7)}  ${String(goal).padStart(7)}`);

if (options.list) {
  for (const { path, name, importer } of house.fragments)
    console.log(`fragment ${path}: ${name}, imported by ${importer} alone`);
  for (const { name, paths } of house.doubled) console.log(`doubled ${name}: ${paths.join(", ")}`);
  for (const cycle of house.cycles) console.log(`cycle ${cycle.join(" → ")}`);
}
