import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ran } from "./ran.ts";

const require = createRequire(import.meta.url);

/** The compilers that packages are tried with, by what this package calls them. */
export const COMPILERS = Object.freeze({ "5.9": "typescript-5.9", "6": "typescript" });

/**
 * Strict, and libraries are checked, too, but those of the language. `exactOptionalPropertyTypes` is left out
 * for what `ai` declares; our own packages are written under it.
 */
const OPTIONS = Object.freeze({
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  strict: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  noEmit: true,
});

export type Resolution = "bundler" | "nodenext";

const moduleOf = (resolution: Resolution): string =>
  resolution === "bundler" ? "esnext" : "nodenext";

/** What the compiler says of a project's files; empty if it has nothing to say. */
export async function compile(
  directory: string,
  compiler: keyof typeof COMPILERS,
  moduleResolution: Resolution,
): Promise<string> {
  const name = `tsconfig.${compiler}.${moduleResolution}.json`;
  const compilerOptions = { ...OPTIONS, module: moduleOf(moduleResolution), moduleResolution };
  await writeFile(join(directory, name), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = require.resolve(`${COMPILERS[compiler]}/lib/tsc.js`);
  return ran(process.execPath, [tsc, "-p", name], directory);
}
