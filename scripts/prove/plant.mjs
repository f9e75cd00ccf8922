import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Ways to plant a fault; each returns a function that plants it in the copy at `root`. */

export const write = (path, text) => (root) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

export const append = (path, text) => (root) => appendFileSync(join(root, path), text);

/** Changes a JSON file; `change` gets the parsed value and alters it in place. */
export const editJson = (path, change) => (root) => {
  const value = JSON.parse(readFileSync(join(root, path), "utf8"));
  change(value);
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`);
};

export const all =
  (...plants) =>
  (root) => {
    for (const plant of plants) plant(root);
  };
