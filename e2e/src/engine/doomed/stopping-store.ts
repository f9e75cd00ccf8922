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
  if (kind === "operation" && typeof member(value, "endedAt") === "number") {
    return { before: { at: "end to be kept" }, after: { at: "end kept" } };
  }
  return null;
}

/** Does a write between the points around it; `done` is told of the one behind it. */
async function within<T>(
  around: Around | null,
  before: Reached,
  done: Reached,
  work: () => Promise<T>,
): Promise<T> {
  if (around === null) return work();
  await before(around.before);
  const result = await work();
  if (around.after !== null) await done(around.after);
  return result;
}

const stopping = (
  ops: StoreOps,
  before: Reached,
  done: Reached,
): Pick<StoreOps, "insert" | "cas"> => ({
  insert: (kind, scope, id, value) =>
    within(inserting(kind, value), before, done, () => ops.insert(kind, scope, id, value)),
  cas: (kind, scope, id, version, next) =>
    within(replacing(kind, next), before, done, () => ops.cas(kind, scope, id, version, next)),
});

/**
 * The same store, but for what `reached` does before and after the writes of a run with effects. What a
 * transaction writes is written when it has ended.
 */
export const stoppingStore = (store: Store, reached: Reached): Store => ({
  ...store,
  ...stopping(store, reached, reached),
  async transaction(work) {
    let written: readonly StopPoint[] = [];
    const note = async (point: StopPoint): Promise<void> => {
      written = [...written, point];
    };
    const result = await store.transaction((tx) => {
      written = [];
      return work({ ...tx, ...stopping(tx, reached, note) });
    });
    for (const point of written) await reached(point);
    return result;
  },
});
