import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProcess, type Ended } from "../harness/run-process.ts";

const require = createRequire(import.meta.url);
const SUITE = join(
  dirname(require.resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);

export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
export type Revision = (typeof REVISIONS)[number];

const listOf = (revision: Revision): string =>
  join(import.meta.dirname, `expected-failures.${revision}.yaml`);

/** Names of the scenarios that fail; the file says why each does. */
export async function expectedFailures(revision: Revision): Promise<readonly string[]> {
  const text = await readFile(listOf(revision), "utf8");
  return [...text.matchAll(/^  - (\S+)$/gm)].map(([, name = ""]) => name);
}

/** Runs what the suite requires of a server in a revision of the protocol, and what it only reports. */
export async function runSuite(url: string, revision: Revision): Promise<Ended> {
  const home = await mkdtemp(join(tmpdir(), "mcp-suite-"));
  try {
    const args = ["server", "--url", new URL("/mcp", url).href, "--requirements", revision];
    return await runProcess({
      command: process.execPath,
      args: [SUITE, ...args, "--expected-failures", listOf(revision)],
      env: { PATH: process.env["PATH"] ?? "", HOME: home },
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
