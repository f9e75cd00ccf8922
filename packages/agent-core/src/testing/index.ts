export { queueContract, type QueuesUnderTest } from "./queue-contract.ts";
export { storeContract, type StoreUnderTest } from "./store-contract.ts";
