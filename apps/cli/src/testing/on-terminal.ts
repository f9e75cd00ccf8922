import { spawn } from "node:child_process";
import { COMPILE_CACHE, plasmCommand } from "./spawn-plasm.ts";

/** `plasm` on a terminal of its own: what it shows there, and what is typed. */
export interface OnTerminal {
  /** Resolves with what matches once the screen has shown it since the last call. */
  shows(what: RegExp): Promise<string>;
  type(keys: string): void;
  /** exit code, and all that was shown */
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** file that stdout goes to; else it is on the screen, too */
  readonly stdout?: string;
  readonly columns?: number;
}

export const CTRL_C = "\u0003";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Starts `plasm` on a real pseudo-terminal. It is `script`'s, which every Debian has: no module of Node
 * opens one without being compiled.
 */
export function onTerminal(
  args: readonly string[],
  { cwd, env = {}, stdout, columns = 80 }: TerminalOptions,
): OnTerminal {
  const { command, args: own } = plasmCommand;
  const words = [command, ...own, ...args].map(quoted).join(" ");
  const to = stdout === undefined ? "" : ` >${quoted(stdout)}`;
  const line = `stty cols ${columns}; exec ${words}${to}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    cwd,
    env: {
      PATH: process.env["PATH"] ?? "",
      SHELL: "/bin/sh",
      TERM: "xterm",
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let [screen, seen] = ["", 0];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
  // It ends by itself while something is typed.
  child.stdin.on("error", () => undefined);
  const ended = new Promise<{ readonly code: number | null; readonly screen: string }>(
    (resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ code, screen }));
    },
  );
  return {
    shows: (what) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = what.exec(screen.slice(seen));
          if (found === null) return;
          seen += found.index + found[0].length;
          child.stdout.removeListener("data", look);
          resolve(found[0]);
        };
        child.stdout.on("data", look);
        ended.then(() => reject(new Error(`It never showed ${what}:\n${screen}`)), reject);
        look();
      }),
    type: (keys) => void child.stdin.write(keys),
    ended,
  };
}
