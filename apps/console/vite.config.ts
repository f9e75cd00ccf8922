import { defineConfig } from "vite";

/** Static files without a server of their own: `plasm serve` has them at /console. */
export default defineConfig({
  base: "/console/",
  resolve: { conditions: ["@plasm/source", "module", "browser", "production"] },
  build: {
    target: "es2023",
    // Nothing inline: the page's policy lets nothing else run than files of this server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    // Their texts go with what is shipped of them.
    license: { fileName: "licences.md" },
  },
});
