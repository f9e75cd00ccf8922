import { spawn } from "node:child_process";
import { codeUnlessEnded, relaySignals, shellExitCode } from "./relay-signals.mjs";

/**
 * Runs a program quietly and resolves to its exit code and output; says `note` on stderr once it takes
 * longer than 1.5 s, if there is one. Never rejects: a program that cannot start has exit code 127, and one that leaves
 * with 0 since it was told to end has the code of that signal: what it was to make may be missing.
 */
export const capture = ([file, ...args], { env, cwd, note, shell = false }) =>
  new Promise((resolve) => {
    const say = () => note !== undefined && console.error(`plasm: ${note} …`);
    const slow = setTimeout(say, 1500);
    const child = spawn(file, args, { env, cwd, shell, stdio: ["ignore", "pipe", "pipe"] });
    const stopRelay = relaySignals(child);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    const finish = (code) => {
      clearTimeout(slow);
      stopRelay();
      resolve({ code, stdout, stderr });
    };
    child.on("error", (error) => {
      stderr += error.message;
      finish(127);
    });
    child.on("close", (code, signal) => finish(codeUnlessEnded(shellExitCode(code, signal))));
  });

/** The last lines worth showing of a failed program's output. */
export const tail = (text, lines = 8) =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !/^npm warn /i.test(line))
    .slice(-lines);
