import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const testkit = dirname(fileURLToPath(import.meta.resolve("@plasm/testkit/package.json")));

/** The catalogs of the sample APIs, as text. */
const sampleCatalogs = ["quay", "yard"].map((entryId) => {
  const textOf = (file: string): string =>
    readFileSync(join(testkit, "catalogs", entryId, file), "utf8");
  return { entryId, domain: textOf("domain.yaml"), mappings: textOf("mappings.yaml") };
});

/** One script that is no module: browsers load no modules from files (`file:`). */
const plainScript: Plugin = {
  name: "plain-script",
  transformIndexHtml: {
    order: "post",
    handler: (html) =>
      html.replace('type="module" crossorigin', "defer").replaceAll(" crossorigin", ""),
  },
};

/** Timers of a page are numbers. What is left out lets a process of Node end before they do. */
const timersOfPages: Plugin = {
  name: "timers-of-pages",
  enforce: "pre",
  transform: {
    filter: { id: /\/packages\/(runtime|agent-core)\/src\//, code: ".unref()" },
    handler: (code) => code.replaceAll(".unref()", ""),
  },
};

/** Static files that any server has, at any path (SURF-57). */
export default defineConfig({
  base: "./",
  define: { SAMPLE_CATALOGS: JSON.stringify(sampleCatalogs) },
  plugins: [timersOfPages, plainScript],
  resolve: {
    conditions: ["@plasm/source", "module", "browser", "production"],
    alias: [
      { find: "node:crypto", replacement: here("src/browser/node-crypto.ts") },
      { find: "node:buffer", replacement: here("src/browser/node-buffer.ts") },
      {
        find: "gpt-tokenizer/encoding/o200k_base",
        replacement: here("src/browser/token-estimate.ts"),
      },
      { find: "node:timers/promises", replacement: here("src/browser/node-timers.ts") },
    ],
  },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: {
      output: { format: "iife", codeSplitting: false },
      checks: { emptyImportMeta: false },
      // What opens sockets is imported by what the page does not use.
      treeshake: { moduleSideEffects: [{ test: /node_modules\/undici\//, sideEffects: false }] },
    },
    license: { fileName: "licences.md" },
  },
});
