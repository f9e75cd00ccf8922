/**
 * What a release writes into the packages that a checkout cannot know: `node scripts/release/prepare.mjs TAG
 * REPOSITORY`. The tag must be `v` and the version that all published packages have; the repository, an
 * address, is what npm compares with where the provenance says that a package was built. The registry of MCP servers reads
 * `server.json` of the command's package, whose name there is the same in its manifest.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { published } from "../../tooling/rooms/index.mjs";
import { root } from "../lib/workspace.mjs";

/** What is wrong with a tag for packages of these versions; null if nothing. */
export const tagFault = (tag, versions) => {
  const [version, ...others] = [...new Set(versions)];
  if (others.length > 0) return `the packages have different versions: ${versions.join(", ")}`;
  if (version === "0.0.0") return "the packages have no version: run pnpm changeset version first";
  return tag === `v${version}` ? null : `the tag is ${tag}, and the packages have ${version}`;
};

/** A manifest that names its repository and its directory in it. */
export const withRepository = (manifest, address, directory) => ({
  ...manifest,
  repository: { type: "git", url: `git+${address}.git`, directory },
});

const CLI = "apps/cli";

/** What a repository is called in the registry of MCP servers: its host turned around, GitHub's pages for GitHub. */
export const mcpNameOf = (address) => {
  const { hostname, pathname } = new URL(address);
  const host = hostname === "github.com" ? "github.io" : hostname;
  const [, owner = "", name = ""] = pathname.toLowerCase().split("/");
  return `${[...host.split(".").toReversed(), owner].join(".")}/${name}`;
};

/** The command as the registry of MCP servers lists it: served over stdio, with the document of an API. */
export const serverDocument = ({ name, version, mcpName }, address) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: mcpName,
  title: "Plasm",
  description: "Agents use APIs by small programs that are reviewed before they run.",
  version,
  repository: {
    url: address,
    source: new URL(address).hostname === "github.com" ? "github" : "git",
  },
  packages: [
    {
      registryType: "npm",
      identifier: name,
      version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      packageArguments: [
        { type: "positional", value: "serve" },
        { type: "named", name: "--stdio" },
        {
          type: "named",
          name: "--api",
          description:
            "An OpenAPI document, GraphQL schema or discovery document: a file or an address",
          isRequired: true,
        },
      ],
    },
  ],
});

const run = (tag, address) => {
  const manifests = published.map((directory) => {
    const path = join(root, directory, "package.json");
    return { path, directory, manifest: JSON.parse(readFileSync(path, "utf8")) };
  });
  const fault = tagFault(
    tag,
    manifests.map(({ manifest }) => manifest.version),
  );
  if (fault !== null) throw new Error(fault);
  if (!URL.canParse(address)) throw new Error(`${address} is no address of a repository`);
  for (const { path, directory, manifest } of manifests) {
    const told = withRepository(manifest, address, directory);
    const written = directory === CLI ? { ...told, mcpName: mcpNameOf(address) } : told;
    writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`);
    if (directory !== CLI) continue;
    const listed = serverDocument(written, address);
    writeFileSync(join(root, CLI, "server.json"), `${JSON.stringify(listed, null, 2)}\n`);
  }
  console.log(`${published.length} packages are ${tag} of ${address}`);
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    run(...process.argv.slice(2, 4).map(String));
  } catch (error) {
    console.error(`prepare: ${error.message}`);
    process.exitCode = 1;
  }
}
