import { spawn } from "node:child_process";
import { relaySignals, shellExitCode } from "./relay-signals.mjs";

/** Runs a program on this terminal, signals included, and resolves to its exit code; 127 if it cannot start. */
export const forward = ([file, ...args], env, cwd) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { env, cwd, stdio: "inherit" });
    const stopRelay = relaySignals(child);
    child.on("error", (error) => {
      stopRelay();
      console.error(`plasm: cannot run ${file}: ${error.message}`);
      resolve(127);
    });
    child.on("close", (code, signal) => {
      stopRelay();
      resolve(shellExitCode(code, signal));
    });
  });
