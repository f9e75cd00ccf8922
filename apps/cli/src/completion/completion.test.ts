import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../testing/run-here.ts";
import { cleanUp, temporaryDirectory } from "../testing/spawn-plasm.ts";

let cwd: string;
let bash: string;
beforeAll(async () => {
  cwd = await temporaryDirectory();
  await mkdir(join(cwd, "my catalogs"));
  await writeFile(join(cwd, "my program.plasm"), "");
  bash = (await runHere(["completion", "bash"], { cwd })).stdout;
});
afterAll(cleanUp);

/** What a real bash completes the last of these words to, for each list of words. */
async function completed(
  lists: readonly (readonly string[])[],
): Promise<readonly (readonly string[])[]> {
  const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
  const calls = lists.map((words) => `complete_words ${words.map(quoted).join(" ")}`);
  const script = [
    "set -u",
    bash,
    "complete_words() {",
    '  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()',
    "  _plasm",
    '  printf "%s\\n" "${COMPREPLY[@]-}" "--"',
    "}",
    ...calls,
  ].join("\n");
  const { stdout, stderr } = await promisify(execFile)("bash", ["--norc", "-c", script], { cwd });
  if (stderr !== "") throw new Error(stderr);
  const blocks = stdout.split("--\n").slice(0, -1);
  return blocks.map((block) => block.split("\n").filter((line) => line !== ""));
}

describe("completion in a real bash (SURF-20)", () => {
  it.each<[readonly string[], readonly string[]]>([
    [["r"], ["restore", "run"]],
    [["cat"], ["catalog"]],
    [
      ["catalog", "i"],
      ["init", "import"],
    ],
    [["catalog", "init", "--ap"], ["--api"]],
    [
      ["catalog", "init", "x", "--api", "my"],
      ["my catalogs", "my program.plasm"],
    ],
    [["run", "catalog", "i"], []],
    [
      ["run", "--fo"],
      ["--force", "--format"],
    ],
    [
      ["run", "--format", ""],
      ["text", "json", "ndjson"],
    ],
    [["run", "--format", "n"], ["ndjson"]],
    [["run", "--format", "=", "j"], ["json"]],
    [
      ["run", "--format", "="],
      ["text", "json", "ndjson"],
    ],
    [["run", "--wait", "=", "t"], ["true"]],
    [["run", "--wait", "--com"], ["--commit"]],
    [["run", "-e", "catalog", "--mode", "e"], ["explain"]],
    [["run", "-e", ""], []],
    [
      ["run", "-f", "my"],
      ["my catalogs", "my program.plasm"],
    ],
    [["catalog", "validate", ""], ["my catalogs"]],
    [["catalog", "validate", "--st"], ["--strict"]],
    [["serve", "--data", "m"], ["my catalogs"]],
    [["serve", "--port", ""], []],
    [
      ["completion", ""],
      ["bash", "zsh"],
    ],
    [
      ["approvals", ""],
      ["approve", "reject"],
    ],
    [
      ["nothing", "--"],
      ["--version", "--help"],
    ],
  ])("plasm %j", async (words, expected) => {
    const [found] = await completed([["plasm", ...words]]);
    expect(found?.toSorted()).toEqual(expected.toSorted());
  });

  it("knows every command and every option that help shows, and no others", async () => {
    const helpOf = async (path: readonly string[]): Promise<string> =>
      (await runHere([...path, "--help"], { cwd })).stdout;
    const section = (help: string, title: string): string =>
      new RegExp(`^${title}:\\n((?: .*\\n)*)`, "m").exec(help)?.[1] ?? "";
    const commandsIn = (help: string): readonly string[] =>
      [...section(help, "Commands").matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name]) => name ?? "");
    const optionsIn = (help: string): readonly string[] =>
      [...section(help, "Options").matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(
        ([, name]) => name ?? "",
      );
    const below = async (path: readonly string[]): Promise<readonly (readonly string[])[]> => {
      const names = commandsIn(await helpOf(path)).filter((name) => name !== "help");
      const deeper = await Promise.all(names.map((name) => below([...path, name])));
      return [path, ...deeper.flat()];
    };
    const paths = await below([]);
    expect(paths.length).toBeGreaterThan(20);
    const helps = await Promise.all(paths.map(helpOf));
    const words = await completed(paths.map((path) => ["plasm", ...path, ""]));
    const options = await completed(paths.map((path) => ["plasm", ...path, "--"]));
    for (const [index, help] of helps.entries()) {
      const commands = commandsIn(help);
      expect(options[index]?.toSorted()).toEqual(optionsIn(help).toSorted());
      // Others complete what their first argument is.
      expect(commands.filter((name) => words[index]?.includes(name) !== true)).toEqual([]);
    }
  });
});

describe("completion in zsh (SURF-20)", () => {
  it("has a function for each command, which describes every option", async () => {
    const { stdout } = await runHere(["completion", "zsh"], { cwd });
    expect(stdout).toMatch(/^#compdef plasm\n/);
    const defined = [...stdout.matchAll(/^(_plasm[\w-]*)\(\) \{$/gm)].map(([, name]) => name ?? "");
    const called = [...stdout.matchAll(/^ {6}[\w-]+\) (_plasm[\w-]+) ;;$/gm)].map(
      ([, name]) => name ?? "",
    );
    expect(called.toSorted()).toEqual(defined.filter((name) => name !== "_plasm").toSorted());
    expect(stdout).toContain("'--wait=-[true\\: until the end; false\\: answer with a handle]");
    expect(stdout).toContain(
      "'--format=[ndjson has one line for each row]:format:(text json ndjson)'",
    );
    expect(stdout).toContain("'(-f --file)--file=[a file that holds it]:path:_files'");
    expect(stdout).toContain("'*:dir:_files -/'");
  });

  it.each([[["completion"]], [["completion", "fish"]]])("%j is misuse", async (args) => {
    expect(await runHere(args, { cwd })).toMatchObject({ code: 2, stdout: "" });
  });
});
