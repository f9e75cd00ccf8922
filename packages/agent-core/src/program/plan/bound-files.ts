import type { Plan } from "@plasm/core";
import { bindFiles, type FileFacts, filesOfPlan, type NamedFile } from "@plasm/core/internal";
import { DEFAULT_FILE_RULES, type FileRules } from "@plasm/runtime";
import { fileFacts, isSessionFile } from "@plasm/runtime/internal";
import { filesOfSession } from "../../artifacts/session-files.ts";
import { fail } from "../../errors/problem.ts";
import { named } from "../../errors/arguments.ts";
import type { Caller } from "../../identity/caller.ts";
import type { CommitRecord } from "../../records/commits.ts";
import type { ResolvedSession } from "../../session/locate.ts";
import type { Store } from "../../store-port.ts";

/** What a deployment says of files, and where those of sessions are. */
export interface FileDeps {
  readonly store: Store;
  readonly files?: FileRules;
}

type Content = NamedFile["content"];

async function heldContent(
  { store }: FileDeps,
  caller: Caller,
  at: ResolvedSession,
  name: string,
): Promise<Content> {
  const file = await filesOfSession(store, caller, at).open(name);
  if (file === null) throw fail("plasm-unknown-handle", `No file ${named(name)} in this session.`);
  return { sha256: file.sha256, size: file.size };
}

async function namedContent({ files = DEFAULT_FILE_RULES }: FileDeps, name: string) {
  const found = await fileFacts(files, name);
  if ("content" in found) return found.content;
  throw fail("plasm-bad-request", `${found.problem}\nfix: ${found.fix}`);
}

/**
 * A plan with the content of each file that it names: what is reviewed says what leaves, and a file that changes makes it
 * another plan (VAL-08). Throws plasm-bad-request for a file that no program may send, plasm-unknown-handle for one that
 * the session does not hold.
 */
export async function withBoundFiles(
  deps: FileDeps,
  caller: Caller,
  at: ResolvedSession,
  plan: Plan,
): Promise<Plan> {
  const files = filesOfPlan(plan);
  if (files.length === 0) return plan;
  const facts: [string, NonNullable<Content>][] = [];
  for (const { name } of files) {
    const content = isSessionFile(name)
      ? await heldContent(deps, caller, at, name)
      : await namedContent(deps, name);
    if (content !== null) facts.push([name, content]);
  }
  return bindFiles(plan, new Map(facts) satisfies FileFacts);
}

/** What the record of a plan keeps of its files: name → SHA-256, of those whose content was known. */
export function contentsOf(plan: Plan): Pick<CommitRecord, "files"> {
  const known = filesOfPlan(plan).flatMap(({ name, content }) =>
    content === null ? [] : [[name, content.sha256] as const],
  );
  return known.length === 0 ? {} : { files: Object.fromEntries(known) };
}

/** The files that hold something else than when a ref was planned, in words; none where it is for another reason. */
export function changedFiles({ files = {}, ref }: CommitRecord, plan: Plan): readonly string[] {
  return filesOfPlan(plan).flatMap(({ name, content }) => {
    const before = Object.hasOwn(files, name) ? files[name] : undefined;
    const isSame = before === undefined || content === null || content.sha256 === before;
    return isSame ? [] : [`${named(name)} has changed since ${ref} was planned`];
  });
}
