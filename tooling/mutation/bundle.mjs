/**
 * One file of all the tests that judge a folder's mutants, made in the copy of core that holds the mutants:
 * `node bundle.mjs language OUT`. Mocha loads it once.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

import { testFiles } from "./folders.mjs";

const [folder, outfile] = process.argv.slice(2);

/** Fixtures are found beside the sources, whatever copy is bundled and wherever the bundle lies. */
const whereItWas = {
  name: "import.meta.url of each file",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const original = path.replace(/\.stryker-tmp[\\/]sandbox-\w+[\\/]/, "");
      const url = JSON.stringify(pathToFileURL(original).href);
      return {
        contents: readFileSync(path, "utf8").replaceAll("import.meta.url", url),
        loader: "ts",
      };
    });
  },
};

await build({
  stdin: {
    contents: testFiles(folder)
      .map((file) => `import "./${file}";`)
      .join("\n"),
    resolveDir: process.cwd(),
  },
  inject: [new URL("fewer-runs.mjs", import.meta.url).pathname],
  bundle: true,
  // Tests are all side effects, whatever the package says of its sources.
  ignoreAnnotations: true,
  platform: "node",
  format: "esm",
  target: "node22",
  conditions: ["@plasm/source"],
  alias: { vitest: new URL("vitest-on-mocha.mjs", import.meta.url).pathname },
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  plugins: [whereItWas],
  outfile,
  logLevel: "error",
});
