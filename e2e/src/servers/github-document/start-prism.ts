import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type ServerProcess, startServerProcess } from "../server-process.ts";
import type { OfficialDocument } from "./official-document.ts";

const require = createRequire(import.meta.url);
const PRISM = join(dirname(require.resolve("@stoplight/prism-cli/package.json")), "dist/index.js");

/**
 * Starts Prism as a process of its own: it answers with the document's examples, and with 422 to a request
 * that the document does not allow. It reads 13 MB, which takes 8 s alone. `dataDir` takes the document.
 */
export async function startPrism(
  document: OfficialDocument,
  dataDir: string,
): Promise<ServerProcess> {
  const file = join(dataDir, "api.github.com.json");
  await writeFile(file, JSON.stringify(document));
  return startServerProcess({
    name: "Prism",
    command: process.execPath,
    args: [PRISM, "mock", "--host", "127.0.0.1", "--port", "0", file],
    cwd: dataDir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dataDir, SCARF_ANALYTICS: "false" },
    address: (output) => /listening on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(output)?.[1],
    probe: "/zen",
  });
}
