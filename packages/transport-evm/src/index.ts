export { evmReaders } from "./evm-readers.ts";
