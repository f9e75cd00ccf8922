import { preset } from "@plasm/vitest";

// *.real.test.ts start third-party servers that are not npm packages: see vitest.real.config.ts.
export default preset({
  // Every file starts servers of its own, and a busy machine takes its time for that.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  exclude: ["**/node_modules/**", "**/dist/**", "**/*.real.test.ts"],
});
