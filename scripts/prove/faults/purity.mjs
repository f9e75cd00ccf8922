import { write } from "../plant.mjs";

const file = (fault) =>
  `packages/core/src/base/planted-${fault.toLowerCase().replaceAll(/[^a-z]+/g, "-")}.ts`;

const impure = (fault, text, names) => ({
  gate: "pure-core",
  fault,
  plant: write(file(fault), text),
  names,
});

const ambient = (fault, expression) => ({
  gate: "lint",
  narrow: ["packages/core/src/base"],
  fault,
  plant: write(file(fault), `export const planted = (): unknown => ${expression};\n`),
  names: new RegExp(`plasm\\(no-ambient-clock\\)[^]*${file(fault).split("/").at(-1)}`),
});

/** Faults against "core is text in, data out". */
export const purityFaults = [
  impure(
    "fetch in core",
    'export const planted = (): unknown => fetch("http://127.0.0.1");\n',
    /planted-fetch-in-core\.ts.*'fetch'/,
  ),
  impure(
    "process in core",
    "export const planted = (): unknown => process.env;\n",
    /planted-process-in-core\.ts.*'process'/,
  ),
  impure(
    "console in core",
    "export const planted = (): void => console.log(1);\n",
    /planted-console-in-core\.ts.*'console'/,
  ),
  impure(
    "URL in core",
    'export const planted = new URL("http://a");\n',
    /planted-url-in-core\.ts.*'URL'/,
  ),
  impure(
    "a timer in core",
    "export const planted = setTimeout(() => {}, 1);\n",
    /planted-a-timer-in-core\.ts.*'setTimeout'/,
  ),
  impure(
    "a node built-in in core",
    'import { readFileSync } from "node:fs";\n\nexport const planted = readFileSync;\n',
    /planted-a-node-built-in-in-core\.ts.*'node:fs'/,
  ),
  ambient("Date.now in core", "Date.now()"),
  ambient("new Date() in core", "new Date()"),
  ambient("Math.random in core", "Math.random()"),
];
