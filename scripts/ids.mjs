/**
 * Which rows of the specification's conformance table and acceptance list are named by a test, and which
 * are not yet. With `--check` it only fails when a test cites an id that does not exist.
 */
import { citedIds, knownIds } from "./lib/ids.mjs";

const { conformance, acceptance } = knownIds();
const known = new Set([...conformance, ...acceptance]);
const cited = citedIds();
const invented = [...cited].filter(([id]) => !known.has(id));

for (const [id, places] of invented)
  console.log(`${id} does not exist, cited in ${places.join(", ")}`);
if (!process.argv.includes("--check")) {
  const families = Map.groupBy([...known], (id) => id.replace(/-?\d+$/, ""));
  for (const [family, ids] of families) {
    const missing = ids.filter((id) => !cited.has(id));
    const open = missing.length === 0 ? "" : `\n   not yet: ${missing.join(" ")}`;
    console.log(
      `${family}: ${ids.length - missing.length} of ${ids.length} named by a test${open}`,
    );
  }
}
console.log(
  `${[...cited.keys()].filter((id) => known.has(id)).length} of ${known.size} ids named by tests`,
);
process.exitCode = invented.length === 0 && known.size > 0 ? 0 : 1;
