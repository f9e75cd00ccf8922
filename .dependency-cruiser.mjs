/**
 * Who may import whom: packages, folders within a package, and what each room may touch outside.
 * The order itself is data in tooling/rooms/index.mjs.
 */
import {
  folderOrder,
  packageImports,
  room,
  testImports,
  typeImports,
} from "./tooling/rooms/index.mjs";

const test = "[.]test[.]ts$|/(test|testing)/";
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
const anyOf = (names) => `(${names.map(escape).join("|")})`;

/** A package may import the packages of its list, and its tests may import the testkit, too. */
const packageRules = Object.entries(packageImports).flatMap(([name, allowed]) => {
  const others = Object.keys(packageImports).filter((other) => other !== name);
  const typed = typeImports[name] ?? [];
  const forbidden = others.filter((other) => !allowed.includes(other) && !typed.includes(other));
  const rule = (suffix, from, names) => ({
    name: `package-order/${name}${suffix}`,
    severity: "error",
    comment: `${name} may import only: ${allowed.join(", ") || "no other package"}`,
    from,
    to: { path: `^${anyOf(names.map(room))}/` },
  });
  const typesOnly = ({ to, ...rest }) => ({
    ...rest,
    comment: `${name} may import only types of: ${typed.join(", ")}`,
    to: { ...to, dependencyTypesNot: ["type-only"] },
  });
  const inTests = testImports[name] ?? [];
  return [
    rule("", { path: `^${room(name)}/`, pathNot: test }, forbidden),
    typesOnly(rule("-types", { path: `^${room(name)}/`, pathNot: test }, typed)),
    typesOnly(
      rule(
        "-types-tests",
        { path: `^${room(name)}/.*(${test})` },
        typed.filter((other) => !inTests.includes(other)),
      ),
    ),
    rule(
      "-tests",
      { path: `^${room(name)}/.*(${test})` },
      forbidden.filter((other) => !["testkit", ...inTests].includes(other)),
    ),
  ].filter(({ to }) => to.path !== "^()/");
});

/** A folder may import only folders above it in its package's list, and itself. */
const folderRules = Object.entries(folderOrder).flatMap(([name, folders]) =>
  folders.slice(0, -1).map((folder, index) => ({
    name: `folder-order/${name}/${folder}`,
    severity: "error",
    comment: `${folder} stands above ${folders.slice(index + 1).join(", ")} and may not import them`,
    from: { path: `^${room(name)}/src/${anyOf([folder])}[./]`, pathNot: test },
    to: { path: `^${room(name)}/src/${anyOf(folders.slice(index + 1))}[./]` },
  })),
);

const forbid = (name, comment, from, to) => ({ name, severity: "error", comment, from, to });

export default {
  forbidden: [
    ...packageRules,
    ...folderRules,
    forbid("no-cycles", "break the cycle; type imports count", {}, { circular: true }),
    forbid(
      "own-index",
      "import the file, not the package's own index.ts or internal.ts",
      { path: "^([^/]+/[^/]+)/src/.+" },
      { path: "^$1/src/(index|internal)[.]ts$" },
    ),
    forbid(
      "internal-entry",
      "catalogs and plugins are what strangers write: they import what is public, not @plasm/*/internal",
      { path: "^(catalogs|plugins)/" },
      { path: "^(packages|apps)/[^/]+/src/internal[.]ts$" },
    ),
    forbid(
      "only-through-index",
      "import another package by its name: its index.ts is public, its internal.ts is for this repository",
      { path: "^(?:packages/|apps/)?([^/]+)/" },
      {
        path: "^(packages|apps)/[^/]+/src/",
        pathNot: [
          "^(packages|apps)/$1/",
          "/src/(index|internal)[.]ts$",
          "^packages/testkit/src/(postgres|models|servers)/index[.]ts$",
          "^apps/sample-apis/src/(quay-document|in-page|github|shop)/index[.]ts$",
          "^apps/console/src/style[.]css$",
          // an entry of its own, for those who write a store
          "^packages/agent-core/src/testing/index[.]ts$",
          // what runs plans in tests of readers of transports
          "^packages/runtime/src/testing/(fixture-run|run-program)[.]ts$",
          // for the contracts of stores; they come with no package
          "^packages/agent-core/test/(boats-api|engine-on|test-store|some-of-everything|trace-writer)[.]ts$",
        ],
      },
    ),
    forbid(
      "core-is-pure",
      "core has no node built-ins",
      { path: "^packages/core/src/", pathNot: test },
      { dependencyTypes: ["core"] },
    ),
    forbid(
      "zod-in-load-only",
      "zod stays in load/",
      { path: "^packages/(core/src/(?!load/)|runtime|agent-core|store)" },
      { path: "node_modules/zod/" },
    ),
    forbid(
      "network-in-transport-only",
      "only runtime's transport/ and the testkit's faults/, models/ and servers/ touch the network",
      {
        path: "^packages/(?!runtime/src/transport/|testkit/src/(?:faults|models|servers)/)",
        pathNot: test,
      },
      { path: "^(node:)?(http|https|http2|net|tls|dgram|undici)$|node_modules/undici/" },
    ),
    forbid(
      "store-uses-port-types",
      "store imports agent-core's port types only",
      { path: "^packages/store/src/", pathNot: test },
      { path: "^packages/agent-core/", dependencyTypesNot: ["type-only"] },
    ),
    forbid("unresolvable", "this import leads nowhere", {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/|/vitest[.].*config[.]ts$|/tsup[.]config[.]ts$" },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@plasm/source", "import", "node", "default", "types"],
      extensions: [".ts", ".mjs", ".js", ".json"],
    },
  },
};
