/** Makes `plasm` one file: `dist/plasm.mjs`, or in the directory given. */
import { bundle } from "@plasm/bundle";

const [dist = `${import.meta.dirname}/dist`] = process.argv.slice(2);

await bundle({ directory: import.meta.dirname, entry: "src/start.ts", name: "plasm", dist });
