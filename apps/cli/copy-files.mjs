/**
 * Lays beside `plasm.mjs`, or in the directory given, what it serves as it is: the files of the console in `console/`, and
 * the catalogs of the sample APIs in `samples/`, and tasks with the catalogs that they need in `tasks/`: `copy-files.mjs [DIST]`.
 */
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [dist = `${import.meta.dirname}/dist`] = process.argv.slice(2);
const directoryOf = (packageFile) => dirname(fileURLToPath(packageFile));

const copy = (from, name) => {
  const to = join(dist, name);
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
};

copy(join(directoryOf(import.meta.resolve("@plasm/console/package.json")), "dist"), "console");
const testkit = directoryOf(import.meta.resolve("@plasm/testkit/package.json"));
copy(join(import.meta.dirname, "tasks"), "tasks");
const published = directoryOf(import.meta.resolve("@plasm/catalogs/package.json"));
for (const name of ["github", "redmine"])
  copy(join(published, name), join("tasks", "catalogs", name));
for (const name of ["quay", "yard"]) copy(join(testkit, "catalogs", name), join("samples", name));
