import type { TextRange } from "../../source/span.ts";

/** A unit of what stands inside a tag; the last one of a tag is its end. */
export interface Token extends TextRange {
  readonly kind: "word" | "text" | "integer" | "float" | "sign" | "end";
  /** As written; of a text what it says, of the end what closes the tag. */
  readonly text: string;
}

/** What a template consists of; comments are gone, and so is the white space that `-` removes. */
export type Segment = TextSegment | TagSegment;

export interface TextSegment extends TextRange {
  readonly kind: "text";
}

export interface TagSegment extends TextRange {
  readonly kind: "output" | "statement";
  readonly tokens: readonly Token[];
  /** Whether a problem was found among the tokens; what follows from it is not told. */
  readonly faulty: boolean;
}

/** How a message names a token. */
export function describeToken(token: Token): string {
  switch (token.kind) {
    case "end":
      return "the end of the tag";
    case "text":
      return "a text";
    case "integer":
    case "float":
      return `the number ${token.text}`;
    case "word":
      return token.text;
    case "sign":
      return `"${token.text}"`;
  }
}
