import { preset } from "@plasm/tsup";

/** One build for both entries, so that they share one copy of each type and each module. */
export default preset({ entry: ["src/index.ts", "src/internal.ts"] });
