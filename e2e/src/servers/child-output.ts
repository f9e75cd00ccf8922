import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";

export type OutputChild = ChildProcessByStdio<null, Readable, Readable>;

const KEPT_CHARS = 4000;

/** Collects what a child prints on both streams; the function returned gives its last 4,000 characters. */
export function keepOutput(child: OutputChild): () => string {
  let text = "";
  const add = (chunk: string): void => {
    text = (text + chunk).slice(-KEPT_CHARS);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", add);
  return () => text.trim();
}
