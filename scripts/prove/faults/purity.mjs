import { write } from "../plant.mjs";

const planted = "packages/core/src/text/planted.ts";

const impure = (fault, text, names) => ({
  gate: "pure-core",
  fault,
  plant: write(planted, text),
  names,
});

const ambient = (fault, expression) => ({
  gate: "lint",
  narrow: ["packages/core/src/text"],
  fault,
  plant: write(planted, `export const planted = (): unknown => ${expression};\n`),
  names: /plasm\(no-ambient-clock\)[^]*planted\.ts/,
});

/** Faults against "core is text in, data out". */
export const purityFaults = [
  impure(
    "fetch in core",
    'export const planted = (): unknown => fetch("http://127.0.0.1");\n',
    /planted\.ts.*'fetch'/,
  ),
  impure(
    "process in core",
    "export const planted = (): unknown => process.env;\n",
    /planted\.ts.*'process'/,
  ),
  impure(
    "console in core",
    "export const planted = (): void => console.log(1);\n",
    /planted\.ts.*'console'/,
  ),
  impure("URL in core", 'export const planted = new URL("http://a");\n', /planted\.ts.*'URL'/),
  impure(
    "a timer in core",
    "export const planted = setTimeout(() => {}, 1);\n",
    /planted\.ts.*'setTimeout'/,
  ),
  impure(
    "a node built-in in core",
    'import { readFileSync } from "node:fs";\n\nexport const planted = readFileSync;\n',
    /planted\.ts.*'node:fs'/,
  ),
  ambient("Date.now in core", "Date.now()"),
  ambient("new Date() in core", "new Date()"),
  ambient("Math.random in core", "Math.random()"),
];
