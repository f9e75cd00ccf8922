/**
 * Which conformance rows and lines of the acceptance list of docs/spec a test names, and which not yet.
 * With `--check` it only fails: when something cites an id that docs/spec does not define, or when
 * docs/spec defines one twice.
 */
import { citedIds, definedIds } from "./lib/ids.mjs";

const { requirements, conformance, acceptance, twice } = definedIds();
const tested = [...conformance, ...acceptance];
const defined = new Set([...requirements, ...tested]);
const cited = citedIds();
const undefinedIds = [...cited].filter(([id]) => !defined.has(id));

for (const [id, places] of undefinedIds)
  console.log(`${id} does not exist, cited in ${places.join(", ")}`);
for (const id of twice) console.log(`${id} is defined twice in docs/spec`);
if (!process.argv.includes("--check")) {
  const families = Map.groupBy(tested, (id) => id.replace(/-?\d+$/, ""));
  for (const [family, ids] of families) {
    const missing = ids.filter((id) => !cited.has(id));
    const open = missing.length === 0 ? "" : `\n   not yet: ${missing.join(" ")}`;
    console.log(
      `${family}: ${ids.length - missing.length} of ${ids.length} named by a test${open}`,
    );
  }
  const outside = (id) => cited.get(id).some((path) => !path.startsWith("docs/"));
  const uncited = requirements.filter((id) => !outside(id));
  console.log(
    `requirements: ${requirements.length}, cited by no source: ${uncited.join(" ") || 0}`,
  );
}
console.log(
  `${tested.filter((id) => cited.has(id)).length} of ${tested.length} ids named by tests`,
);
process.exitCode =
  undefinedIds.length === 0 && twice.length === 0 && requirements.length > 0 && tested.length > 0
    ? 0
    : 1;
