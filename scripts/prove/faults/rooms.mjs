import { all, write } from "../plant.mjs";

const room = (fault, plant, names) => ({ gate: "deps", fault, plant, names });

/** Faults against the order of packages and folders. */
export const roomFaults = [
  room(
    "a package imports one above it",
    write(
      "packages/core/src/base/planted-above.ts",
      'export type { Transport } from "../../../runtime/src/ports.ts";\n',
    ),
    /package-order\/core: packages\/core\/src\/base\/planted-above\.ts → packages\/runtime/,
  ),
  room(
    "a library imports an app",
    write(
      "packages/runtime/src/decode/planted.ts",
      'import "../../../../apps/http/src/index.ts";\n',
    ),
    /package-order\/runtime: packages\/runtime\/src\/decode\/planted\.ts → apps\/http/,
  ),
  room(
    "a folder imports one below it",
    write(
      "packages/core/src/base/planted-below.ts",
      'import type { Entity } from "../model/model.ts";\n\nexport type Planted = Entity;\n',
    ),
    /folder-order\/core\/base: packages\/core\/src\/base\/planted-below\.ts → packages\/core\/src\/model/,
  ),
  room(
    "a cycle of type imports",
    all(
      write(
        "packages/core/src/base/planted-a.ts",
        'import type { B } from "./planted-b.ts";\n\nexport type A = B | 1;\n',
      ),
      write(
        "packages/core/src/base/planted-b.ts",
        'import type { A } from "./planted-a.ts";\n\nexport type B = A | 2;\n',
      ),
    ),
    /no-cycles: packages\/core\/src\/base\/planted-/,
  ),
  room(
    "a file imports its own index.ts",
    write("packages/store/src/sqlite/planted.ts", 'import "../index.ts";\n'),
    /own-index: packages\/store\/src\/sqlite\/planted\.ts/,
  ),
  room(
    "another package's inside",
    write("e2e/src/planted.ts", 'import "../../packages/core/src/base/span.ts";\n'),
    /only-through-index: e2e\/src\/planted\.ts → packages\/core\/src\/base\/span\.ts/,
  ),
  room(
    "a plugin imports what is for our own packages",
    write("plugins/gmail/src/planted.ts", 'import "../../../packages/core/src/internal.ts";\n'),
    /internal-entry: plugins\/gmail\/src\/planted\.ts → packages\/core\/src\/internal\.ts/,
  ),
  room(
    "the network outside transport/",
    write("packages/runtime/src/decode/planted-network.ts", 'import "node:http";\n'),
    /network-in-transport-only: packages\/runtime\/src\/decode\/planted-network\.ts/,
  ),
  room(
    "a folder without a place",
    write("packages/core/src/planted/planted.ts", "export const planted = 1;\n"),
    /folder-unordered: packages\/core\/src\/planted/,
  ),
];
