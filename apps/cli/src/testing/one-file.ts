import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fixture, temporaryDirectory } from "./spawn-plasm.ts";

const inPackage = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The one file as it is published, or made of these sources where what is built may be of others. */
async function builtFile(directory: string): Promise<string> {
  if (process.env["PLASM_TEST_BUILT"] === "yes") return inPackage("dist/plasm.mjs");
  await promisify(execFile)(process.execPath, [inPackage("bundle.mjs"), directory]);
  return join(directory, "plasm.mjs");
}

/** Leaves beside a file what it compiles the catalogs of a directory to, as its build does. */
export async function compileBeside(file: string, catalogs: string): Promise<void> {
  const args = [inPackage("compile-catalogs.mjs"), dirname(file), catalogs];
  await promisify(execFile)(process.execPath, args);
}

/** A directory with the one file and a catalog, and nothing else. */
export interface Alone {
  readonly directory: string;
  readonly file: string;
  readonly catalog: string;
  /** the licences of what stands in the file, by package */
  readonly licences: string;
  /** variables of a process there: nothing of this one's, and a home of its own */
  readonly env: Readonly<Record<string, string>>;
  /** where the file keeps what Node compiles of it */
  readonly compiled: string;
}

/** Copies the one file and quay's catalog into an empty directory; `cleanUp` removes it. */
export async function alone(): Promise<Alone> {
  const built = await builtFile(join(await temporaryDirectory(), "dist"));
  const directory = await temporaryDirectory();
  const file = join(directory, "plasm.mjs");
  const catalog = join(directory, "quay");
  await copyFile(built, file);
  await cp(fixture("quay"), catalog, { recursive: true });
  const home = join(directory, "home");
  await mkdir(home);
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, PLASM_LOG: "warn" };
  const licences = await readFile(join(dirname(built), "licences.txt"), "utf8");
  return { directory, file, catalog, licences, env, compiled: join(home, ".cache/plasm/compiled") };
}
