import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What the API does to a share of the requests: before it has performed an effect, or after. */
export interface Fault {
  readonly kind: "none" | "hang" | "drip" | "reset" | "cut" | "500" | "503" | "429";
  readonly when: "before" | "after";
  /** 1: all of them; 0.5: every second one */
  readonly share: number;
  readonly effectsOnly?: boolean;
}

export interface LedgerCommand {
  readonly latency?: number;
  readonly fault?: Fault | null;
  readonly listen?: boolean;
}

export interface LedgerReply {
  readonly port: number;
  readonly requests: number;
}

/** A line of its file. */
export interface LedgerLine {
  readonly n: number;
  readonly event: "got" | "performed" | "answered";
  readonly effect: boolean;
  readonly name: string;
  readonly at?: number;
}

/** The API process and its file. */
export interface Ledger {
  readonly url: string;
  readonly file: string;
  command(command: LedgerCommand): Promise<LedgerReply>;
  /** How often each effect was performed, by its name. */
  performed(): ReadonlyMap<string, number>;
  lines(): readonly LedgerLine[];
  stop(): Promise<void>;
}

function readLines(file: string): readonly LedgerLine[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LedgerLine);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Starts the API in `directory`, where its file is. */
export async function startLedger(directory: string): Promise<Ledger> {
  const file = join(directory, "ledger.log");
  const child = fork(new URL("ledger-api.ts", import.meta.url), [file], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  let last = Promise.resolve<unknown>(null);
  const command = (what: LedgerCommand): Promise<LedgerReply> => {
    // One at a time: a reply belongs to the command before it.
    const next = last.then(async () => {
      const reply = once(child, "message");
      child.send(what);
      const [message] = (await reply) as [LedgerReply];
      return message;
    });
    last = next;
    return next;
  };
  const { port } = await command({ listen: true });
  return {
    url: `http://127.0.0.1:${port}`,
    file,
    command,
    performed: () => {
      const counts = new Map<string, number>();
      for (const { event, name } of readLines(file)) {
        if (event === "performed") counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      return counts;
    },
    lines: () => readLines(file),
    stop: () => end(child),
  };
}
