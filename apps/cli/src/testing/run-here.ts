import type { Environment, ProcessContext } from "../cli-context.ts";
import type { ExitCode, StopSignal } from "../cli-error.ts";
import { run } from "../run.ts";
import type { Ended } from "./spawn-plasm.ts";

export interface Here {
  readonly cwd: string;
  readonly env?: Environment;
  /** what stdin holds; nothing by default */
  readonly input?: string | Uint8Array;
}

const line = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

const bytesOf = (input: string | Uint8Array): Uint8Array =>
  typeof input === "string" ? new TextEncoder().encode(input) : input;

/** A command under way in this process. */
export interface Running {
  readonly ended: Promise<Ended>;
  /** what it has said on stderr so far */
  remarks(): string;
  stop(signal: StopSignal): void;
}

/** Starts `plasm` in this process, as it is without a terminal. */
export function startHere(args: readonly string[], { cwd, env = {}, input = "" }: Here): Running {
  const said = { stdout: "", stderr: "" };
  const listeners = new Set<(signal: StopSignal) => void>();
  let leave: (code: ExitCode) => void = () => undefined;
  const left = new Promise<ExitCode>((resolve) => (leave = resolve));
  const context: ProcessContext = {
    env,
    cwd,
    out: (text) => void (said.stdout += line(text)),
    drained: () => Promise.resolve(true),
    remark: (text) => void (said.stderr += line(text)),
    screen: null,
    readStdin: () => Promise.resolve(bytesOf(input)),
    ask: () => Promise.resolve(null),
    attended: false,
    onStop: (heard) => {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    leave: (code) => leave(code),
  };
  return {
    ended: Promise.race([run(args, context), left]).then((code) => ({ ...said, code })),
    remarks: () => said.stderr,
    stop: (signal) => {
      for (const heard of listeners) heard(signal);
    },
  };
}

/** Runs `plasm` in this process to its end: for what needs no process of its own. */
export const runHere = (args: readonly string[], here: Here): Promise<Ended> =>
  startHere(args, here).ended;
