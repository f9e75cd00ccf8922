import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RedmineInstallation } from "./installation.ts";

/**
 * Writes what Puma runs: Redmine, one request at a time. Even reading a project's issues writes which projects
 * were seen last. A thread that waits for SQLite's lock keeps Ruby's own, so that the thread that holds the file
 * cannot go on: of two requests at the same time, one would answer 500.
 */
export async function writeRackup({ root }: RedmineInstallation, dir: string): Promise<string> {
  const path = join(dir, "config.ru");
  const lines = [`require "${root}/config/environment"`, "use Rack::Lock", "run Rails.application"];
  await writeFile(path, `${lines.join("\n")}\n`);
  return path;
}
