import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../boot/versions.mjs";

export { root };

/** Directories of all workspace packages with TypeScript in them, relative to the root, in name order. */
export const typedPackages = () =>
  globSync(["{packages,apps,plugins}/*/tsconfig.json", "{catalogs,e2e,bench}/tsconfig.json"], {
    cwd: root,
  })
    .map((path) => path.replace(/[\\/]tsconfig\.json$/, "").replaceAll("\\", "/"))
    .toSorted();

/** package.json of a directory, as data. */
export const manifestOf = (directory) =>
  JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"));

/** Source files that people write, relative to the root: TypeScript and scripts, tests included. */
export const sourceFiles = () =>
  globSync(
    [
      "{packages,apps,plugins}/*/*.ts",
      "{packages,apps,plugins}/*/{src,test}/**/*.{ts,mjs}",
      "{catalogs,e2e,bench}/*.ts",
      "{catalogs,e2e,bench}/src/**/*.{ts,mjs}",
      "{scripts,tooling}/**/*.mjs",
    ],
    { cwd: root, exclude: (name) => name === "node_modules" || name === "dist" },
  )
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted();

export const exists = (path) => existsSync(join(root, path));
