import { preset } from "@plasm/vitest";

/** Tests against third-party servers, one file after the other; `pnpm test:real` at the root runs them. */
export default preset({
  include: ["**/*.real.test.ts"],
  fileParallelism: false,
  testTimeout: 60_000,
  hookTimeout: 300_000,
});
