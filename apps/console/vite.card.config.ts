import { viteSingleFile } from "vite-plugin-singlefile";
import { defineConfig } from "vite";

/** One file with all that is in it: an MCP client shows it where no other can be fetched. */
export default defineConfig({
  plugins: [viteSingleFile()],
  build: {
    target: "es2023",
    emptyOutDir: false,
    rolldownOptions: { input: "card.html" },
    license: { fileName: "card-licences.md" },
  },
});
