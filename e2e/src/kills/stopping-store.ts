import type { RecordKind, Store, StoreOps } from "@plasm/agent-core";
import type { StopPoint } from "./protocol.ts";

type Place = StopPoint["at"];

/** Told of each point that is reached; what it returns is awaited there. */
type Reached = (at: Place, effect: number | null) => Promise<void>;

interface Around {
  readonly before: Place | null;
  readonly after: Place | null;
  /** place among the run's effects */
  readonly effect: number | null;
}

/** A member of a record, whatever kind of record it is. */
const member = (record: object, name: string): unknown => Reflect.get(record, name);

const effectOf = (value: object): number => Number(member(value, "seq"));

function inserting(kind: RecordKind, value: object): Around | null {
  switch (kind) {
    case "effect":
      return { before: "effect to be written", after: "effect written", effect: effectOf(value) };
    case "output":
      return { before: null, after: "output kept", effect: null };
    case "operation":
      return member(value, "detached") === true
        ? { before: null, after: "accepted", effect: null }
        : null;
    default:
      return null;
  }
}

function replacingOperation(value: object): Around | null {
  if (typeof member(value, "endedAt") === "number") {
    return { before: "end to be kept", after: "end kept", effect: null };
  }
  const first = member(value, "state") === "running" && member(value, "event") === 1;
  return first ? { before: null, after: "claimed", effect: null } : null;
}

function replacing(kind: RecordKind, value: object): Around | null {
  switch (kind) {
    case "effect": {
      const effect = effectOf(value);
      return { before: "outcome to be written", after: "outcome written", effect };
    }
    case "commit":
      return member(value, "state") === "consumed"
        ? { before: "ref to be consumed", after: null, effect: null }
        : null;
    case "operation":
      return replacingOperation(value);
    default:
      return null;
  }
}

/** Does a write between the points around it; `done` is told of the one behind it. */
async function within<T>(
  around: Around | null,
  before: Reached,
  done: Reached,
  work: () => Promise<T>,
): Promise<T> {
  if (around === null) return work();
  if (around.before !== null) await before(around.before, around.effect);
  const result = await work();
  if (around.after !== null) await done(around.after, around.effect);
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
 * The same store, but for what `reached` does before and after the writes of an operation. What a
 * transaction writes is written when it has ended.
 */
export const stoppingStore = (store: Store, reached: Reached): Store => ({
  ...store,
  ...stopping(store, reached, reached),
  async transaction(work) {
    let written: readonly (readonly [Place, number | null])[] = [];
    const note: Reached = async (at, effect) => {
      written = [...written, [at, effect]];
    };
    const result = await store.transaction((tx) => {
      written = [];
      return work({ ...tx, ...stopping(tx, reached, note) });
    });
    for (const [at, effect] of written) await reached(at, effect);
    return result;
  },
});
