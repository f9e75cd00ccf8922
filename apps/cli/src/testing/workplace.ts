import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeProfile } from "../workspace/workspace.ts";
import { type Here, runHere } from "./run-here.ts";
import { type Ended, temporaryDirectory } from "./spawn-plasm.ts";

/** A person or an agent in a directory of its own, who talks to one server. */
export interface Workplace {
  readonly cwd: string;
  /** Runs `plasm` there, in this process. */
  plasm(args: readonly string[], more?: Omit<Here, "cwd">): Promise<Ended>;
  /** The same where nothing must fail: exit code 0, and nothing but progress on stderr; gives stdout. */
  done(...args: readonly string[]): Promise<string>;
  /** A file of `.plasm/`, as JSON. */
  kept(name: string): Promise<unknown>;
}

/** Lines of an operation's events (OPS-18). */
const EVENTS = /^s\d+_o\d+ [+~=!](?: .*)?\n/gm;

/** A workplace whose profile names this server. */
export async function workplace(server: string): Promise<Workplace> {
  const cwd = await temporaryDirectory();
  await writeProfile(join(cwd, ".plasm"), { server });
  const plasm: Workplace["plasm"] = (args, more = {}) => runHere(args, { cwd, ...more });
  return {
    cwd,
    plasm,
    done: async (...args) => {
      const { code, stdout, stderr } = await plasm(args);
      if (code === 0 && stderr.replace(EVENTS, "") === "") return stdout;
      throw new Error(`plasm ${args.join(" ")} ended with ${code}:\n${stderr}\n${stdout}`);
    },
    kept: async (name) => JSON.parse(await readFile(join(cwd, ".plasm", name), "utf8")) as unknown,
  };
}

/** One whose session, of this intent, knows quay's boats. */
export async function workplaceWithBoats(server: string, intent: string): Promise<Workplace> {
  const place = await workplace(server);
  await place.done("context", "-i", intent, "quay:Boat");
  return place;
}
