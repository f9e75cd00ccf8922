import type { TransportReader, TransportReaders } from "@plasm/runtime";
import { evmRead } from "./contract-values.ts";
import { readContract } from "./read-contract.ts";
import { logRanges } from "./read-logs.ts";

const calls: TransportReader = {
  open: (call) => {
    const { template } = call;
    if (template.transport !== "evm_call") throw new Error(`not a call: ${template.transport}`);
    const read = evmRead(call, template);
    return () => readContract(read);
  },
};

const logs: TransportReader = {
  open: (call) => {
    const { template } = call;
    if (template.transport !== "evm_logs") throw new Error(`not logs: ${template.transport}`);
    return logRanges(evmRead(call, template));
  },
};

/**
 * Readers of contracts and logs of EVM chains over JSON-RPC, for the port `readers` of an engine (MAP-053, MAP-054).
 * They load `ethers` when the first contract is read.
 */
export const evmReaders: TransportReaders = new Map([
  ["evm_call", calls],
  ["evm_logs", logs],
]);
