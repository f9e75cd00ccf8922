import { someOfEverything } from "../../agent-core/test/some-of-everything.ts";
import { testStore } from "../../agent-core/test/test-store.ts";
import { approvalsContract } from "./approvals-contract.ts";
import { quotasContract } from "./quotas-contract.ts";
import { schedulesContract } from "./schedules-contract.ts";
import { auditContract } from "./audit-contract.ts";
import { boundContract } from "./bound-contract.ts";
import { storeContract, type StoreUnderTest } from "@plasm/agent-core/testing";
import { sweepContract } from "./sweep-contract.ts";

async function open(): Promise<StoreUnderTest> {
  const store = testStore();
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
quotasContract("memory", open);
schedulesContract("memory", open);
auditContract("memory", open);
