import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/workspace.mjs";

export const textOf = (path) => readFileSync(join(root, path), "utf8");

/** The code of a page's blocks in this language. */
export const blocks = (page, language) =>
  [...textOf(page).matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, named]) => named === language)
    .map(([, , code]) => code);

/** The words of a `plasm serve` line, or of its arguments as a list; an option and its value are two. */
export const words = (command) =>
  (typeof command === "string" ? command.split(/\s+/) : command).flatMap((word) =>
    word.startsWith("--") ? word.split("=") : [word],
  );
