/**
 * Makes one file of a program, with all it needs but Node: no package has to lie beside it. The program
 * stands in comments after a small loader (`loader.mjs`), which Node reads past at once; the loader is told
 * here where it lies, and compiles it, or takes what was compiled at an earlier start (docs/adr/0070).
 */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { build } from "esbuild";
import { commented } from "./commented.mjs";
import { licenceTexts } from "./licences.mjs";
import { withInstead } from "./instead.mjs";
import { withoutParts } from "./parts.mjs";

const here = import.meta.dirname;

/**
 * What few need and is asked for only where somebody has installed it: pg's native client, and what reads contracts of
 * chains. (Mails are put together by a package that is asked for by `createRequire`, which esbuild leaves alone.)
 */
const OPTIONAL = ["pg-native", "ethers/abi"];

/** Whether what is there may ask for this module: Node's own, and what it does without. */
const mayBeAsked = (path) => isBuiltin(path) || OPTIONAL.includes(path);

/** What the loader calls the program with. */
const WRAPPER = "(function (exports, require, module, __filename, __dirname, __meta) {";

/** Data exports nothing by itself that is asked for from outside. */
const entryOf = (file, resolveDir) =>
  file.endsWith(".json")
    ? { stdin: { contents: `module.exports = require(${JSON.stringify(file)});`, resolveDir } }
    : { entryPoints: [file] };

/** The code of a file and all it needs but the parts, as the body of a CommonJS function, in ASCII. */
const codeOf = async (entry, { directory, parts, instead, partAt }) => {
  const { outputFiles, metafile } = await build({
    ...entryOf(entry, directory),
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
    supported: {
      // All that is asked for later stands in the file, or is Node's own.
      "dynamic-import": false,
      // Else such a literal is made anew wherever it stands, at each call: a compilation, and code that the process keeps.
      "regexp-unicode-property-escapes": true,
    },
    external: OPTIONAL,
    plugins: [withoutParts(parts, partAt), withInstead(instead)],
    logLevel: "silent",
  });
  const [{ text }] = outputFiles;
  const [{ inputs, imports }] = Object.values(metafile.outputs);
  const may = (path) => mayBeAsked(path) || parts.includes(path);
  const foreign = imports.map(({ path }) => path).filter((path) => !may(path));
  if (foreign.length > 0) throw new Error(`${entry} is not whole without ${foreign.join(", ")}`);
  const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return { code: text, inputs: used.map(([path]) => path) };
};

/** A program and its parts, those that are asked for, by name; the program's own name is empty. */
const sectionsOf = async (entry, { directory, parts, instead }) => {
  const files = new Map();
  const partAt = (name, file) => {
    const known = files.get(name) ?? file;
    if (known !== file) throw new Error(`${name} is two: ${known} and ${file}`);
    files.set(name, file);
  };
  const sections = [{ name: "", ...(await codeOf(entry, { directory, parts, instead, partAt })) }];
  // A part may ask for further ones, and has all of itself within it.
  for (const [name, file] of files) {
    const others = parts.filter((one) => one !== name);
    const made = await codeOf(file, { directory, parts: others, instead, partAt });
    sections.push({ name, ...made });
  }
  return sections;
};

const linesOf = (text) => text.split("\n").length - 1;

/** What follows the loader, a comment for each section, and what the loader knows of it without reading it. */
const followingOf = (sections, loader) => {
  const places = [];
  let [text, lines] = ["", linesOf(loader)];
  for (const { name, code } of sections) {
    const one = commented(name, `${WRAPPER}${code}\n})`);
    const [start, end] = [text.length + one.start, text.length + one.end];
    const sum = crc32(one.text.slice(one.start, one.end));
    places.push([name, { start, end, lines: lines + 1, sum }]);
    text += one.text;
    lines += linesOf(one.text);
  }
  const ownName = `${crc32(loader + text).toString(16)}-${loader.length + text.length}`;
  return { text, what: { bytes: text.length, ownName, places } };
};

/**
 * Writes `NAME.mjs` into `dist` of a package, made of `entry`, which exports `start()`, and `licences.txt`
 * with the licences of what stands in it; the directory is emptied first. The file refuses a Node that the
 * package's `engines` do not name. `parts` are packages, as they are asked for, that most starts do without:
 * each is compiled when it is first asked for. `instead` has the text of modules that are not taken as they are,
 * by the end of their path. Throws what esbuild finds.
 */
export const bundle = async ({
  directory,
  entry,
  name,
  parts = [],
  instead = {},
  dist = join(directory, "dist"),
}) => {
  const sections = await sectionsOf(entry, { directory, parts, instead });
  const { engines } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const template = readFileSync(join(here, "loader.mjs"), "utf8")
    .replaceAll("NAME", name)
    .replaceAll("NODE_RANGE", engines.node);
  const { text, what } = followingOf(sections, template);
  const loader = template
    .replaceAll("PROGRAM_HASH", createHash("sha256").update(text).digest("hex"))
    .replaceAll('"WHAT_FOLLOWS"', () => JSON.stringify(JSON.stringify(what)));
  const file = join(dist, `${name}.mjs`);
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  writeFileSync(file, `${loader}${text}`);
  chmodSync(file, 0o755);
  const texts = licenceTexts(
    sections.flatMap(({ inputs }) => inputs.map((path) => join(directory, path))),
  );
  writeFileSync(join(dist, "licences.txt"), texts);
};
