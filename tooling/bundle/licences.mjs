import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The directory of the package that a file of node_modules is from. */
const packageOf = (path) => {
  let directory = dirname(path);
  while (!isPackage(directory)) directory = dirname(directory);
  return directory;
};

const manifestIn = (directory) => JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));

/** Packages hold further package.json files, which only say how their directory is read. */
const isPackage = (directory) =>
  existsSync(join(directory, "package.json")) && manifestIn(directory).version !== undefined;

/** One package: what it is, its licence by name, and the texts that have to go with it. */
const noticeOf = (directory) => {
  const { name, version, license } = manifestIn(directory);
  const texts = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(directory, file), "utf8").trim());
  return { title: `${name} ${version} (${license})`, texts };
};

/** The licences of all packages that files of node_modules are from, by name. */
export const licenceTexts = (paths) => {
  const foreign = paths.filter((path) => path.includes("/node_modules/"));
  const directories = [...new Set(foreign.map(packageOf))];
  return directories
    .map(noticeOf)
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
    .map(({ title, texts }) => [`── ${title}`, ...texts].join("\n\n"))
    .join("\n\n\n")
    .concat("\n");
};
