import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vitepress";
import { finishSite } from "../src/finish.ts";
import { headingAnchor, DOCS, repositoryOf } from "../src/links.ts";
import { readAsWritten } from "../src/markdown.ts";
import { searchBox } from "../src/search-box.ts";
import { sidebar } from "../src/sidebar.ts";

/** The console's, in the page itself. */
const icon = encodeURIComponent(
  readFileSync(new URL("../../console/src/icon.svg", import.meta.url), "utf8"),
);

const repository = repositoryOf(process.env);

/** The pages are outside of this package, and Vue is not found from there when they are rendered. */
const vueOfThisPackage: Plugin = {
  name: "vue-of-this-package",
  enforce: "pre",
  resolveId: (id, _importer, { ssr }) =>
    ssr === true && /^vue(?:\/|$)/.test(id) ? { id, external: true } : null,
};

export default defineConfig({
  title: "Plasm",
  description:
    "A typed layer between AI agents and APIs: programs that are checked, shown and run.",
  srcDir: DOCS,
  outDir: "dist",
  cacheDir: "node_modules/.cache/vitepress",
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${icon}` }]],
  // Pages that are linked are not loaded before somebody wants them: some have a megabyte.
  router: { prefetchLinks: false },
  rewrites: (path) => path.replace(/(^|\/)README\.md$/, "$1index.md"),
  buildEnd: ({ outDir }) => finishSite(outDir),
  markdown: {
    languageAlias: { plasm: "txt", ebnf: "txt" },
    anchor: { slugify: headingAnchor },
    config: (md) => readAsWritten(md, repository),
  },
  vite: {
    plugins: [vueOfThisPackage, searchBox],
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    nav: [
      { text: "Playground", link: "/playground/", target: "_self" },
      { text: "Specification", link: "/spec/" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            // Guides come first, then the specification; records of decisions and names of exports come last.
            boostDocument: (id: string) =>
              /^\/(?:adr|api)\//.test(id) ? 0.2 : id.startsWith("/spec/") ? 0.5 : 1,
          },
        },
      },
    },
  },
});
