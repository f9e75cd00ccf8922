import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { keepOutput } from "./child-output.ts";
import type { OutputChild } from "./child-output.ts";

export interface ServerProcess {
  readonly url: string;
  /** Ends the process and waits until it is gone; a second call waits for the same end. */
  close(): Promise<void>;
}

export interface ServerCommand {
  /** what errors call it */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Its address, once known; `output` is the end of what it has printed. */
  address(output: string): string | undefined;
  /** the path that answers as soon as it is ready */
  readonly probe: string;
}

const START_TIMEOUT_MS = 90_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

function ender(child: OutputChild): () => Promise<void> {
  const gone = new Promise<void>((done) => child.once("close", () => done()));
  const killNow = (): void => void child.kill("SIGKILL");
  // A test runner that is ended hard must not leave a server behind.
  process.once("exit", killNow);
  return async () => {
    child.kill("SIGTERM");
    const late = AbortSignal.timeout(STOP_TIMEOUT_MS);
    late.addEventListener("abort", killNow);
    await gone;
    late.removeEventListener("abort", killNow);
    process.removeListener("exit", killNow);
  };
}

/** Polls until `ready` gives a value; throws with the server's output when it has ended or the time is over. */
async function until<T>(
  name: string,
  child: OutputChild,
  output: () => string,
  ready: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const value = await ready();
    if (value !== undefined) return value;
    await sleep(POLL_MS);
  }
  throw new Error(`${name} did not start within ${START_TIMEOUT_MS} ms. It printed:\n${output()}`);
}

const answers = (url: string): Promise<true | undefined> =>
  fetch(url, { redirect: "manual" }).then(
    (response) => response.body?.cancel().then(() => (response.status < 500 ? true : undefined)),
    () => undefined,
  );

/** Starts a server on 127.0.0.1 and waits until it answers. */
export async function startServerProcess(server: ServerCommand): Promise<ServerProcess> {
  const { name, command, args, cwd, env, probe } = server;
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  child.on("error", () => undefined); // `until` reports it: the process has no exit code, and never answers
  const output = keepOutput(child);
  const close = ender(child);
  try {
    const url = await until(name, child, output, () => server.address(output()));
    await until(name, child, output, () => answers(url + probe));
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
