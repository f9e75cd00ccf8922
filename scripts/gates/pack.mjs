/**
 * Packs every published package as pnpm would publish it and looks at the tarball: publint,
 * @arethetypeswrong/cli, licence and README inside, no workspace protocol left. Arguments narrow it to
 * some directories. Needs a build.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatMessage } from "publint/utils";
import { publint } from "publint";
import { published } from "../../tooling/rooms/index.mjs";
import { capture } from "../boot/capture.mjs";
import { pool } from "../lib/pool.mjs";
import { manifestOf, root } from "../lib/workspace.mjs";

const scratch = mkdtempSync(join(tmpdir(), "plasm-pack-"));

const pack = async (directory) => {
  const { code, stdout, stderr } = await capture(
    ["pnpm", "pack", "--json", "--pack-destination", scratch],
    {
      cwd: join(root, directory),
      env: process.env,
    },
  );
  if (code !== 0) throw new Error(`pnpm pack failed in ${directory}\n${stdout}${stderr}`);
  return JSON.parse(stdout).filename;
};

/** The files of a tarball, relative to the package, and its package.json as it would be published. */
const contents = (tarball) => ({
  files: execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, "")),
  text: execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }),
});

const targets = (exports) =>
  typeof exports === "string" ? [exports] : Object.values(exports ?? {}).flatMap(targets);

const ownFindings = ({ files, text }) => {
  const manifest = JSON.parse(text);
  const named = [...targets(manifest.exports), ...Object.values(manifest.bin ?? {})];
  // A folder testing/ that is an entry of the package is for others' tests.
  const published = named
    .filter((path) => path.includes("/testing/"))
    .map((path) => path.replace(/^\.\//, "").replace(/[^/]*$/, ""));
  return [
    ...["LICENSE", "README.md"]
      .filter((name) => !files.includes(name))
      .map((name) => `no ${name} in the tarball`),
    ...named
      .map((path) => path.replace(/^\.\//, ""))
      .filter((path) => !path.includes("*") && !files.includes(path))
      .map((path) => `exports or bin names ${path}, which is not in the tarball`),
    ...(manifest.license === "Apache-2.0" ? [] : ["license is not Apache-2.0"]),
    ...(/"(workspace|catalog):/.test(text) ? ["workspace: or catalog: left in package.json"] : []),
    ...files
      .filter((path) => /\.test\.[cm]?ts$|\/testing\//.test(path))
      .filter((path) => !published.some((folder) => path.startsWith(folder)))
      .map((path) => `test in the tarball: ${path}`),
  ];
};

const lint = async (directory, tarball) => {
  const { buffer } = new Uint8Array(readFileSync(tarball));
  // publint takes the root from the names of files, and misreads those longer than a hundred characters.
  const { messages, pkg } = await publint({
    strict: true,
    pkgDir: "package",
    pack: { tarball: buffer },
  });
  return messages.map(
    (message) => `publint ${message.type}: ${formatMessage(message, pkg, { color: false })}`,
  );
};

/** Types are looked at as an ES module sees them; a package of data has none. */
const typesFindings = async (directory, tarball) => {
  if (!targets(manifestOf(directory).exports).some((path) => path.endsWith(".d.ts"))) return [];
  const { code, stdout, stderr } = await capture(
    [
      join(root, "node_modules/.bin/attw"),
      tarball,
      "--profile",
      "esm-only",
      "--format",
      "ascii",
      "--no-color",
      "--no-emoji",
    ],
    { cwd: root, env: process.env },
  );
  return code === 0 ? [] : [`attw:\n${stdout}${stderr}`];
};

const look = async (directory) => {
  const tarball = await pack(directory);
  const findings = [
    ...ownFindings(contents(tarball)),
    ...(await lint(directory, tarball)),
    ...(await typesFindings(directory, tarball)),
  ];
  return { directory, findings };
};

try {
  const given = process.argv.slice(2);
  const results = await pool(given.length > 0 ? given : published, look);
  for (const { directory, findings } of results) {
    for (const finding of findings) console.log(`${directory}: ${finding}`);
  }
  const failed = results.filter(({ findings }) => findings.length > 0).length;
  console.log(`${results.length} packages packed, ${failed} with findings`);
  process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true });
}
