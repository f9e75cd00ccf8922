import { type ServerProcess, startServerProcess } from "../server-process.ts";
import type { RedmineInstallation } from "./installation.ts";

// Even reading a project's issues writes which projects were seen last. A thread that waits for SQLite's lock keeps
// Ruby's own, so that the thread that holds the file cannot go on: with two, requests at the same time answer 500.
const ONE_THREAD = "1:1";

/** Starts Redmine on 127.0.0.1 and waits until it answers. Port 0 lets the system choose one. */
export const startPuma = (
  { puma, root }: RedmineInstallation,
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<ServerProcess> =>
  startServerProcess({
    name: "Redmine",
    command: puma,
    args: [
      "-e",
      "production",
      "-t",
      ONE_THREAD,
      "-b",
      `tcp://127.0.0.1:${port}`,
      `${root}/config.ru`,
    ],
    cwd: root,
    env,
    address: (output) => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0],
    probe: "/login",
  });
