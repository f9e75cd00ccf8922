/**
 * What a release writes into the packages that a checkout cannot know: `node scripts/release/prepare.mjs TAG
 * REPOSITORY`. The tag must be `v` and the version that all published packages have; the repository, an
 * address, is what npm compares with where the provenance says that a package was built.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { published } from "../../tooling/rooms/index.mjs";
import { root } from "../lib/workspace.mjs";

/** What is wrong with a tag for packages of these versions; null if nothing. */
export const tagFault = (tag, versions) => {
  const [version, ...others] = [...new Set(versions)];
  if (others.length > 0) return `the packages have different versions: ${versions.join(", ")}`;
  if (version === "0.0.0") return "the packages have no version: run pnpm changeset version first";
  return tag === `v${version}` ? null : `the tag is ${tag}, and the packages have ${version}`;
};

/** A manifest that names its repository and its directory in it. */
export const withRepository = (manifest, address, directory) => ({
  ...manifest,
  repository: { type: "git", url: `git+${address}.git`, directory },
});

const run = (tag, address) => {
  const manifests = published.map((directory) => {
    const path = join(root, directory, "package.json");
    return { path, directory, manifest: JSON.parse(readFileSync(path, "utf8")) };
  });
  const fault = tagFault(
    tag,
    manifests.map(({ manifest }) => manifest.version),
  );
  if (fault !== null) throw new Error(fault);
  if (!URL.canParse(address)) throw new Error(`${address} is no address of a repository`);
  for (const { path, directory, manifest } of manifests) {
    const written = withRepository(manifest, address, directory);
    writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`);
  }
  console.log(`${published.length} packages are ${tag} of ${address}`);
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    run(...process.argv.slice(2, 4).map(String));
  } catch (error) {
    console.error(`prepare: ${error.message}`);
    process.exitCode = 1;
  }
}
