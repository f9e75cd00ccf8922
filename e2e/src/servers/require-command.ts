import { accessSync, constants } from "node:fs";

/**
 * The path of a program that one of Debian's packages installs.
 * Throws an error that names the script that installs it.
 */
export function requireCommand(path: string): string {
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    throw new Error(
      `${path} is missing on this machine. Run .ci/install-servers as root (or with sudo), then try again.`,
    );
  }
}
