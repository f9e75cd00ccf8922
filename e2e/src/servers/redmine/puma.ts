import { type ServerProcess, startServerProcess } from "../server-process.ts";
import type { RedmineInstallation } from "./installation.ts";

/** Starts what `rackup` says on 127.0.0.1 and waits until it answers. Port 0 lets the system choose one. */
export const startPuma = (
  { puma, root }: RedmineInstallation,
  env: Readonly<Record<string, string>>,
  rackup: string,
  port: number,
): Promise<ServerProcess> =>
  startServerProcess({
    name: "Redmine",
    command: puma,
    args: ["-e", "production", "-b", `tcp://127.0.0.1:${port}`, rackup],
    cwd: root,
    env,
    address: (output) => /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0],
    probe: "/login",
  });
