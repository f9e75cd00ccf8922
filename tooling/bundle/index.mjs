/**
 * Makes one file of a program, with all it needs but Node: no package has to lie beside it. The program
 * stands in comments after a small loader (`loader.mjs`), which Node reads past at once; the loader
 * compiles it, or takes what was compiled at an earlier start (docs/adr/0071).
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { commented } from "./commented.mjs";
import { licenceTexts } from "./licences.mjs";

const here = import.meta.dirname;

/** Node loads pg's native client only if somebody has installed it. */
const OPTIONAL = ["pg-native"];

/** Whether what is there may ask for this module: Node's own, and what it does without. */
const mayBeAsked = (path) => isBuiltin(path) || OPTIONAL.includes(path);

/** What the loader calls the program with. */
const WRAPPER = "(function (exports, require, module, __filename, __dirname, __meta) {";

/** The code of the program as the body of a CommonJS function, in ASCII, and what it was made of. */
const programOf = async (entry, directory) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: directory,
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    conditions: ["@plasm/source"],
    charset: "ascii",
    legalComments: "none",
    // Names stay, so that the stack of a defect can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: '"use strict";' },
    define: { "import.meta": "__meta" },
    // All that is asked for later stands in the file, or is Node's own.
    supported: { "dynamic-import": false },
    external: OPTIONAL,
    logLevel: "silent",
  });
  const [{ text }] = outputFiles;
  const [{ inputs, imports }] = Object.values(metafile.outputs);
  const foreign = imports.map(({ path }) => path).filter((path) => !mayBeAsked(path));
  if (foreign.length > 0) throw new Error(`${entry} is not whole without ${foreign.join(", ")}`);
  const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { code: text, inputs: used.map(([path]) => path) };
};

/**
 * Writes `NAME.mjs` into `dist` of a package, made of `entry`, which exports `start()`, and `licences.txt`
 * with the licences of what stands in it; the directory is emptied first. The file refuses a Node that the
 * package's `engines` do not name. Throws what esbuild finds.
 */
export const bundle = async ({ directory, entry, name, dist = join(directory, "dist") }) => {
  const { code, inputs } = await programOf(entry, directory);
  const { engines } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const loader = readFileSync(join(here, "loader.mjs"), "utf8")
    .replaceAll("NAME", name)
    .replaceAll("NODE_RANGE", engines.node);
  const file = join(dist, `${name}.mjs`);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  writeFileSync(file, `${loader}${commented(`${WRAPPER}${code}\n})`)}`);
  chmodSync(file, 0o755);
  const texts = licenceTexts(inputs.map((path) => join(directory, path)));
  writeFileSync(join(dist, "licences.txt"), texts);
};
