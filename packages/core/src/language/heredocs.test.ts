import { assertProperty } from "@plasm/testkit";
import { describe, expect, it } from "vitest";
import { heredocBodies, quotedTexts } from "../../test/properties/texts.ts";
import { heredocOffsets } from "./grammar/strings.ts";
import { parse } from "./grammar/parse.ts";

/** The text of the heredoc in `Boat("b1").send(note=<<T…`, or the codes of what is wrong. */
function bodyOf(text: string): string {
  const { program, diagnostics } = parse(text);
  if (diagnostics.length > 0) return diagnostics.map(({ code }) => code).join(" ");
  const [statement] = program.statements;
  const node = statement?.kind === "Roots" ? statement.nodes[0] : undefined;
  const step = node?.kind === "Chain" ? node.steps[0] : undefined;
  const value = step?.kind === "Call" ? step.args[0]?.value : undefined;
  return value?.kind === "HeredocValue" ? value.text : "none";
}

const opener = 'Boat("b1").send(note=<<T\n';

describe("C-046, A16, LANG-008: which line closes a heredoc", () => {
  it.each([
    ["T\n)", ""],
    ["\nT)", ""],
    ["one\ntwo\nT)", "one\ntwo"],
    ["one\n\nT)", "one\n"],
    ["x\nTT\nT)", "x\nTT"],
    ["x\n T \n)", "x"],
    ["x\n\tT)", "x"],
    ["x\nT ,\n)", "x"],
    ["x\nT,\n)", "x"],
    ["x\nT, E and F\nT)", "x\nT, E and F"],
    ["x\nT ok\nT)", "x\nT ok"],
    ["x\nT ) ok\nT)", "x\nT ) ok"],
    ["x\nT;; c\nT)", "x\nT;; c"],
    ["x\nT.limit\nT)", "x\nT.limit"],
    ["x\nt\nT)", "x\nt"],
    ["x\nT).limit(3)", "x"],
    ["<<T\nT)", "<<T"],
    ["  x  \nT)", "  x  "],
    ["a\r\nb\r\nT)", "a\r\nb"],
  ])("%j: %j", (rest, expected) => {
    expect(bodyOf(opener + rest)).toBe(expected);
  });

  it("the closers of C-046: `T}], n=1)` closes two brackets and goes on", () => {
    const { diagnostics, program } = parse("Part.edit(ops=[{text: <<T\nx\nT}], n=1)");
    expect(diagnostics).toEqual([]);
    expect(program.statements).toMatchObject([
      { nodes: [{ steps: [{ args: [{ name: { text: "ops" } }, { name: { text: "n" } }] }] }] },
    ]);
  });

  it("`T),` closes", () => {
    const { diagnostics, program } = parse("Boat.send(to=Person(<<T\nx\nT),\nnote=b)");
    expect(diagnostics).toEqual([]);
    expect(program.statements).toMatchObject([
      {
        nodes: [
          {
            steps: [
              {
                args: [{ value: { args: [{ value: { text: "x" } }] } }, { name: { text: "note" } }],
              },
            ],
          },
        ],
      },
    ]);
  });

  it("CRLF becomes LF where the opener's own line ends in CRLF", () => {
    expect(bodyOf('Boat("b1").send(note=<<T\r\na\r\nb\r\nT)\r\n')).toBe("a\nb");
    expect(bodyOf('Boat("b1").send(note=<<T\r\na\r\n\r\nT)')).toBe("a\n");
  });

  it.each([
    ['Boat("b1").send(note=<<T\nab\ncd\nT)', "ab\ncd"],
    ['Boat("b1").send(note=<<T\r\nab\r\ncd\r\nT)', "ab\ncd"],
    ['Boat("b1").send(note=<<T\r\na\nb\r\n\r\ncd\r\nT)', "a\nb\n\ncd"],
    ['Boat("b1").send(note=<<T\na\r\nb\nT)', "a\r\nb"],
  ])("offsets of the body of %j lead back into the program", (text, body) => {
    const offset = heredocOffsets(text, text.indexOf("<<"), body);
    expect(bodyOf(text)).toBe(body);
    for (const [at, char] of Array.from(body).entries()) {
      const found = text[offset(at)];
      expect(char === "\n" && found === "\r" ? "\n" : found).toBe(char);
    }
    expect(text.slice(offset(body.length)).trim()).toBe("T)");
  });
});

describe("A17, LANG-008: what opens no heredoc", () => {
  it.each([
    ["Boat.send(note=<<<T\nx\nT)", "<<<T", "Boat.send(note=<<T\nx\nT)"],
    ["Boat.send(note=d<<<T\nx\nT)", "<<<T", null],
    ["Boat.send(note=<<\nx\n)", "<<", null],
    ["Boat.send(note=<< T\nx\nT)", "<<", null],
    ["Boat.send(note=<<9\nx\n9)", "<<", null],
    ["Boat.send(note=<<T, to=a)\nx\nT", ", to=a)", null],
    ["Boat.send(note=<<T ;; why\nx\nT)", ";; why", null],
    ["Boat.send(to=<<A, note=<<B\n1\nA\n2\nB)", ", note=<<B", null],
  ])("%j is one bad_heredoc at %j", (text, place, suggestion) => {
    const { diagnostics } = parse(text);
    const at = diagnostics.map(({ code, span }) => [code, text.slice(span.start, span.end)]);
    expect(at).toEqual([["bad_heredoc", place]]);
    expect(diagnostics[0]?.correction).toMatch(/^write <<\w+, newline, the text, newline, \w+/);
    expect(suggestion === null || diagnostics[0]?.edits !== undefined).toBe(true);
  });

  it("text after an unclosed heredoc is not read as a program", () => {
    const { diagnostics } = parse('n = <<T\n{{ [ ( " oops\nT oops');
    expect(diagnostics.map(({ code }) => code)).toEqual(["unterminated_heredoc"]);
  });
});

describe("nothing inside text is read as code (LANG-004, LANG-008, LANG-047)", () => {
  it("heredocs keep any Unicode text", () => assertProperty(heredocBodies));

  it("strings keep any Unicode text", () => assertProperty(quotedTexts));
});
