import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plasmCommand } from "../harness/plasm-command.ts";
import { runProcess } from "../harness/run-process.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "plasm-zsh-"));
  const { code, stdout } = await runProcess(plasmCommand(["completion", "zsh"], {}));
  if (code !== 0) throw new Error(`plasm completion zsh ended with ${code}`);
  await writeFile(join(cwd, "_plasm"), stdout);
  await writeFile(join(cwd, "boats.plasm"), "");
  await mkdir(join(cwd, "harbour"));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

/**
 * What a real zsh, on a pseudo-terminal, makes of these keys: its own `plasm` prints the words it is called
 * with.
 */
async function typed(lines: readonly string[]): Promise<readonly string[]> {
  const child = spawn("script", ["-qefc", "zsh -f -i", "/dev/null"], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", SHELL: "/bin/sh", TERM: "dumb", HOME: cwd },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const begin = [
    "unsetopt prompt_cr prompt_sp beep",
    "autoload -U compinit",
    "compinit -u -D",
    'plasm() { print -r -- "called with: $*" }',
    "source ./_plasm",
  ];
  child.stdin.write([...begin, ...lines, "exit", ""].join("\n"));
  const shown = await text(child.stdout);
  return [...shown.matchAll(/^called with: (.*)\r$/gm)].map(([, words]) => words ?? "");
}

test("plasm completion zsh completes commands, options and values (SURF-20)", async () => {
  const table: readonly (readonly [string, string])[] = [
    ["plasm ru\t", "run"],
    ["plasm catalog val\t--str\t", "catalog validate --strict"],
    ["plasm run --format js\t", "run --format json"],
    ["plasm run --form\tnd\t", "run --format=ndjson"],
    ["plasm run --wait=f\t", "run --wait=false"],
    ["plasm run -f boa\t", "run -f boats.plasm"],
    ["plasm catalog import har\t", "catalog import harbour"],
    ["plasm completion z\t", "completion zsh"],
  ];
  expect(await typed(table.map(([keys]) => keys))).toEqual(table.map(([, words]) => words));
});
