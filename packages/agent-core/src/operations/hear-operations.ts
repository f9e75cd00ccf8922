import { principalOf, type Caller } from "../identity/caller.ts";
import { isOpenedOn } from "../session/connections.ts";
import type { OperationNote } from "./news.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** Stops hearing; resolves when all that had happened before was told. */
export type StopHearing = () => Promise<void>;

/**
 * Calls `heard` with each event of the caller's operations that concerns its connection: of sessions that
 * were opened on it, and of the one that its call names, if any (OPS-23). In order, best effort.
 */
export function hearOperations(
  deps: Pick<OperationDeps, "news" | "store" | "warn">,
  caller: Caller,
  heard: (note: OperationNote) => void,
  session: string | null,
): StopHearing {
  const { connection, scope } = caller;
  const principal = principalOf(caller);
  const opened = new Set<string>();
  const isOpened = async (holder: string): Promise<boolean> => {
    if (connection === null) return false;
    if (!opened.has(holder) && (await isOpenedOn(deps.store, connection, holder))) {
      opened.add(holder);
    }
    return opened.has(holder);
  };
  let pending: Promise<void> | null = null;
  const hear = async (note: OperationNote, before: Promise<void> | null): Promise<void> => {
    const concerns = await isOpened(note.holder);
    await before;
    if (concerns) heard(note);
  };
  const unlisten = deps.news.listen((note) => {
    if (note.scope !== scope || note.principal !== principal) return;
    const named = session !== null && (note.ref === session || note.holder === session);
    // Nothing is looked up of what the call itself is about, so that it is told before its answer.
    if (pending === null && (named || opened.has(note.holder))) return heard(note);
    const told = named
      ? (pending ?? Promise.resolve()).then(() => heard(note))
      : hear(note, pending);
    const settled: Promise<void> = told
      .catch((cause: unknown) => deps.warn("An operation could not be told of", cause))
      .finally(() => {
        if (pending === settled) pending = null;
      });
    pending = settled;
  });
  return async () => {
    unlisten();
    await pending;
  };
}
