import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/** The children that signals are passed on to. */
const children = new Set();

/** The last signal that came while there were children; null if none did. */
let received = null;

/** The code of a program whose work was ended by a signal to this process, or its parent's end, also if it left with 0; else its own. */
export const codeUnlessEnded = (code) =>
  code === 0 && received !== null ? shellExitCode(null, received) : code;

const pass = (signal) => {
  received = signal;
  if (signal === "SIGINT" && process.stdin.isTTY) return;
  for (const child of children) child.kill(signal);
};

/** Tells the children once the parent is lost, and gives what ends that. */
const watchParent = () => {
  const parent = process.ppid;
  const orphaned = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(orphaned);
    pass("SIGTERM");
  }, 250);
  orphaned.unref();
  return () => clearInterval(orphaned);
};

let leaveParent = () => undefined;

/**
 * Passes this process's signals on to a child and returns a function that stops doing so.
 *
 * On a terminal Ctrl-C reaches the whole process group by itself, so SIGINT is passed on only when there
 * is none: the child must not take one Ctrl-C for two. npm passes on SIGINT and SIGTERM (package.json
 * says `exec`, or a shell would swallow them) but simply dies of others, so losing the parent counts as
 * SIGTERM.
 */
export const relaySignals = (child) => {
  if (children.size === 0) {
    for (const signal of SIGNALS) process.on(signal, pass);
    leaveParent = watchParent();
  }
  children.add(child);
  return () => {
    if (!children.delete(child) || children.size > 0) return;
    for (const signal of SIGNALS) process.off(signal, pass);
    leaveParent();
  };
};

/** A child's exit code as a shell tells it: 128 + n after signal n. */
export const shellExitCode = (code, signal) => code ?? 128 + constants.signals[signal];

/** Whether an exit code means that the user or a supervisor ended the program: nothing went wrong. */
export const wasInterrupted = (code) =>
  SIGNALS.some((signal) => code === 128 + constants.signals[signal]);
