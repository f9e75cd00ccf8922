import { preset } from "@plasm/tsup";

export default preset({
  entry: {
    index: "src/index.ts",
    "ai-sdk": "src/adapters/ai-sdk.ts",
    anthropic: "src/adapters/anthropic.ts",
    openai: "src/adapters/openai.ts",
  },
});
