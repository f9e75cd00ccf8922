import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** What a secret is typed into, and where it is asked for. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Takes what a line editor echoes, and shows none of it. */
const silent = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** Asks for a line without showing what is typed; null if none is given. */
export function askSecret(question: string, { input, output }: Terminal): Promise<string | null> {
  const lines = createInterface({ input, output: silent(), terminal: true });
  // Only now does the terminal show nothing of what is typed.
  output.write(question);
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    // Ctrl-C and Ctrl-D end it without a line.
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => {
      output.write("\n");
      resolve(null);
    });
  });
}
