import { fileURLToPath } from "node:url";
import { preset } from "@plasm/vitest";

const postgres = fileURLToPath(import.meta.resolve("@plasm/testkit/postgres-setup"));

// No file keeps state in its modules, so test files may share what one of them has loaded.
export default preset({ globalSetup: [postgres], isolate: false });
