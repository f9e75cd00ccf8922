/**
 * Adds up what the phases of .ci/run left in a directory: NAME.rc with an exit code, and NAME.json with
 * vitest's report or `{passed, failed}`. Each failed test is told again here, where a reader of a long log
 * looks first. The last line is `N passed, N failed`. A skipped test, a file that did not load and a phase
 * that failed without saying why each count as one failure.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

const [directory] = process.argv.slice(2);

const shownLines = 12;

const indented = (message) =>
  stripVTControlCharacters(message)
    .split("\n")
    .slice(0, shownLines)
    .map((line) => `    ${line}`)
    .join("\n");

const failures = ({ name, message, assertionResults }) => {
  const file = relative(process.cwd(), name);
  const tests = assertionResults
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) =>
      [`failed: ${file}: ${fullName}`, ...failureMessages.map(indented)].join("\n"),
    );
  return tests.length > 0 ? tests : [`failed: ${file}\n${indented(message ?? "")}`];
};

const ofVitest = (report) => {
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  ).length;
  const skipped = report.numPendingTests + report.numTodoTests;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + skipped + unloaded,
    told: report.testResults.filter(({ status }) => status === "failed").flatMap(failures),
  };
};

const countsOf = (path) => {
  if (!existsSync(path)) return { passed: 0, failed: 0 };
  const report = JSON.parse(readFileSync(path, "utf8"));
  return "testResults" in report ? ofVitest(report) : report;
};

const phases = readdirSync(directory)
  .filter((name) => name.endsWith(".rc"))
  .map((name) => name.slice(0, -3))
  .map((name) => {
    const code = Number(readFileSync(join(directory, `${name}.rc`), "utf8"));
    const { passed, failed, told = [] } = countsOf(join(directory, `${name}.json`));
    return { name, code, passed, failed: code !== 0 && failed === 0 ? 1 : failed, told };
  });

for (const failure of phases.flatMap(({ told }) => told)) console.log(failure);

for (const { name, code, passed, failed } of phases) {
  console.log(
    `${name}: ${passed} passed, ${failed} failed${code === 0 ? "" : ` (exit code ${code})`}`,
  );
}
const sum = (field) => phases.reduce((total, phase) => total + phase[field], 0);
const failed = phases.length === 0 ? 1 : sum("failed");
console.log(`${sum("passed")} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
