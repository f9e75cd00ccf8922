import { withoutIds } from "../transcripts/stable.ts";

/** Columns of a line. */
const WIDTH = 100;
/** Code points of a text before it is cut. */
const MOST_TEXT = 160;
/** Elements of a list before it is cut. */
const MOST_ELEMENTS = 3;

const cut = (text: string): string => {
  const points = Array.from(withoutIds(text));
  return points.length <= MOST_TEXT
    ? JSON.stringify(points.join(""))
    : `${JSON.stringify(points.slice(0, MOST_TEXT).join("")).slice(0, -1)}…"`;
};

interface Printing {
  readonly without: readonly string[];
  readonly indent: string;
}

/** The parts of a value as a list of texts, which one line or several hold. */
function parts(value: object, how: Printing): readonly string[] {
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_ELEMENTS).map((one) => printed(one, how));
    const more = value.length - shown.length;
    return more === 0 ? shown : [...shown, `… ${more} more`];
  }
  return Object.entries(value).map(([name, one]) => {
    const text = how.without.includes(name) ? "…" : printed(one, how);
    return `${JSON.stringify(name)}: ${text}`;
  });
}

function printed(value: unknown, how: Printing): string {
  if (typeof value === "string") return cut(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const indent = `${how.indent}  `;
  const all = parts(value, { ...how, indent });
  if (all.length === 0) return `${open}${close}`;
  const pad = Array.isArray(value) ? "" : " ";
  const line = `${open}${pad}${all.join(", ")}${pad}${close}`;
  if (!line.includes("\n") && indent.length + line.length <= WIDTH) return line;
  return `${open}\n${all.map((one) => `${indent}${one}`).join(",\n")}\n${how.indent}${close}`;
}

/**
 * JSON for eyes: what fits on a line stands on one. Long texts and lists are cut, with an ellipsis, and so are the
 * values of members of these names.
 */
export const printJson = (value: unknown, without: readonly string[]): string =>
  printed(value, { without, indent: "" });
