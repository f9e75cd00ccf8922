import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { plasmServe, type PlasmOptions } from "./plasm-command.ts";

export interface PlasmServer {
  /** origin without a final slash */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** all it has written so far: stdout and stderr */
  said(): string;
  /** Ends it by SIGTERM and waits; throws if it did not end cleanly. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL and waits. */
  kill(): Promise<void>;
}

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 60_000;
const ADDRESS = /HTTP (http:\/\/[^\s]+:(\d+))/;

interface Output {
  stdout: string;
  stderr: string;
}

function collect(child: ChildProcess): Output {
  const output: Output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  return output;
}

const said = ({ stdout, stderr }: Output): string => `stdout:\n${stdout}\nstderr:\n${stderr}`;

/** Resolves with the address it prints; rejects when it ends first or is silent for too long. */
function addressOf(child: ChildProcess, output: Output): Promise<{ url: string; port: number }> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`plasm serve ${why}\n${said(output)}`));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      fail(`printed no address in ${START_TIMEOUT_MS} ms`);
    }, START_TIMEOUT_MS);
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
    child.stdout?.on("data", () => {
      const [, url, port] = ADDRESS.exec(output.stdout) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve({ url, port: Number(port) });
    });
  });
}

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  const force = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(force);
}

/** Starts `plasm serve` as a process of its own; `port` 0 lets the system choose. */
export async function startPlasmServer(options: PlasmOptions, port = 0): Promise<PlasmServer> {
  const { command, args, env } = plasmServe(options, ["--port", String(port)]);
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const output = collect(child);
  const address = await addressOf(child, output);
  return {
    ...address,
    pid: child.pid ?? 0,
    said: () => said(output),
    stop: async () => {
      await end(child, "SIGTERM");
      if (child.exitCode !== 0) {
        throw new Error(
          `plasm serve ended with ${child.exitCode ?? child.signalCode}\n${said(output)}`,
        );
      }
    },
    kill: () => end(child, "SIGKILL"),
  };
}
