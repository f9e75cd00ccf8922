import { preset } from "@plasm/tsup";

export default preset({ entry: ["src/index.ts", "src/main.ts"] });
