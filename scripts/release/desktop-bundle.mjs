/**
 * Makes the bundle that desktop clients install by a click (MCPB): `node scripts/release/desktop-bundle.mjs OUT`. It holds the one file with
 * what lies beside it, as it was built, and asks its person for the document of an API.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { zipSync } from "fflate";
import { root } from "../lib/workspace.mjs";

const DIST = join(root, "apps/cli/dist");
const SERVER = "server/plasm.mjs";
/** What the server has no use for beside it. */
const NOT_SHIPPED = /^(?:sha256sums\.txt|plasm\.(?:tar\.gz|mcpb))$/;

const { version, license, engines } = JSON.parse(
  readFileSync(join(root, "apps/cli/package.json"), "utf8"),
);

/** What a client reads of the bundle (MCPB, version 0.3 of its manifest). */
export const MANIFEST = Object.freeze({
  manifest_version: "0.3",
  name: "plasm",
  display_name: "Plasm",
  version,
  description:
    "Agents read and change data of APIs by small programs that are reviewed before they run.",
  author: { name: "The Plasm contributors" },
  license,
  server: {
    type: "node",
    entry_point: SERVER,
    mcp_config: {
      command: "node",
      args: [`\${__dirname}/${SERVER}`, "serve", "--stdio", "--api", "${user_config.api}"],
      env: {},
    },
  },
  user_config: {
    api: {
      type: "string",
      title: "API",
      description:
        "An OpenAPI document, GraphQL schema or Google discovery document: a file or an address",
      required: true,
    },
  },
  compatibility: { platforms: ["darwin", "linux", "win32"], runtimes: { node: engines.node } },
});

const filesIn = (directory) =>
  readdirSync(directory, { recursive: true })
    .filter((name) => statSync(join(directory, name)).isFile() && !NOT_SHIPPED.test(name))
    .map((name) => relative(directory, join(directory, name)).split(sep).join("/"))
    .toSorted();

const run = (out) => {
  const files = filesIn(DIST).map((name) => [`server/${name}`, readFileSync(join(DIST, name))]);
  if (!files.some(([name]) => name === SERVER))
    throw new Error("there is no plasm.mjs: build it first");
  const manifest = Buffer.from(`${JSON.stringify(MANIFEST, null, 2)}\n`);
  // One build has one bundle, whenever it is made: no time is kept.
  const zipped = zipSync(
    { "manifest.json": manifest, ...Object.fromEntries(files) },
    { level: 9, mtime: new Date("2026-01-01T00:00:00Z") },
  );
  writeFileSync(out, zipped);
  console.log(`${out}: ${files.length + 1} files, ${Math.round(zipped.length / 1024)} KiB`);
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    const [out] = process.argv.slice(2);
    if (out === undefined) throw new Error("name the file to write");
    run(out);
  } catch (error) {
    console.error(`desktop-bundle: ${error.message}`);
    process.exitCode = 1;
  }
}
