import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";

const store = join("node_modules", ".pnpm");
const directories = ["{packages,apps,plugins,tooling}/*", "{e2e,bench,catalogs}"];
const verbatim = { recursive: true, verbatimSymlinks: true };

/**
 * Copies the working tree (tracked and untracked files, not the ignored ones), what was built and all
 * dependencies to `target`. Nothing in the copy leads back: pnpm writes into node_modules whenever it
 * thinks it must install, and must not reach the tree that people work in.
 */
export const scratchCopy = (root, target) => {
  for (const path of workingFiles(root)) copyInto(root, target, path);
  for (const directory of ["", ...globSync(directories, { cwd: root })]) {
    for (const name of ["dist", "node_modules"]) {
      const from = join(root, directory, name);
      if (existsSync(from)) execFileSync("cp", ["-a", from, join(target, directory, name)]);
    }
  }
  assertIsolated(target);
};

/** A copy of a scratch copy for one fault: it shares only pnpm's store of files with the first. */
export const branchCopy = (base, target) => {
  const shared = join(base, store);
  cpSync(base, target, { ...verbatim, filter: (path) => path !== shared });
  symlinkSync(shared, join(target, store));
};

const workingFiles = (root) =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  })
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)));

const copyInto = (root, target, path) => {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  copyFileSync(join(root, path), join(target, path));
};

const assertIsolated = (target) => {
  const inside = `${realpathSync(target)}${sep}`;
  for (const link of linksIn(target)) {
    if (existsSync(link) && !realpathSync(link).startsWith(inside)) {
      throw new Error(`${link} leads out of the scratch copy, to ${realpathSync(link)}`);
    }
  }
};

/** By hand, since a recursive readdir follows links and pnpm's form cycles. */
const linksIn = (directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() ? linksIn(path) : [];
  });
