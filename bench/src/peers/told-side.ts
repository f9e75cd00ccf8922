import { readFileSync } from "node:fs";
import type { PeerDocuments } from "./document.ts";
import type { PeersWorld } from "./peers-world.ts";
import { SERVED_SIDES, type ServedSide } from "./serve-side.ts";

/** What a process is told of its world, in a file. */
export interface Config {
  readonly github: string;
  readonly quay: string;
  readonly token: string;
  readonly dir: string;
  readonly documents: PeerDocuments;
}

/** What a process is about: one side, and the servers as another process has them. */
export interface SideProcess {
  readonly side: ServedSide;
  readonly documents: PeerDocuments;
  readonly world: PeersWorld;
}

/** What this process was told when it was started, as `node main.ts SIDE FILE`; it loads nothing of other sides. */
export function sideProcess(): SideProcess {
  const [, , name, file = ""] = process.argv;
  const side = SERVED_SIDES.find((one) => one === name);
  if (side === undefined) throw new Error(`no side ${name}`);
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
