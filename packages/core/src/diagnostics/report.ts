import { snippet } from "../source/snippet.ts";
import type { SourceText } from "../source/source-text.ts";
import type { Diagnostic, ErrorReport, ProgramError } from "./diagnostic.ts";
import { type ExampleWords, GENERIC_WORDS } from "./examples.ts";
import type { Recheck } from "./suggestion.ts";
import { suggestedProgram } from "./suggestion.ts";

const SHOWN = 10;

/** Beyond so many mistakes nothing is suggested: each suggestion means reading all of them again. */
const MENDABLE = 200;

/**
 * The errors to show of a program's mistakes: the first ten by place with snippet and suggested
 * program, and the number of the rest (ERR-003, ERR-004, ERR-008). Corrections are those of the session.
 */
export function reportErrors(
  source: SourceText,
  diagnostics: readonly Diagnostic[],
  recheck: Recheck,
  session: ReportSession = NO_SESSION,
): ErrorReport {
  const sorted = diagnostics.toSorted((a, b) => a.span.start - b.span.start);
  const tried = sorted.length <= MENDABLE;
  const errors = sorted.slice(0, SHOWN).map((found): ProgramError => {
    const suggested = tried ? suggestedProgram(source, found, sorted, recheck) : null;
    const isRefused = tried && found.edits !== undefined && suggested === null;
    return {
      code: found.code,
      message: found.message,
      span: found.span,
      snippet: snippet(source, found.span),
      correction: isRefused ? refusedCorrection(found, session) : correctionOf(found, session),
      suggestedProgram: suggested,
    };
  });
  return { errors, more: Math.max(0, sorted.length - SHOWN) };
}

/** The session that a report is for: its examples, and whether a program plans there. */
export interface ReportSession {
  readonly words: ExampleWords;
  readonly plans: (program: string) => boolean;
}

const NO_SESSION: ReportSession = { words: GENERIC_WORDS, plans: () => false };

/** What is shown to do: code that leads nowhere in this session is left out (ERR-006). */
function correctionOf(found: Diagnostic, { words, plans }: ReportSession): string {
  const offer = found.offers?.find(({ program }) => plans(program));
  return offer?.correction ?? found.correctionIn?.(words) ?? found.correction;
}

/** The nearest name, said before all that are allowed. */
const NEAREST = /^use [^\s"]+\. (?=\S)/;

/** The correction of a mistake whose own edits lead to another: it advises nothing of them (ERR-008). */
const refusedCorrection = (found: Diagnostic, session: ReportSession): string =>
  found.instead ?? correctionOf(found, session).replace(NEAREST, "");
