import { preset } from "@plasm/vitest";

// tinybench runs each side at least 64 times, which a busy machine takes its time for.
export default preset({ testTimeout: 30_000, hookTimeout: 30_000 });
