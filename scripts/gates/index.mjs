/**
 * The gates of `pnpm check`, as data. `what` is told when one fails. `afterBuild` marks gates that look
 * at dist/.
 */
const bin = (name) => `node_modules/.bin/${name}`;
const script = (name) => ["node", `scripts/gates/${name}.mjs`];

export const gates = Object.freeze([
  {
    name: "build",
    command: ["node", "scripts/build.mjs"],
    what: "mend what tsup reports; `pnpm build` runs it alone",
  },
  {
    name: "types",
    command: script("types"),
    what: "mend the type errors; `node scripts/gates/types.mjs packages/core` checks one package",
  },
  {
    name: "pure-core",
    command: [...script("types"), "packages/core/tsconfig.pure.json"],
    what: "core is text in, data out: no fetch, process, console, URL, timers or node built-ins; take them through a port",
  },
  {
    name: "lint",
    command: [bin("oxlint"), "--quiet"],
    what: "mend it, or `pnpm lint --fix` where oxlint can",
  },
  {
    name: "format",
    command: [bin("oxfmt"), "--check", "."],
    what: "run `pnpm format`",
  },
  {
    name: "deps",
    command: script("deps"),
    what: "move the code to the room where it may live: docs/adr/0001 and tooling/rooms/index.mjs",
  },
  {
    name: "sizes",
    command: script("sizes"),
    what: "split by idea: one file, one idea; one function, one step",
  },
  {
    name: "vendor-names",
    command: script("vendor-names"),
    what: "packages/ knows no vendor: use the quay, yard, orchard or depot fixtures",
  },
  {
    name: "ids",
    command: ["node", "scripts/ids.mjs", "--check"],
    what: 'cite an id that docs/spec defines, or define it there once: `<a id="RUN-050"></a>**RUN-050** …`',
  },
  {
    name: "regexes",
    command: script("regexes"),
    what: "write it so that no text can be matched in two ways, or read it by code: hostile texts take time in proportion to them",
  },
  {
    name: "dead-code",
    command: [bin("knip"), "--no-progress", "--no-config-hints"],
    what: "delete what nothing uses, or drop its `export`; add the dependency where it is used",
  },
  {
    name: "advisories",
    command: script("advisories"),
    what: "update what has the advisory; if nothing of it is reached here, list it in scripts/gates/advisories.json with the reason and a day",
  },
  {
    name: "api",
    command: script("api"),
    afterBuild: true,
    what: "if the change of the public surface is meant: `pnpm api`, and commit etc/ with a changeset",
  },
  {
    name: "docs-api",
    command: script("docs-api"),
    afterBuild: true,
    what: "say in a sentence what the export is; then `pnpm api`, and commit docs/api",
  },
  {
    name: "browser-size",
    command: [bin("size-limit")],
    afterBuild: true,
    what: "core grew for everyone who loads it in a page: take out what did it, or raise .size-limit.json and say why",
  },
  {
    name: "pack",
    command: script("pack"),
    afterBuild: true,
    what: "mend exports, files or types of the package named; `node scripts/gates/pack.mjs packages/core` checks one",
  },
  {
    name: "release",
    command: script("release"),
    afterBuild: true,
    what: "mend the changeset, or what is not published or not whole; nothing was sent anywhere",
  },
]);
