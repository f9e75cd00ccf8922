import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type PeerDocuments, peerDocuments } from "./peer-documents.ts";
import type { PeersWorld } from "./peers-world.ts";

/** The sides that have a process of their own; generated servers would be two more. */
export const SIDES = ["plasm", "codemode", "fastmcp"];

interface Config {
  readonly github: string;
  readonly quay: string;
  readonly token: string;
  readonly dir: string;
  readonly documents: PeerDocuments;
}

/** What a process is about: one side, and the servers as another process has them. */
export interface SideProcess {
  readonly side: string;
  readonly documents: PeerDocuments;
  readonly world: PeersWorld;
}

/** Runs `main.ts SIDE FILE` to its end, and gives what it said last. */
export async function inProcess<Said>(
  world: PeersWorld,
  main: "start-main.ts" | "sessions-main.ts",
  side: string,
  round: number,
): Promise<Said> {
  const dir = join(world.dir, `${main}-${side}-${round}`);
  await mkdir(dir);
  const { github, quay } = peerDocuments();
  const config: Config = {
    github: world.github.url,
    quay: world.apis.quay.url,
    token: world.token,
    dir,
    documents: { github, quay, whole: github },
  };
  const file = join(dir, "config.json");
  await writeFile(file, JSON.stringify(config));
  const path = fileURLToPath(new URL(main, import.meta.url));
  const args = ["--expose-gc", "--conditions=@plasm/source", path, side, file];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Said;
}

/** What this process was told by `inProcess`. */
export function sideProcess(): SideProcess {
  const [, , side = "", file = ""] = process.argv;
  const { documents, github, quay, dir, token } = JSON.parse(readFileSync(file, "utf8")) as Config;
  const world = {
    github: { url: github },
    apis: { quay: { url: quay } },
    dir,
    token,
    requests: () => 0,
  } as unknown as PeersWorld;
  return { side, documents, world };
}
