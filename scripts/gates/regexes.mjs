/**
 * No regular expression of shipped code takes more time than in proportion to its text: what has two ways to match the same text tries
 * all of them where the end does not fit, and a search that may begin anywhere does so at each place. Sticky ones begin at one.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RegExpParser } from "@eslint-community/regexpp";
import { analyse } from "scslre";
import ts from "typescript";
import { root } from "../lib/workspace.mjs";

/** Those of which the analysis says too much, with the reason. */
const sound = new Map([
  [
    "packages/core/src/discovery/words.ts",
    "its last parts take each run of letters that the first ones leave, so that no search fails",
  ],
]);

const parser = new RegExpParser();

/** What is wrong with a literal such as `/a+$/g`; null where it is sound. */
function faultOf(literal) {
  const end = literal.lastIndexOf("/");
  const flags = parser.parseFlags(literal.slice(end + 1));
  const { unicode, unicodeSets, sticky } = flags;
  const pattern = parser.parsePattern(literal.slice(1, end), undefined, undefined, {
    unicode,
    unicodeSets,
  });
  const { reports } = analyse({ pattern, flags }, { reportTypes: { Move: !sticky } });
  const [worst] = reports.toSorted((one, other) => other.exponential - one.exponential);
  if (worst === undefined) return null;
  if (worst.exponential) return "takes time without any bound";
  return worst.type === "Move"
    ? "is searched for from each place of a run again"
    : "matches a run in several ways";
}

function literalsIn(path) {
  const text = readFileSync(join(root, path), "utf8");
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.RegularExpressionLiteral)
      found.push({
        literal: node.text,
        line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const files = globSync("{packages,apps,plugins}/*/src/**/*.{ts,tsx}", { cwd: root }).filter(
  (path) => !/\.test\.tsx?$|[\\/]testing[\\/]|^packages[\\/]testkit[\\/]/.test(path),
);
let looked = 0;
let faults = 0;
for (const path of files) {
  for (const { literal, line } of literalsIn(path)) {
    looked += 1;
    const fault = sound.has(path.replaceAll("\\", "/")) ? null : faultOf(literal);
    if (fault === null) continue;
    faults += 1;
    console.log(`${path}:${line}: ${literal} ${fault}`);
  }
}
console.log(`${looked} regular expressions of ${files.length} files`);
process.exitCode = faults === 0 && looked > 0 ? 0 : 1;
