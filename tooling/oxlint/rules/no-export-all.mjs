/** A public surface is a hand-written list of names: `export * from` is refused, `export * as` too. */
export const noExportAll = {
  create: (context) => ({
    ExportAllDeclaration: (node) => {
      context.report({ node, message: "No `export *`: list the exported names." });
    },
  }),
};
