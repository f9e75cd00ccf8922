import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** One private Redmine: its own database, log, temporary and attachment files. */
export interface InstanceDir {
  readonly database: string;
  readonly env: Readonly<Record<string, string>>;
}

// Debian's Redmine keeps what belongs to one instance in /usr/share/redmine/instances/<name>. The name is joined
// as a path, so enough steps up lead to a directory anywhere, and nothing of the system's own instance is touched.
const TO_FILESYSTEM_ROOT = "../".repeat(16);

const databaseYml = (path: string): string =>
  JSON.stringify({ production: { adapter: "sqlite3", database: path, timeout: 5000 } });

/** Creates the files of an instance in `dir`; the database itself is left to the caller. */
export async function makeInstanceDir(dir: string): Promise<InstanceDir> {
  const root = resolve(dir);
  for (const name of ["config", "files", "log", "tmp"])
    await mkdir(join(root, name), { recursive: true });
  const database = join(root, "redmine.sqlite3");
  await writeFile(join(root, "config", "database.yml"), databaseYml(database));
  await writeFile(join(root, "config", "secret_key.txt"), "0".repeat(64));
  return {
    database,
    env: {
      // Nothing else is inherited: DATABASE_URL, BUNDLE_* or RUBYOPT would turn it into another Redmine.
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      HOME: root,
      LANG: "C.UTF-8",
      TZ: "UTC",
      RAILS_ENV: "production",
      SCHEMA: "/dev/null",
      X_DEBIAN_SITEID: TO_FILESYSTEM_ROOT + root.slice(1),
    },
  };
}
