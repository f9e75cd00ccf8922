import type { ListedTypes, StoreOps } from "../ports.ts";
import { hasEnded } from "../operations/change-operation.ts";
import type { SweepTimes } from "./retention.ts";

/** What is under way, whatever the clock says: the sessions of unfinished operations (SESS-11). */
export interface UnderWay {
  /** ids of execute sessions */
  readonly sessions: ReadonlySet<string>;
  /** whose operations they are: logical sessions, else execute sessions */
  readonly holders: ReadonlySet<string>;
}

/** A portion of a sweep as its rules see it: one transaction. */
export interface Look {
  readonly tx: StoreOps;
  readonly now: number;
  readonly times: SweepTimes;
  /** read once, by the first rule that asks */
  readonly underWay: () => Promise<UnderWay>;
}

/** The list of unfinished operations of all scopes stands in this scope. */
const EVERYWHERE = "";

/** As many operations as may be unfinished at a time (OPS-14). */
async function readUnderWay(tx: StoreOps): Promise<UnderWay> {
  const records: ListedTypes["operation"][] = [];
  for (const { value } of await tx.list("unfinished", EVERYWHERE, "")) {
    const found = await tx.peek("operation", value.scope, value.id);
    if (found !== null && !hasEnded(found.value.state)) records.push(found.value);
  }
  return {
    sessions: new Set(records.map(({ session }) => session.sessionId)),
    holders: new Set(records.map(({ holder }) => holder)),
  };
}

/** Reads what is under way when it is asked for, and not again. */
export function underWayIn(tx: StoreOps): () => Promise<UnderWay> {
  let read: Promise<UnderWay> | null = null;
  return () => (read ??= readUnderWay(tx));
}
