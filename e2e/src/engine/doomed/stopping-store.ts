import type { RecordKind, Store, StoreOps } from "@plasm/agent-core";
import type { StopPoint } from "./protocol.ts";

/** Told of each point that is reached; what it returns is awaited there. */
type Reached = (point: StopPoint) => Promise<void>;

interface Around {
  readonly before: StopPoint;
  readonly after: StopPoint | null;
}

/** A member of a record, whatever kind of record it is. */
const member = (record: object, name: string): unknown => Reflect.get(record, name);

function inserting(kind: RecordKind, value: object): Around | null {
  if (kind !== "effect") return null;
  const effect = Number(member(value, "seq"));
  return {
    before: { at: "effect to be written", effect },
    after: { at: "effect written", effect },
  };
}

function replacing(kind: RecordKind, value: object): Around | null {
  if (kind === "effect") {
    const effect = Number(member(value, "seq"));
    return {
      before: { at: "outcome to be written", effect },
      after: { at: "outcome written", effect },
    };
  }
  if (kind === "commit" && member(value, "state") === "consumed") {
    return { before: { at: "ref to be consumed" }, after: null };
  }
  if (kind === "run" && member(value, "state") === "ended") {
    return { before: { at: "end to be kept" }, after: { at: "end kept" } };
  }
  return null;
}

async function within<T>(
  around: Around | null,
  reached: Reached,
  work: () => Promise<T>,
): Promise<T> {
  if (around === null) return work();
  await reached(around.before);
  const done = await work();
  if (around.after !== null) await reached(around.after);
  return done;
}

const stopping = (ops: StoreOps, reached: Reached): Pick<StoreOps, "insert" | "cas"> => ({
  insert: (kind, scope, id, value) =>
    within(inserting(kind, value), reached, () => ops.insert(kind, scope, id, value)),
  cas: (kind, scope, id, version, next) =>
    within(replacing(kind, next), reached, () => ops.cas(kind, scope, id, version, next)),
});

/** The same store, but for what `reached` does before and after the writes of a run with effects. */
export const stoppingStore = (store: Store, reached: Reached): Store => ({
  ...store,
  ...stopping(store, reached),
  transaction: (work) => store.transaction((tx) => work({ ...tx, ...stopping(tx, reached) })),
});
