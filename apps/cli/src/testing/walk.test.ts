import { expect, it } from "vitest";
import { answerPattern, partsOf } from "./walk.ts";

it("a page's files and commands, in their order", () => {
  const page = [
    "```yaml a/b.yaml\nx: 1\n```",
    "```console\n$ plasm one \\\n    two\nsaid\n$ three\n```",
    "````console\n$ four\n```tsv\na\n```\n````",
    "```text\n$ not this\n```",
  ].join("\n\n");
  expect(partsOf(page)).toEqual([
    { kind: "file", path: "a/b.yaml", text: "x: 1\n" },
    { kind: "command", line: "plasm one \\\n    two", answer: "said\n" },
    { kind: "command", line: "three", answer: "" },
    { kind: "command", line: "four", answer: "```tsv\na\n```\n" },
  ]);
});

it.each([
  ["a (b)\n", "a (b)\n", true],
  ["a (b)\n", "a (c)\n", false],
  ["a\n…\nz\n", "a\nmuch\nmore\nz\n", true],
  ["a\n…\nz\n", "a\nmuch\n", false],
  ["id 0123456789abcdef", "id fedcba9876543210", true],
  ["a77ab7c1-bf42-484f-867b-ecdd5bdbd9b8 ·", "00000000-bf42-484f-867b-ecdd5bdbd9b8 ·", true],
  ["at 2026-01-05T10:00:00Z", "at 2031-02-03T04:05:06.789Z", true],
  ["at 2026-01-05T10:00:00.000Z", "at 2031-02-03T04:05:06.789Z", true],
  ["", "said something", false],
])("%j stands for %j: %s", (answer, said, matches) => {
  expect(answerPattern(answer).test(said)).toBe(matches);
});
