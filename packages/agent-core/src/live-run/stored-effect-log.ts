import type { EffectEntry, EffectLog } from "@plasm/runtime";
import type { Store } from "../ports.ts";

/** A run as the store knows it. */
export interface RunPlace {
  readonly scope: string;
  /** `owner/ref` of the consumed commit */
  readonly id: string;
}

const entryId = (place: RunPlace, seq: number): string =>
  `${place.id}/${String(seq).padStart(6, "0")}`;

/** Writes a run's effects to the store: each write is durable when its promise resolves (OPS-28). */
export function storedEffectLog(store: Store, place: RunPlace): EffectLog {
  return {
    started: async (entry) => {
      const written = await store.insert("effect", place.scope, entryId(place, entry.seq), entry);
      if (!written) throw new Error(`Effect ${entry.seq} of this run has been started before`);
    },
    ended: async (entry) => {
      const id = entryId(place, entry.seq);
      const found = await store.get("effect", place.scope, id);
      if (found === null) throw new Error(`Effect ${entry.seq} of this run was never started`);
      await store.cas("effect", place.scope, id, found.version, entry);
    },
  };
}

/** The entries of a run in order; one without outcome is in doubt (PLAN-073). */
export async function readEffects(store: Store, place: RunPlace): Promise<readonly EffectEntry[]> {
  const records = await store.list("effect", place.scope, `${place.id}/`);
  return records
    .map(({ value }): EffectEntry =>
      value.status === "started" ? { ...value, status: "in_doubt" } : value,
    )
    .toSorted((a, b) => a.seq - b.seq);
}
