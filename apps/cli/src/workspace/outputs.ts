import { join } from "node:path";
import { visibleLines } from "@plasm/core/internal";
import type { CliContext } from "../cli-context.ts";
import { type AtomicFile, openAtomically, writeFileOf } from "./json-file.ts";

/** Where an answer goes piece by piece: to stdout, and into `outputs/` as the last of its kind. */
export interface OutputWriter {
  /** Shows a piece; false once nobody reads what is shown. */
  write(text: string): Promise<boolean>;
  /** Keeps what was shown, if it can be kept. */
  end(): Promise<void>;
  /** Drops what is not kept by then. */
  close(): Promise<void>;
}

/** Opens the output of a name. That it cannot be kept is a remark only, as in {@link giveOutput}. */
export function openOutput(cli: CliContext, workspace: string, name: string): OutputWriter {
  let file: AtomicFile | null = null;
  let isKept = true;
  const kept = async (work: () => Promise<void>): Promise<void> => {
    if (!isKept) return;
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      isKept = false;
      cli.remark(`plasm: outputs/${name} cannot be kept: ${thrown.message}`);
    }
  };
  return {
    write: async (text) => {
      if (text === "") return true;
      cli.out(text);
      await kept(async () => {
        file ??= await openAtomically(join(workspace, "outputs", name));
        await file.write(visibleLines(text));
      });
      return cli.drained();
    },
    end: () => kept(async () => file?.commit()),
    close: () => kept(async () => file?.discard()),
  };
}

/**
 * Shows an answer, and keeps it as the last of its kind under `outputs/` (SURF-22). That it cannot
 * be kept is a remark only: what was done is done.
 */
export async function giveOutput(
  cli: CliContext,
  workspace: string,
  name: string,
  text: string,
): Promise<void> {
  cli.out(text);
  try {
    await writeFileOf(join(workspace, "outputs", name), visibleLines(text));
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    cli.remark(`plasm: ${thrown.message}`);
  }
}
