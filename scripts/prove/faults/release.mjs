import { createHash } from "node:crypto";
import { append, editJson, write } from "../plant.mjs";

const core = "packages/core/package.json";

/** Text of so many characters that no compression makes much shorter, the same each time. */
const noise = (length) => {
  const blocks = Array.from({ length: Math.ceil(length / 44) }, (_, n) =>
    createHash("sha256").update(String(n)).digest("base64"),
  );
  return blocks.join("").slice(0, length);
};

/** Faults that show only when the package is used: dead code, public surface, tarball. */
export const releaseFaults = [
  {
    gate: "dead-code",
    fault: "a file nothing imports",
    plant: write("packages/core/src/base/planted.ts", "export const planted = 1;\n"),
    names: /packages\/core\/src\/base\/planted\.ts/,
  },
  {
    gate: "dead-code",
    fault: "an export nothing uses",
    plant: append("packages/core/src/base/text.ts", "export const planted = 1;\n"),
    names: /planted\s+packages\/core\/src\/base\/text\.ts/,
  },
  {
    gate: "dead-code",
    fault: "a dependency nothing uses",
    plant: editJson(core, (manifest) => {
      manifest.dependencies.undici = "catalog:";
    }),
    names: /undici\s+packages\/core\/package\.json/,
  },
  {
    gate: "api",
    narrow: ["core"],
    fault: "a new public export",
    plant: append(
      "packages/core/src/index.ts",
      'export { utf8Prefix as planted } from "./base/text.ts";\n',
    ),
    before: ["node", "scripts/build.mjs", "--filter", "@plasm/core"],
    names: /etc\/core\.api\.md: the public surface changed[^]*planted/,
  },
  {
    gate: "docs-api",
    narrow: ["packages/core"],
    fault: "an export that says nothing of itself",
    plant: append("packages/core/dist/index.d.ts", "export declare const planted: 1;\n"),
    names:
      /@plasm\/core: planted is exported and not documented[^]*docs\/api\/core\.md is not fresh/,
  },
  {
    gate: "browser-size",
    fault: "a core that grew by 100 kB",
    plant: append("packages/core/dist/index.js", `\nexport const planted = "${noise(100_000)}";\n`),
    names: /size limit has exceeded/,
  },
  {
    gate: "pack",
    alone: true,
    narrow: ["packages/core"],
    fault: "an exports map that leads nowhere",
    plant: editJson(core, (manifest) => {
      manifest.exports["."].default = "./dist/planted.js";
    }),
    names: /packages\/core: [^]*dist\/planted\.js/,
  },
  {
    gate: "pack",
    alone: true,
    narrow: ["packages/core"],
    fault: "declarations of CommonJS for an ES module",
    plant: editJson(core, (manifest) => {
      manifest.exports["."].types = "./dist/index.d.cts";
      manifest.files.push("dist/index.d.cts");
    }),
    names: /packages\/core: [^]*index\.d\.cts/,
  },
  {
    gate: "pack",
    alone: true,
    narrow: ["packages/core"],
    fault: "source left out of the tarball",
    plant: editJson(core, (manifest) => {
      manifest.files = ["dist"];
    }),
    names: /packages\/core: exports or bin names src\/index\.ts/,
  },
  {
    gate: "release",
    alone: true,
    fault: "a changeset of a package that does not exist",
    plant: write(".changeset/planted.md", '---\n"@plasm/planted": minor\n---\n\nPlanted.\n'),
    names: /@plasm\/planted/,
  },
  {
    gate: "release",
    alone: true,
    fault: "a command that is not whole without other packages",
    plant: editJson("apps/cli/package.json", (manifest) => {
      manifest.dependencies = { "@plasm/planted": "1.0.0" };
    }),
    names: /@plasm%2fplanted/,
  },
];
