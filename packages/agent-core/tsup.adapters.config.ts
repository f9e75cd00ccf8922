import { preset } from "@plasm/tsup";

/** The adapters and the contracts of ports beside the package, in a build of their own: its declarations stay one file. */
export default preset({
  entry: {
    "ai-sdk": "src/adapters/ai-sdk.ts",
    anthropic: "src/adapters/anthropic.ts",
    openai: "src/adapters/openai.ts",
    "openai-responses": "src/adapters/openai-responses.ts",
    testing: "src/testing/index.ts",
  },
  clean: false,
});
