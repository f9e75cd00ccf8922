import { build } from "esbuild";

/** Where the modules stand that take a part from the loader. */
const TAKEN = "part";

/** What gives a program all that a part exports; a module of CommonJS is itself what it exports. */
const takes = (name, format) => {
  const from = JSON.stringify(name);
  return format === "cjs"
    ? `module.exports = require(${from});`
    : `export * from ${from}; export { default } from ${from};`;
};

/** Whether a file is a module of CommonJS, as data is, or not. */
const formatOf = async (file) => {
  if (file.endsWith(".json")) return "cjs";
  const { metafile } = await build({ entryPoints: [file], write: false, metafile: true });
  return Object.values(metafile.inputs)[0].format;
};

/**
 * A plug-in of esbuild that leaves out the packages of these names: the program asks the loader for each,
 * by its name, when it gets there. `partAt(name, file)` is told where each lies that is asked for.
 */
export const withoutParts = (names, partAt) => ({
  name: "parts",
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, namespace, pluginData, ...asker }) => {
      if (!names.includes(path) || pluginData?.itself === true) return undefined;
      if (namespace === TAKEN) return { path, external: true };
      const { importer, resolveDir } = asker;
      // Whoever asks, it is one: a package may have another file for those who require it.
      const kind = "import-statement";
      const itself = { importer, resolveDir, kind, pluginData: { itself: true } };
      const { path: file, errors } = await resolve(path, itself);
      if (errors.length > 0) return { errors };
      partAt(path, file);
      return { path, namespace: TAKEN, pluginData: { file } };
    });
    onLoad({ filter: /.*/, namespace: TAKEN }, async ({ path, pluginData: { file } }) => ({
      contents: takes(path, await formatOf(file)),
    }));
  },
});
