import { preset } from "@plasm/vitest";

// *.real.test.ts start third-party servers that are not npm packages: see vitest.real.config.ts.
export default preset({
  exclude: ["**/node_modules/**", "**/dist/**", "**/*.real.test.ts"],
});
