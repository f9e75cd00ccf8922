import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture } from "../boot/capture.mjs";
import { root } from "../boot/versions.mjs";

const plasm = join(root, "apps/cli/dist/plasm.mjs");

/** What is asked, a scene each: what a person would say of it, and what is typed. */
const SCENES = [
  [
    "Which old boats are moored? A program, not a pile of tool calls:",
    "plasm run -e 'Boat{state=moored, built<2015-01-01}.sort(length desc).limit(3)[id, name, built]'",
  ],
  [
    "Mark them. Nothing is changed yet: each effect is shown first, before → after",
    "plasm run --mode explain -e 'old = Boat{state=moored, built<2015-01-01}.sort(length desc).limit(3)\ndone = old => Boat(_.id).update(note=\"repaint\")\ndone[id, name, note]'",
  ],
  ["Approved: exactly that plan runs", "plasm run --commit pc1"],
  [
    "The answer got lost, so the agent sends it again: nothing happens twice",
    "plasm run --commit pc1",
  ],
];

/** The words of a line for a shell that has no more than single quotes. */
const wordsOf = (line) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);

/** Starts `plasm try` with data of its own; gives its address and what ends it. */
const startServer = async (directory) => {
  const ports = ["--port=0", "--quay-port=0", "--yard-port=0"];
  const args = [plasm, "try", "--no-open", `--data=${join(directory, "data")}`, ...ports];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      const found = /HTTP (http:\S+)/.exec(text);
      if (text.includes("Ctrl-C ends it.") && found !== null) resolve(found[1]);
    });
    void ended.then((code) => reject(new Error(`plasm try ended with ${code}`)));
  });
  return {
    url,
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
};

/**
 * Runs the session of the first screen with the built program on the sample APIs; gives its transcript: for each scene a line
 * of `#`, what was typed after `$ `, what was printed, and an empty line. Throws where a command fails in another way than by
 * asking for review.
 */
export const recordSession = async () => {
  const directory = mkdtempSync(join(tmpdir(), "plasm-picture-"));
  const server = await startServer(directory);
  const run = async (line) => {
    const [, ...args] = wordsOf(line);
    const { code, stdout, stderr } = await capture([process.execPath, plasm, ...args], {
      cwd: directory,
      env: process.env,
    });
    if (code !== 0 && code !== 3) throw new Error(`${line}\n${stdout}${stderr}`);
    return stdout.trimEnd();
  };
  try {
    await run(`plasm init --server ${server.url}`);
    await run("plasm context -i 'repaint old boats' quay:Boat");
    const scenes = [];
    for (const [said, line] of SCENES) scenes.push(`# ${said}\n$ ${line}\n${await run(line)}`);
    // How long ago the first run was depends on the machine.
    return `${scenes.join("\n\n")}\n`.replaceAll(/ran \d+ s ago/g, "ran 0 s ago");
  } finally {
    await server.close();
    rmSync(directory, { recursive: true });
  }
};
