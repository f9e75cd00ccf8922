import { accessSync, constants, readFileSync } from "node:fs";

/** Where Debian's packages put Redmine and the server that runs it. */
export interface RedmineInstallation {
  readonly root: string;
  readonly puma: string;
  /** Text that changes with every release of Redmine. */
  readonly release: string;
}

const ROOT = "/usr/share/redmine";
const PUMA = "/usr/bin/puma";

const REMEDY = "Run .ci/install-servers as root (or with sudo), then try again.";

function demand(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new Error(`Redmine is not installed on this machine: ${path} is missing. ${REMEDY}`);
  }
}

/**
 * The installed Redmine.
 * Throws one error that names the missing file and the script that installs it.
 */
export function requireRedmine(): RedmineInstallation {
  for (const path of [`${ROOT}/config.ru`, `${ROOT}/lib/redmine/version.rb`, PUMA]) demand(path);
  return {
    root: ROOT,
    puma: PUMA,
    release: readFileSync(`${ROOT}/lib/redmine/version.rb`, "utf8"),
  };
}
