import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

/** `@scope/name` or `name`, and what may follow: a path inside the package. */
const PACKAGE = /^((?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*)((?:\/(?!\.{1,2}(?:\/|$))[^/]+)*)$/;

/** The directory of an installed package, looked for from a file; null if there is none. */
function packageDirectory(name: string, from: string): string | null {
  try {
    return dirname(createRequire(from).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

/**
 * Where configured catalogs are (RUN-180): a path, taken from the directory `from`; or, if there is nothing
 * at that path, an installed package by its name (`@plasm/catalogs`) or a path in it (`@plasm/catalogs/<id>`).
 * A package is looked for from `from`, then beside this program. What is neither stays a path that does not exist.
 */
export function catalogPath(given: string, from: string): string {
  const path = resolve(from, given);
  const [, name, inside = ""] = PACKAGE.exec(given) ?? [];
  if (name === undefined || existsSync(path)) return path;
  const directory =
    packageDirectory(name, join(from, "catalogs.js")) ?? packageDirectory(name, import.meta.url);
  return directory === null ? path : join(directory, inside);
}
