import assert from "node:assert/strict";
import fc from "fast-check";
import { pureProperty } from "@plasm/testkit";
import { indexHeredocLines, quoteText } from "../../src/language/grammar/strings.ts";
import { parse } from "../../src/language/grammar/parse.ts";
import { printProgram } from "../../src/language/grammar/printer.ts";
import { compileProgram } from "../../src/plan/compile.ts";
import { arbitraryText } from "../arbitrary-text.ts";
import { garbage } from "../arbitrary-garbage.ts";
import { arbitraryTree, cleanText, printTree, sameTree, withoutSpans } from "../arbitrary-tree.ts";
import { quayAndYard, quayExposure } from "../fixture-exposure.ts";
import { vocabularySoup } from "../vocabulary.ts";

const anyText = fc.oneof(arbitraryText, garbage);

interface Found {
  readonly spans: { readonly start: number; readonly end: number }[];
  bad: boolean;
}

/** Every span of a tree, at any depth, and whether anything in it is in error. */
function lookThrough(node: unknown, found: Found): Found {
  if (typeof node !== "object" || node === null) return found;
  for (const [key, child] of Object.entries(node)) {
    if (key === "span") found.spans.push(child as Found["spans"][number]);
    else if (key === "kind") found.bad ||= child === "Bad";
    else lookThrough(child, found);
  }
  return found;
}

export const parsedTexts = pureProperty({
  key: "parser-answers",
  says: "any text has a tree or errors, all within the text; a tree in error has an error (LANG-001)",
  runs: 3000,
  holds: () =>
    fc.property(anyText, (text) => {
      const { program, diagnostics } = parse(text);
      const { spans, bad } = lookThrough(program, { spans: [], bad: false });
      assert(!bad || diagnostics.length > 0, "in error, but nothing is reported");
      for (const { start, end } of [...spans, ...diagnostics.map(({ span }) => span)]) {
        assert(start >= 0 && start <= end && end <= text.length, `${start} to ${end}`);
      }
    }),
});

export const compiledTexts = pureProperty({
  key: "compiler-answers",
  says: "no program makes the compiler throw; every error has a place, words and a correction (LANG-001, ERR-002)",
  runs: 1500,
  holds: () =>
    fc.property(vocabularySoup, fc.boolean(), (text, two) => {
      const compiled = compileProgram(text, two ? quayAndYard : quayExposure);
      if (compiled.kind !== "errors") return;
      assert(compiled.errors.length > 0);
      for (const { span, message, correction } of compiled.errors) {
        assert(span.start >= 0 && span.end <= text.length);
        assert(!message.includes("%"), message);
        assert.notEqual(correction, "");
      }
    }),
});

export const printedTrees = pureProperty({
  key: "parser-prints",
  says: "parse(print(tree)) is the tree, and printing that gives the same text (LANG-015)",
  runs: 3000,
  holds: () =>
    fc.property(arbitraryTree, (tree) => {
      const text = printTree(tree);
      const { program, diagnostics } = parse(text);
      assert.deepEqual(diagnostics, []);
      if (!sameTree(program, tree)) assert.deepEqual(withoutSpans(program), withoutSpans(tree));
      assert(sameTree(program, tree));
      assert.equal(printProgram(program), text);
    }),
});

/** The kind and text of the first argument of the first source, or what is wrong. */
function firstArgument(text: string): readonly [string, string] {
  const { program, diagnostics } = parse(text);
  if (diagnostics.length > 0) return ["error", diagnostics.map(({ code }) => code).join(" ")];
  const [statement, ...others] = program.statements;
  const node = statement?.kind === "Roots" && others.length === 0 ? statement.nodes[0] : undefined;
  const source = node?.kind === "Chain" ? node.source : undefined;
  const value = source?.kind === "KeySource" ? source.args[0]?.value : undefined;
  if (value?.kind !== "StringValue" && value?.kind !== "HeredocValue") return ["none", ""];
  return [value.kind, value.text];
}

export const heredocBodies = pureProperty({
  key: "parser-heredocs",
  says: "a heredoc keeps any Unicode text, whatever it looks like (LANG-008)",
  runs: 500,
  holds: () =>
    fc.property(fc.oneof(cleanText, garbage), (body) => {
      // What no heredoc can hold: its own closer, and the line end of its last line.
      if (/[\r\ud800-\udfff\0]$|\0/.test(body) || /\p{Cs}/u.test(body)) return;
      if ((indexHeredocLines(body).get("T")?.closing.length ?? 0) > 0) return;
      assert.deepEqual(firstArgument(`Person(<<T\n${body}\nT)`), ["HeredocValue", body]);
    }),
});

export const quotedTexts = pureProperty({
  key: "parser-strings",
  says: "a string keeps any Unicode text, whatever it looks like (LANG-006, LANG-047)",
  runs: 500,
  holds: () =>
    fc.property(fc.oneof(cleanText, garbage), (text) => {
      if (/\0|\p{Cs}/u.test(text)) return;
      assert.deepEqual(firstArgument(`Person(${quoteText(text)})`), ["StringValue", text]);
    }),
});

export const properties = [parsedTexts, compiledTexts, printedTrees, heredocBodies, quotedTexts];
