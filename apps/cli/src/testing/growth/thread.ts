import { Buffer } from "node:buffer";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { serveTrials } from "@plasm/testkit";
import { answerWith } from "../answer-with.ts";
import { runHere } from "../run-here.ts";
import type { CommandLine } from "./command-lines.ts";

let answer: CommandLine["answer"] = { type: "application/json", status: 200, text: "{}" };
const server = await answerWith((request, response) => {
  request.resume();
  response.writeHead(answer.status, { "content-type": answer.type, connection: "close" });
  response.end(answer.text);
});

/** Runs one command line in a directory of its own; throws for what is a defect of plasm's own. */
async function tried({ args, files, input, answer: answered }: CommandLine): Promise<void> {
  answer = answered;
  const cwd = await mkdtemp(join(tmpdir(), "plasm-growth-"));
  const session = { server: server.url, intent: "a", prompt_hash: "ph", session_id: "s0" };
  const all = {
    ...files,
    ".plasm/profile.json": JSON.stringify({ server: server.url }),
    ".plasm/session.json": JSON.stringify(session),
  };
  try {
    for (const [path, content] of Object.entries(all)) {
      await mkdir(join(cwd, dirname(path)), { recursive: true });
      await writeFile(join(cwd, path), content);
    }
    // The system gives no half pairs as arguments.
    const given = args.map((argument) => Buffer.from(argument).toString());
    const { stderr } = await runHere(given, {
      cwd,
      input,
      env: { PLASM_DATA: join(cwd, "data"), PLASM_LOG: "debug" },
    });
    if (/a defect of plasm|^\w*Error: .*\n\s+at /m.test(stderr))
      throw new Error(stderr.slice(0, 4_000));
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

const plain = (args: readonly string[], files: CommandLine["files"] = {}): CommandLine => ({
  args,
  files,
  input: "",
  answer,
});

await serveTrials(
  tried,
  [
    plain(["run", "-e", "Boat"]),
    plain(["run", "-e", "Boat", "--format", "ndjson"]),
    plain(["search", "boats"]),
    plain(["catalog", "init", "made", "--api", "file"], {
      file: '{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{}}}}}',
    }),
    plain(["catalog", "validate", "catalog"], {
      "catalog/domain.yaml": "version: 1\n",
      "catalog/mappings.yaml": "{}\n",
    }),
  ],
  () => server.close(),
);
