import { someOfEverything } from "../../../agent-core/src/testing/some-of-everything.ts";
import { memoryStore } from "../../../agent-core/src/testing/memory-store.ts";
import { approvalsContract } from "./approvals-contract.ts";
import { boundContract } from "./bound-contract.ts";
import { storeContract, type StoreUnderTest } from "./store-contract.ts";
import { sweepContract } from "./sweep-contract.ts";

async function open(): Promise<StoreUnderTest> {
  const store = memoryStore();
  return {
    store,
    held: async () => store.held(),
    setNow: (ms) => store.advance(ms - store.now()),
    reopen: async () => store,
    dispose: () => store.close(),
  };
}

storeContract("memory", open);
sweepContract("memory", open, someOfEverything);
boundContract("memory", open);
approvalsContract("memory", open);
