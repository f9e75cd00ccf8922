/** Build preset of every published package: ESM, one entry per exported path, declarations. */
export const preset = (overrides = {}) => ({
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node22",
  platform: "node",
  dts: { compilerOptions: { customConditions: [] } },
  sourcemap: true,
  clean: true,
  treeshake: true,
  // node:sqlite has no name without the prefix.
  removeNodeProtocol: false,
  ...overrides,
});
