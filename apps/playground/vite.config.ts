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

/** Mark of modules of Node that no page has. */
const ABSENT = "\0absent:";

/**
 * What no page has of Node: functions that say so when they are called, which nothing on the page's ways does, and
 * constants as they are here.
 */
const absentModules: Plugin = {
  name: "absent-modules",
  enforce: "pre",
  resolveId: (id) => (id.startsWith("node:") ? `${ABSENT}${id}` : null),
  load: async (id) => {
    if (!id.startsWith(ABSENT)) return null;
    const name = id.slice(ABSENT.length);
    const exports = (await import(name)) as Readonly<Record<string, unknown>>;
    const lines = Object.entries(exports).map(([key, value]) => {
      if (key === "default") return "export default {};";
      const made =
        typeof value === "object"
          ? (JSON.stringify(value) ?? "null")
          : `/* @__PURE__ */ absent(${JSON.stringify(`${key} of ${name}`)})`;
      return /^[A-Za-z_$][\w$]*$/.test(key)
        ? `const $${key} = ${made};\nexport { $${key} as ${key} };`
        : "";
    });
    return [
      "const absent = (what) => function () { throw new Error(`a page has no ${what}`); };",
      ...lines,
    ].join("\n");
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
  plugins: [absentModules, timersOfPages, plainScript],
  resolve: {
    conditions: ["@plasm/source", "module", "browser", "production"],
    alias: [
      { find: "node:crypto", replacement: here("src/browser/node-crypto.ts") },
      { find: "node:buffer", replacement: here("src/browser/node-buffer.ts") },
      {
        find: "gpt-tokenizer/encoding/o200k_base",
        replacement: here("src/browser/token-estimate.ts"),
      },
      { find: "node:path", replacement: here("src/browser/node-path.ts") },
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
    chunkSizeWarningLimit: 3000,
    license: { fileName: "licences.md" },
  },
});
