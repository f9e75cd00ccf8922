/**
 * Releases to nowhere: on a scratch copy `changeset version` sets versions and changelogs, `pnpm publish
 * --dry-run` takes every published package, and the command runs from its tarball. Needs a build; sends
 * nothing, and asks no registry.
 */
import {
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { published } from "../../tooling/rooms/index.mjs";
import { capture } from "../boot/capture.mjs";
import { manifestOf, root } from "../lib/workspace.mjs";

const scratch = mkdtempSync(join(tmpdir(), "plasm-release-"));
const copy = join(scratch, "copy");

/** Of node_modules only the links among our packages: from them pnpm reads the versions of `workspace:`. */
const isReleased = (path) => {
  const parts = relative(root, path).split(/[\\/]/);
  const at = parts.indexOf("node_modules");
  if (at < 0) return basename(path) !== ".turbo";
  return parts.length === at + 1 || parts[at + 1] === "@plasm";
};

const copyReleased = () => {
  const files = ["package.json", "pnpm-workspace.yaml", "LICENSE", ".changeset"];
  const manifests = globSync(["{packages,apps,plugins,tooling}/*", "{e2e,bench,catalogs}"], {
    cwd: root,
  })
    .map((directory) => join(directory, "package.json"))
    .filter((path) => existsSync(join(root, path)));
  for (const path of [...files, ...manifests, ...published]) {
    const options = { recursive: true, verbatimSymlinks: true, filter: isReleased };
    cpSync(join(root, path), join(copy, path), options);
  }
};

/** Nobody's settings have a say, no package manager installs what it misses, no registry is reached. */
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  PNPM_CONFIG_VERIFY_DEPS_BEFORE_RUN: "false",
  PNPM_CONFIG_REGISTRY: "http://127.0.0.1:9/",
  PNPM_CONFIG_FETCH_RETRIES: "0",
  NPM_CONFIG_OFFLINE: "true",
};

const run = async (command, cwd = copy) => {
  const { code, stdout, stderr } = await capture(command, { cwd, env });
  if (code === 0) return `${stdout}${stderr}`;
  throw new Error(`${command.join(" ")} ended with ${code}\n${stdout}${stderr}`);
};

const git = (...args) =>
  run(["git", "-c", "user.name=plasm", "-c", "user.email=plasm@localhost", ...args]);

/** `changeset version`, in a history that has every changeset in one commit. */
const setVersions = async () => {
  await git("init", "--quiet");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "all");
  await run([process.execPath, join(root, "node_modules/@changesets/cli/bin.js"), "version"]);
};

const read = (path) => readFileSync(join(copy, path), "utf8");

const versionFindings = (version) => [
  ...published
    .filter((directory) => JSON.parse(read(`${directory}/package.json`)).version !== version)
    .map((directory) => `${directory}: its version is not ${version}, which all have`),
  ...published
    .filter((directory) => manifestOf(directory).version !== version)
    .filter((directory) => !existsSync(join(copy, directory, "CHANGELOG.md")))
    .map((directory) => `${directory}: no CHANGELOG.md was made`),
];

const publishFindings = (said, version) =>
  published
    .map((directory) => `${manifestOf(directory).name}@${version}`)
    .filter((name) => !said.includes(`${name} `))
    .map((name) => `${name} is not among what pnpm publish would publish:\n${said}`);

/** Installs the command from its tarball, alone, and asks it who it is. */
const commandFindings = async () => {
  const tarballs = join(scratch, "tarballs");
  const user = join(scratch, "user");
  const pack = ["pnpm", "pack", "--json", "--pack-destination", tarballs];
  const { filename } = JSON.parse(await run(pack, join(copy, "apps/cli")));
  await run(["npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", user, filename]);
  const bin = join(user, "node_modules/.bin/plasm");
  const installed = globSync("node_modules/{*,@*/*}/package.json", { cwd: user });
  const help = await run([bin, "--help"], scratch);
  return [
    ...(lstatSync(bin).isSymbolicLink() ? [] : ["the tarball of apps/cli has no bin"]),
    ...(installed.length === 1 ? [] : [`apps/cli needs more than itself: ${installed.join(", ")}`]),
    ...(help.includes("plasm search") ? [] : [`plasm --help from the tarball says:\n${help}`]),
  ];
};

try {
  copyReleased();
  await setVersions();
  const { version } = JSON.parse(read(`${published[0]}/package.json`));
  const dryRun = ["pnpm", "publish", "--recursive", "--dry-run", "--no-git-checks"];
  const said = await run([...dryRun, "--access", "public"]);
  const findings = [
    ...versionFindings(version),
    ...publishFindings(said, version),
    ...(await commandFindings()),
  ];
  for (const finding of findings) console.log(finding);
  console.log(`${published.length} packages would be published as ${version}`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true });
}
