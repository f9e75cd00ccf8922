import { bundle } from "@plasm/bundle";

await bundle({ directory: import.meta.dirname, entry: "src/start.ts", name: "plasm" });
