import fc from "fast-check";
import { assertProperty } from "@plasm/testkit";
import { describe, expect, it, test } from "vitest";
import {
  arbitraryStatement,
  arbitraryTree,
  node,
  printTree,
  type Tree,
  withoutSpans,
} from "../../../test/arbitrary-tree.ts";
import { printedTrees } from "../../../test/properties/texts.ts";
import type { Span } from "../../base/span.ts";
import { parse } from "./parse.ts";
import { optionText, printProgram, wireText } from "./printer.ts";
import { wellFormedText } from "../../../test/arbitrary-text.ts";

describe("LANG-015: parse(print(t)) = t", () => {
  it("for any tree, and printing what was read changes nothing", () =>
    assertProperty(printedTrees));

  it("refuses a tree that is in error", () => {
    expect(() => printProgram(parse("Boat.limit(0)").program)).toThrow("in error");
  });
});

/** Every node with the span of the node around it. */
function* nested(tree: unknown, around: Span): Generator<{ node: Spanned; around: Span }> {
  if (typeof tree !== "object" || tree === null) return;
  const own = "span" in tree ? (tree as Spanned) : undefined;
  if (own !== undefined) yield { node: own, around };
  for (const [key, child] of Object.entries(tree)) {
    if (key !== "span") yield* nested(child, own?.span ?? around);
  }
}

interface Spanned {
  readonly kind?: string;
  readonly text?: string;
  readonly raw?: string;
  readonly quoted?: boolean;
  readonly span: Span;
}

describe("LANG-003: every node carries its span", () => {
  it("inside that of the node around it; names and bare values stand there as they are", () => {
    fc.assert(
      fc.property(arbitraryTree, (tree) => {
        const text = printTree(tree);
        const { program: read } = parse(text);
        for (const { node: found, around } of nested(read, read.span)) {
          const { start, end } = found.span;
          expect(start >= around.start && end <= around.end && start < end).toBe(true);
          const there = text.slice(start, end);
          if (found.quoted === true) continue;
          expect((found.kind === "Name" ? found.text : found.raw) ?? there).toBe(there);
        }
      }),
    );
  });
});

const kinds = (tree: unknown): readonly string[] => {
  if (Array.isArray(tree)) return tree.flatMap(kinds);
  if (typeof tree !== "object" || tree === null) return [];
  const own = (tree as { kind?: string }).kind;
  return [...(own === undefined ? [] : [own]), ...Object.values(tree).flatMap(kinds)];
};

describe("ERR-004: what is in error costs one statement", () => {
  const faulty = fc.constantFrom(
    "Boat owner",
    "Boat{a==1}",
    "Boat{a=1 b=2}",
    "Boat{a=1",
    "Boat(a, b",
    "x = Boat{a=[1, 2}",
    "Boat.limit(5))",
    'Boat("b1',
    "Boat{name=Sea Star}",
    "<<",
    "Boat <<<NONE",
  );

  it("statements around a faulty line are read as without it", () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryStatement, { minLength: 1, maxLength: 3 }),
        faulty,
        (before, line) => {
          const after = [...before].reverse();
          const text = (trees: readonly Tree[]) => {
            return printTree(node("Program", { statements: trees }));
          };
          const { program: read, diagnostics } = parse(`${text(before)}\n${line}\n${text(after)}`);
          expect(diagnostics).toHaveLength(1);
          const statements = withoutSpans(read.statements) as readonly unknown[];
          expect(statements.slice(0, before.length)).toEqual(before);
          expect(statements.slice(-after.length)).toEqual(after);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("a damaged program has a tree, and an error wherever the tree is in error", () => {
    const damage = fc.record({
      at: fc.nat(400),
      drop: fc.nat(3),
      insert: fc.constantFrom(
        "",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\n",
        '"',
        "'",
        "=",
        ".",
        "<<",
        " x ",
        ";",
        "ø",
      ),
    });
    fc.assert(
      fc.property(
        arbitraryTree,
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        (tree, damages) => {
          let text = printTree(tree);
          for (const { at, drop, insert } of damages) {
            text =
              text.slice(0, at % (text.length + 1)) +
              insert +
              text.slice((at % (text.length + 1)) + drop);
          }
          const { program: read, diagnostics } = parse(text);
          expect(kinds(read).includes("Bad") && diagnostics.length === 0).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test.each([
  ["open", "open"],
  ["in-progress", "in-progress"],
  ["12", "12"],
  ["2026-01-31", "2026-01-31"],
  ["in progress", '"in progress"'],
  ["a|b", '"a|b"'],
  ["true", '"true"'],
  ["null", '"null"'],
  ["", '""'],
  ["tab\there", '"tab\\there"'],
  ["\u202eback", '"\\u202eback"'],
  ["4f2a", '"4f2a"'],
])("optionText(%j): as a program writes it (TEACH-23)", (option, expected) => {
  expect(optionText(option)).toBe(expected);
});

test("wireText writes a discriminator of any JSON kind (TEACH-18)", () => {
  expect([wireText("insert"), wireText(3), wireText(true)]).toEqual(["insert", "3", "true"]);
});

test("no option breaks a cell (TEACH-12)", () => {
  fc.assert(
    fc.property(wellFormedText(), (option) => {
      const text = optionText(option);
      expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(text).toBe(text.trim());
    }),
  );
});
