import { preset } from "@plasm/vitest";

export default preset({ testTimeout: 30_000, hookTimeout: 30_000 });
