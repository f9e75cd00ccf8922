import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { keepOutput } from "./child-output.ts";
import type { OutputChild } from "./child-output.ts";
import type { RedmineInstallation } from "./installation.ts";

export interface Puma {
  readonly url: string;
  /** Ends the process and waits until it is gone; a second call waits for the same end. */
  close(): Promise<void>;
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
  throw new Error(`Redmine did not start within ${START_TIMEOUT_MS} ms. It printed:\n${output()}`);
}

const answers = (url: string): Promise<true | undefined> =>
  fetch(url, { redirect: "manual" }).then(
    (response) => response.body?.cancel().then(() => (response.status < 500 ? true : undefined)),
    () => undefined,
  );

/** Starts Redmine on 127.0.0.1 and waits until it answers. Port 0 lets the system choose one. */
export async function startPuma(
  installation: RedmineInstallation,
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<Puma> {
  const child = spawn(
    installation.puma,
    ["-e", "production", "-b", `tcp://127.0.0.1:${port}`, `${installation.root}/config.ru`],
    { cwd: installation.root, env, stdio: ["ignore", "pipe", "pipe"] },
  );
  child.on("error", () => undefined); // `until` reports it: the process has no exit code, and never listens
  const output = keepOutput(child);
  const close = ender(child);
  try {
    const url = await until(child, output, () => /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]);
    await until(child, output, () => answers(`${url}/login`));
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
