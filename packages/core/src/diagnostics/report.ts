import { snippet, type SourceText } from "../base/source.ts";
import type { Diagnostic, ErrorReport, ProgramError } from "./diagnostic.ts";
import { type ExampleWords, GENERIC_WORDS } from "./examples.ts";
import { type Recheck, suggestedProgram } from "./suggestion.ts";

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
      correction: suggested === null ? advised(found, isRefused, session) : said(found, session),
      suggestedProgram: suggested,
    };
  });
  return { errors, more: Math.max(0, sorted.length - SHOWN) };
}

/** The session that a report is for: its examples, and whether a program plans there; null without one. */
export interface ReportSession {
  readonly words: ExampleWords;
  readonly plans: ((program: string) => boolean) | null;
}

const NO_SESSION: ReportSession = { words: GENERIC_WORDS, plans: null };

/** The correction in the words of the session. */
const said = (found: Diagnostic, { words }: ReportSession): string =>
  found.correctionIn?.(words) ?? found.correction;

/** The nearest name, said before all that are allowed. */
const NEAREST = /^use [^\s"]+\. (?=\S)/;

/**
 * The correction of a mistake without a suggested program: code that leads nowhere in this session is left out
 * (ERR-006), and so is what the mistake's own edits would write where they lead to another one (ERR-008).
 */
function advised(found: Diagnostic, isRefused: boolean, session: ReportSession): string {
  const { plans } = session;
  const offer = plans === null ? undefined : found.offers?.find(({ program }) => plans(program));
  if (offer !== undefined) return offer.correction;
  const isUseless = isRefused || (plans !== null && found.offers !== undefined);
  if (!isUseless) return said(found, session);
  return found.instead ?? said(found, session).replace(NEAREST, "");
}
