import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const inPackage = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * How this program is run: from its source, or as it is published where PLASM_TEST_BUILT says that what is
 * built is of these sources. That starts three times as fast.
 */
export const plasmCommand = {
  command: process.execPath,
  args:
    process.env["PLASM_TEST_BUILT"] === "yes"
      ? [inPackage("dist/plasm.mjs")]
      : ["--conditions=@plasm/source", inPackage("src/main.ts")],
};

/** What was compiled is kept for all starts, and not where the user's own `plasm` keeps it. */
export const COMPILE_CACHE = inPackage("node_modules/.cache/compiled-sources");

/** The fixture catalogs, by name. */
export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../../packages/testkit/catalogs/${name}`, import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Plasm {
  /** Resolves with what stdout holds once `text` is in it; rejects if the program ends before. */
  said(text: string): Promise<string>;
  /** The same of stderr, for what matches. */
  remarked(what: RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
  stop(signal: NodeJS.Signals): void;
}

const children = new Set<ChildProcess>();
const directories = new Set<string>();

/** Starts `plasm` with these arguments, in a directory of its own if one is named, with what is piped in. */
export function spawnPlasm(
  args: readonly string[],
  cwd: string = process.cwd(),
  input: string | null = null,
): Plasm {
  const child = spawn(plasmCommand.command, [...plasmCommand.args, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    cwd,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  child.stdin.on("error", () => undefined).end(input ?? "");
  children.add(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code) => {
      children.delete(child);
      resolve({ code, stdout, stderr });
    });
  });
  const once = (stream: Readable, said: () => string, what: RegExp | string) =>
    new Promise<string>((resolve, reject) => {
      const look = (): void => {
        const text = said();
        if (typeof what === "string" ? text.includes(what) : what.test(text)) resolve(text);
      };
      stream.on("data", look);
      void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${stderr}`)));
      look();
    });
  const said = (text: string): Promise<string> => once(child.stdout, () => stdout, text);
  const remarked = (what: RegExp): Promise<string> => once(child.stderr, () => stderr, what);
  return { said, remarked, ended, stop: (signal) => void child.kill(signal) };
}

/** A directory that is gone after the test. */
export async function temporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "plasm-cli-"));
  directories.add(path);
  return path;
}

/** Ends what a test left running, and removes its directories. */
export async function cleanUp(): Promise<void> {
  for (const child of children) child.kill("SIGKILL");
  for (const path of directories) await rm(path, { recursive: true, force: true });
  children.clear();
  directories.clear();
}
