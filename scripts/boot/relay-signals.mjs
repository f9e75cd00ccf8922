import { constants } from "node:os";

// Each child has listeners of its own: many at a time are no leak.
process.setMaxListeners(0);

/**
 * Passes this process's signals on to a child and returns a function that stops doing so.
 *
 * On a terminal Ctrl-C reaches the whole process group by itself, so SIGINT is passed on only when there
 * is none: the child must not take one Ctrl-C for two. npm passes on SIGINT and SIGTERM (package.json
 * says `exec`, or a shell would swallow them) but simply dies of others, so losing the parent counts as
 * SIGTERM.
 */
export const relaySignals = (child) => {
  const pass = (signal) => {
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, pass);

  const parent = process.ppid;
  const orphaned = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(orphaned);
    child.kill("SIGTERM");
  }, 250);
  orphaned.unref();

  return () => {
    clearInterval(orphaned);
    for (const signal of signals) process.off(signal, pass);
  };
};

/** A child's exit code as a shell tells it: 128 + n after signal n. */
export const shellExitCode = (code, signal) => code ?? 128 + constants.signals[signal];

/** Whether an exit code means that the user or a supervisor ended the program: nothing went wrong. */
export const wasInterrupted = (code) =>
  ["SIGINT", "SIGTERM", "SIGHUP"].some((signal) => code === 128 + constants.signals[signal]);
