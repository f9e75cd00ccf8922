/** No name of a catalog or plug-in may appear in packages/: what is particular to one API is data. */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/workspace.mjs";

/** Names that say nothing about a vendor and are ordinary words in code. */
const ordinary = new Set(["node_modules", "src", "dist", "test"]);

const directories = (pattern) =>
  globSync(pattern, { cwd: root })
    .filter((path) => statSync(join(root, path)).isDirectory())
    .map((path) => path.split(/[\\/]/).at(-1))
    .filter((name) => !ordinary.has(name) && !name.startsWith("."));

const names = [...new Set([...directories("catalogs/*"), ...directories("plugins/*")])];
/** Programs as agents wrote them for catalogs, and which catalogs those were. */
const isCorpus = (path) => /^packages[\\/]testkit[\\/](src[\\/])?corpus[\\/]/.test(path);

/** Names that are also those of a format, where it is written. */
const formats = new Map([
  ["packages/host/src/metrics.ts", "prometheus"],
  ["packages/host/package.json", "prometheus"],
]);

const files = globSync("packages/**/*", {
  cwd: root,
  exclude: (name) => ["node_modules", "dist", ".turbo"].includes(name),
}).filter((path) => statSync(join(root, path)).isFile() && !isCorpus(path));

const found = files.flatMap((path) => {
  const inPath = names.filter((name) => path.toLowerCase().includes(name));
  const lines = readFileSync(join(root, path), "utf8").toLowerCase().split("\n");
  return [
    ...inPath.map((name) => `${path}: the path has the catalog name "${name}"`),
    ...lines.flatMap((line, index) =>
      names
        .filter((name) => line.includes(name) && formats.get(path) !== name)
        .map((name) => `${path}:${index + 1}: catalog name "${name}"`),
    ),
  ];
});

for (const line of found) console.log(line);
console.log(`${files.length} files searched for: ${names.join(", ") || "(no catalog yet)"}`);
process.exitCode = found.length === 0 && files.length > 0 ? 0 : 1;
