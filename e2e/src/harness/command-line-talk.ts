import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { plasmCommand } from "./plasm-command.ts";
import { runProcess } from "./run-process.ts";
import type { Opening, Talk, TalkOptions, Told } from "./talk.ts";

/** Events of an operation that is followed: what was said on the way (OPS-18). */
const EVENTS = /^s\d+_o\d+ [+~=!x?](?: .*)?\n/gm;

/** What the process ends with (SURF-22), and where its answer then stands. */
async function tell(workspace: string, args: readonly string[]): Promise<Told> {
  const { code, stdout, stderr } = await runProcess(
    plasmCommand(args, { PLASM_WORKSPACE: workspace }),
  );
  switch (code) {
    case 0:
      return { outcome: "done", text: stdout.trimEnd() };
    case 3:
      return { outcome: "review", text: stderr.trimEnd() };
    case 1:
      return { outcome: "failed", text: stderr.replace(EVENTS, "").trimEnd() };
    default:
      throw new Error(`plasm ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  }
}

const given = ({ plan_commit_ref: ref, force }: TalkOptions): readonly string[] => [
  ...(ref === undefined ? [] : ["--commit", ref]),
  ...(force === true ? ["--force"] : []),
];

/** A session held by calls of `plasm`, in a workspace of its own (SURF-20). */
export async function commandLineTalk(url: string, opening: Opening): Promise<Talk> {
  const { intent, seeds, read_only: readOnly = false, notation } = opening;
  const flags = [
    ...(readOnly ? ["--read-only"] : []),
    ...(notation === "symbols" ? ["--symbols"] : []),
  ];
  const workspace = await mkdtemp(join(tmpdir(), "plasm-workspace-"));
  const done = async (args: readonly string[]): Promise<string> => {
    const { outcome, text } = await tell(workspace, args);
    if (outcome !== "done") throw new Error(`plasm ${args.join(" ")}: ${outcome}\n${text}`);
    return text;
  };
  await done(["init", "--server", url]);
  const names = seeds.map(({ api, entity }) => (api === undefined ? entity : `${api}:${entity}`));
  return {
    taught: await done(["context", "-i", intent, ...names, ...flags]),
    plan: (program, options = {}) =>
      tell(workspace, ["run", "--mode", "plan", "-e", program, ...given(options)]),
    run: (program, options = {}) =>
      tell(workspace, [
        "run",
        "--wait",
        ...(program === null ? [] : ["-e", program]),
        ...given(options),
      ]),
    close: () => rm(workspace, { recursive: true, force: true }),
  };
}
