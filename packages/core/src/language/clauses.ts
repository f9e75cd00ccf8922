import { joinedForm } from "./joined-conditions.ts";
import { matchAt } from "./scan.ts";
import { scanString } from "./string-literal.ts";

/** The words by which clauses of other languages begin, and the step each one is. */
const CLAUSE =
  /(?:(order\s*by|sort(?:\s+by)?)|(where|filter)|(select|project)|(group\s*by|group_by)|(distinct|unique)|(limit|top|take|first)|(page_size)|(count)|(singleton))(?![\w.]|\s*[=<>!~])/iy;
const COLUMNS = /^[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*$/;
const KEYS = /^[A-Za-z_][\w.]*(?:\s+(?:asc|desc))?(?:\s*,\s*[A-Za-z_][\w.]*(?:\s+(?:asc|desc))?)*$/;
const COUNT = /^[1-9]\d*$/;

/**
 * The steps that the clauses of a text are, as `where state=lost order by name limit 5`, or null if one of
 * them cannot be told.
 */
export function stepsOfClauses(text: string): string | null {
  const starts = clauseStarts(text);
  if (starts[0]?.at !== 0) return null;
  const steps = starts.map(({ end, word, kind }, index) => {
    return stepOf(kind, word, text.slice(end, starts[index + 1]?.at ?? text.length).trim());
  });
  return steps.some((step) => step === null) ? null : steps.join("");
}

interface ClauseStart {
  readonly at: number;
  readonly end: number;
  readonly word: string;
  /** Which group of CLAUSE matched, from 1. */
  readonly kind: number;
}

/** Where clauses begin, outside strings and brackets; in linear time. */
function clauseStarts(text: string): readonly ClauseStart[] {
  const starts: ClauseStart[] = [];
  let depth = 0;
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? "";
    if (char === '"' || char === "'") {
      at = Math.max(at + 1, scanString(text, at).end);
      continue;
    }
    if ("([{".includes(char)) depth++;
    if (")]}".includes(char)) depth--;
    const begins = depth === 0 && /[A-Za-z]/.test(char) && beginsWord(text, at);
    const clause = begins ? matchAt(CLAUSE, text, at) : null;
    if (clause === null) at++;
    else {
      const kind = clause.findIndex((group, index) => index > 0 && group !== undefined);
      starts.push({ at, end: at + clause[0].length, word: clause[0], kind });
      at += clause[0].length;
    }
  }
  return starts;
}

/** Whether a word begins here that is no value of a condition. */
function beginsWord(text: string, at: number): boolean {
  if (/[\w.]/.test(text[at - 1] ?? " ")) return false;
  return !/[=<>!~]\s*$/.test(text.slice(Math.max(0, at - 20), at));
}

/** The step of a clause and what stands behind its word, with or without brackets around it. */
function stepOf(kind: number, word: string, written: string): string | null {
  const rest = /^(?:\((.*)\)|\{(.*)\})$/.exec(written)?.slice(1).join("").trim() ?? written;
  const columns = COLUMNS.test(rest);
  switch (kind) {
    case 1: {
      const keys = rest.replace(/\b(asc|desc)\b/gi, (word) => word.toLowerCase());
      return KEYS.test(keys) ? `.sort(${keys})` : null;
    }
    case 2: {
      const form = rest === "" ? null : joinedForm(rest);
      return form === null ? null : `.filter{${form}}`;
    }
    case 3:
      return columns ? `[${rest}]` : null;
    case 4:
      return columns ? `.group_by(${rest})` : null;
    case 5:
      return columns ? `.distinct(${rest})` : null;
    case 6:
      if (rest === "" && word.toLowerCase() === "first") return ".limit(1)";
      return COUNT.test(rest) ? `.limit(${rest})` : null;
    case 7:
      return COUNT.test(rest) ? `.page_size(${rest})` : null;
    case 8:
      return rest === "" ? ".aggregate(n=count)" : null;
    default:
      return rest === "" ? ".singleton()" : null;
  }
}
