import fc from "fast-check";
import { wellFormedText } from "./arbitrary-text.ts";

/** One thing that happens to a text; `at` and `to` are parts of its length. */
export type Corruption =
  | { readonly kind: "cut"; readonly at: number; readonly length: number; readonly instead: string }
  | { readonly kind: "double" | "swap"; readonly at: number; readonly to: number }
  | { readonly kind: "indent"; readonly at: number; readonly by: number }
  | { readonly kind: "scalar"; readonly at: number; readonly instead: string };

const YAML_SIGNS = [": ", "- ", "{", "}", "[", "]", "&a ", "*a", "!x ", "|", "<<: ", "---\n", "#"];
const SCALARS = ["null", "true", "-1", "1e999", "0x1f", "''", '"\\ud800"', "[]", "{}", "__proto__"];

const part = fc.double({ min: 0, max: 1, noNaN: true });
const bytes = fc.oneof(
  fc.constantFrom("", "\n", "\t", "'", '"', "\0", "\ufeff", "\ud800", "\r", ...YAML_SIGNS),
  wellFormedText({ maxLength: 8 }),
);

/** Any damage: bytes deleted, replaced, inserted; lines doubled, swapped, indented; scalars changed. */
export const corruption: fc.Arbitrary<Corruption> = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: part, length: fc.nat(40), instead: bytes }),
  fc.record({ kind: fc.constantFrom("double" as const, "swap" as const), at: part, to: part }),
  fc.record({
    kind: fc.constant("indent" as const),
    at: part,
    by: fc.integer({ min: -4, max: 4 }),
  }),
  fc.record({
    kind: fc.constant("scalar" as const),
    at: part,
    instead: fc.oneof(fc.constantFrom(...SCALARS), fc.string({ maxLength: 6 })),
  }),
);

const place = (share: number, length: number): number =>
  Math.min(length - 1, Math.floor(share * length));

function indented(line: string, by: number): string {
  return by < 0 ? line.replace(new RegExp(`^ {0,${-by}}`), "") : " ".repeat(by) + line;
}

function changeLines(
  text: string,
  change: Exclude<Corruption, { kind: "cut" | "scalar" }>,
): string {
  const lines = text.split("\n");
  const at = place(change.at, lines.length);
  const line = lines[at] ?? "";
  if (change.kind === "indent") lines[at] = indented(line, change.by);
  else if (change.kind === "double") lines.splice(place(change.to, lines.length), 0, line);
  else {
    const to = place(change.to, lines.length);
    lines[at] = lines[to] ?? "";
    lines[to] = line;
  }
  return lines.join("\n");
}

/** A text after a corruption. */
export function struck(text: string, change: Corruption): string {
  switch (change.kind) {
    case "cut": {
      const at = Math.floor(change.at * text.length);
      return text.slice(0, at) + change.instead + text.slice(at + change.length);
    }
    case "scalar": {
      const words = [...text.matchAll(/[\w.-]+/g)];
      const word = words[place(change.at, words.length)];
      if (word === undefined) return text;
      return text.slice(0, word.index) + change.instead + text.slice(word.index + word[0].length);
    }
    case "double":
    case "swap":
    case "indent":
      return changeLines(text, change);
  }
}
