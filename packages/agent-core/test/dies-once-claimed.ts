import { vi } from "vitest";
import type { MemoryStore } from "../src/memory-store/memory-store.ts";

/**
 * From when a process has claimed what is due of a schedule, nothing that it writes arrives: it is as dead. `revive` is for the next one on
 * the store.
 */
export function diesOnceClaimed(store: MemoryStore, scope: string, schedule: string) {
  const transaction = store.transaction.bind(store);
  let dead = false;
  const cut = vi.spyOn(store, "transaction").mockImplementation(async (work, until) => {
    if (dead) throw new Error("the process is dead");
    const done = await transaction(work, until);
    const [found] = await store.list("schedule", scope, schedule);
    dead = found?.value.current?.state === "starting";
    return done;
  });
  return { isDead: () => dead, revive: () => cut.mockRestore() };
}
