import { dirname } from "node:path";

/** A plug-in of esbuild that takes these texts for modules whose path ends so. */
export const withInstead = (instead) => ({
  name: "instead",
  setup({ onLoad }) {
    for (const [end, contents] of Object.entries(instead)) {
      const escaped = end.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
      const filter = new RegExp(`[\\\\/]${escaped.replaceAll("/", String.raw`[\\/]`)}$`);
      onLoad({ filter }, ({ path }) => ({ contents, resolveDir: dirname(path) }));
    }
  },
});
