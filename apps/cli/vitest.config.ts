import { join } from "node:path";
import { preset } from "@plasm/vitest";

// Most tests start `plasm` from its sources, some of them a dozen times: Node keeps what it compiled.
export default preset({
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compiled-sources") },
});
