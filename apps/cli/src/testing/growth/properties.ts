import { boundedProperty } from "@plasm/testkit";
import { arbitraryCommandLine } from "./command-lines.ts";

export const boundedCommands = boundedProperty({
  key: "growth-command-line",
  says: "no argument, file, input or answer of a command takes more than 1 s of CPU or 64 MB, or ends in a defect (SURF-22)",
  runs: 100,
  inputs: arbitraryCommandLine,
  thread: new URL("thread.ts", import.meta.url),
});

export const properties = [boundedCommands];
