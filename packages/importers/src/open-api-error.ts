import { visible, visibleLines } from "@plasm/core/internal";

/** Characters of what is said of a document, and of one line of it: names and paths may be of any length. */
const MOST_SAID = 4_000;
const MOST_OF_LINE = 400;

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

/** A line about a part of a document: so much of it at most, and nothing in it acts on a terminal. */
export const plainLine = (line: string): string => visible(cut(line, MOST_OF_LINE));

/**
 * Why no catalog can be made of a document: what was found, what is allowed, what to do. Of what it quotes nothing
 * acts on a terminal.
 */
export class OpenApiError extends Error {
  override readonly name = "OpenApiError";

  constructor(message: string, options?: ErrorOptions) {
    super(visibleLines(cut(message, MOST_SAID)), options);
  }
}
