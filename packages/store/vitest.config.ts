import { fileURLToPath } from "node:url";
import { preset } from "@plasm/vitest";

const postgres = fileURLToPath(import.meta.resolve("@plasm/testkit/postgres-setup"));

export default preset({ globalSetup: [postgres] });
