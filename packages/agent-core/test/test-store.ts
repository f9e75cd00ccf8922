import { memoryStore, type MemoryStore } from "../src/memory-store/memory-store.ts";

const MONDAY = Date.UTC(2026, 0, 5, 10);

/** Opens an empty store in memory whose clock stands still until a test moves it. */
export const testStore = (): MemoryStore => memoryStore({ at: MONDAY });
