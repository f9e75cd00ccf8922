import { spawn, type ChildProcessByStdio } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { OfficialDocument } from "./official-document.ts";

const require = createRequire(import.meta.url);
const PRISM = join(dirname(require.resolve("@stoplight/prism-cli/package.json")), "dist/index.js");

/** Prism reads 13 MB and makes checks for a thousand operations: 8 s alone, more on a busy machine. */
const START_TIMEOUT_MS = 120_000;
const KEPT_CHARS = 4000;
const ADDRESS = /listening on (http:\/\/127\.0\.0\.1:\d+)\s/;

export interface Prism {
  /** origin without a final slash, on 127.0.0.1 */
  readonly url: string;
  /** Ends the process and waits until it is gone. */
  close(): Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function addressOf(child: Child): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const fail = (why: string): void => reject(new Error(`Prism ${why}. It printed:\n${output}`));
    const late = setTimeout(
      () => fail(`said no address in ${START_TIMEOUT_MS} ms`),
      START_TIMEOUT_MS,
    );
    child.once("error", reject);
    child.once("exit", (code) => fail(`ended with ${code}`));
    const hear = (text: string): void => {
      output = (output + text).slice(-KEPT_CHARS);
      const url = ADDRESS.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      resolve(url);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", hear);
  });
}

function ender(child: Child): () => Promise<void> {
  const gone = new Promise<void>((done) => child.once("close", () => done()));
  const killNow = (): void => void child.kill("SIGKILL");
  // A test runner that is ended hard must not leave a server behind.
  process.once("exit", killNow);
  return async () => {
    killNow();
    await gone;
    process.removeListener("exit", killNow);
  };
}

/**
 * Starts Prism as a process of its own: it answers with the document's examples, and with 422 to a request
 * that the document does not allow. `dataDir` takes the document's file.
 */
export async function startPrism(document: OfficialDocument, dataDir: string): Promise<Prism> {
  const file = join(dataDir, "api.github.com.json");
  await writeFile(file, JSON.stringify(document));
  const args = [PRISM, "mock", "--host", "127.0.0.1", "--port", "0", file];
  const env = { PATH: process.env["PATH"] ?? "", HOME: dataDir, SCARF_ANALYTICS: "false" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  const close = ender(child);
  try {
    return { url: await addressOf(child), close };
  } catch (error) {
    await close();
    throw error;
  }
}
