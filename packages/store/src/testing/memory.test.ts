import { memoryStore } from "../../../agent-core/src/testing/memory-store.ts";
import { storeContract } from "./store-contract.ts";

storeContract("memory", async () => {
  const store = memoryStore();
  return {
    store,
    setNow: (ms) => store.advance(ms - store.now()),
    reopen: async () => store,
    dispose: () => store.close(),
  };
});
