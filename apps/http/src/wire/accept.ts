/** A media range of an Accept header with its weight, from 0 to 1. */
export interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

/** Text between commas, or semicolons, that stand outside of quotes. */
function splitOutsideQuotes(text: string, separator: "," | ";"): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quoted && character === "\\") {
      part += text.slice(at, at + 2);
      at += 1;
    } else if (!quoted && character === separator) {
      parts.push(part.trim());
      part = "";
    } else {
      if (character === '"') quoted = !quoted;
      part += character;
    }
  }
  return [...parts, part.trim()];
}

/** A weight; what is none counts as not wanted, and more than 1 as 1. */
function qualityOf(parameters: readonly string[]): number {
  const [, text] = parameters.map((one) => /^q=(.*)$/.exec(one)).find((one) => one !== null) ?? [];
  if (text === undefined) return 1;
  return /^\d+(?:\.\d*)?$|^\.\d+$/.test(text) ? Math.min(Number(text), 1) : 0;
}

function rangeOf(text: string): readonly MediaRange[] {
  const [type = "", ...parameters] = splitOutsideQuotes(text, ";").map((one) => one.toLowerCase());
  if (!/^[^/\s"]+\/[^/\s"]+$/.test(type)) return [];
  return [{ type, quality: qualityOf(parameters) }];
}

/** The ranges of an Accept header, several headers joined by commas included; what is none is left out. */
export const readAccept = (header: string): readonly MediaRange[] =>
  splitOutsideQuotes(header, ",").flatMap(rangeOf);
