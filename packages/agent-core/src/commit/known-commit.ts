import type { Caller } from "../identity/caller.ts";
import type { Store } from "../ports.ts";
import type { CommitRecord } from "../records/commit-record.ts";
import type { Located } from "../session/locate.ts";
import { commitId } from "./mint.ts";

/** The record that a ref names for this principal and logical session, of whatever execute session; else null. */
export async function knownCommit(
  store: Store,
  { scope }: Caller,
  { owner, principal }: Located,
  ref: string,
): Promise<CommitRecord | null> {
  const found = await store.get("commit", scope, commitId(owner, ref));
  return found?.value.principal === principal ? found.value : null;
}

/** Whether a ref was minted in the execute session of now (OPS-3). */
export const isOfSession = ({ session }: CommitRecord, { view }: Located): boolean =>
  session.sessionId === view.session.sessionId;

/**
 * The record that a ref sent with a plan stands for; anything else is unknown (PLAN-030). One that has run
 * is known beyond the life of its execute session, too, as long as the logical session goes on (OPS-3); so
 * is one whose program has become another plan meanwhile, since its catalog changed (PLAN-032).
 */
export function judgedCommit(
  record: CommitRecord | null,
  at: Located,
  commit: string,
): CommitRecord | null {
  if (record === null || isOfSession(record, at)) return record;
  const changed = record.state === "live" && record.commit !== commit;
  return changed || record.state === "consumed" ? record : null;
}
