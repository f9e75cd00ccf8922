import type { OperationPlace } from "../ports.ts";
import { noteCancelled, wasCancelled } from "../session/connections.ts";
import type { OperationDeps } from "./operation-deps.ts";

/** A call of a connection, by a name that its surface gives it; names are not used again. */
export interface CallName {
  readonly connection: string;
  readonly call: string;
}

/** A call that any process can cancel until it has ended. */
export interface CancellableCall {
  readonly signal: AbortSignal;
  end(): void;
}

/** How far the clocks of processes on one store may differ, in ms. */
const CLOCKS_DIFFER_MS = 5_000;

/** No operation has such a place: queues carry news of calls as they carry those of operations. */
const placeOf = ({ connection, call }: CallName): OperationPlace => ({
  scope: "calls",
  id: JSON.stringify([connection, call]),
});

/**
 * Makes a call cancellable by `cancelCall` in whichever process the cancel arrives (OPS-11). What is true
 * stands in the store; the queue only says when to look.
 */
export function beginCall(
  deps: Pick<OperationDeps, "store" | "queue" | "warn">,
  name: CallName,
): CancellableCall {
  const { store, queue, warn } = deps;
  const { connection, call } = name;
  const since = store.now() - CLOCKS_DIFFER_MS;
  const controller = new AbortController();
  const look = async (): Promise<void> => {
    if (await wasCancelled(store, connection, call, since)) controller.abort();
  };
  const end = queue.listen(placeOf(name), () => {
    look().catch((cause: unknown) => warn("A cancelled call could not be looked for", cause));
  });
  return { signal: controller.signal, end };
}

/** Cancels a call wherever it runs; one that has ended, or never was, is none. */
export async function cancelCall(
  { store, queue }: Pick<OperationDeps, "store" | "queue">,
  name: CallName,
): Promise<void> {
  await noteCancelled(store, name.connection, name.call);
  queue.announce(placeOf(name));
}
