/** No notice takes more tokens than this, whatever a session holds (SESS-19, TEACH-41). */
const MAX_TOKENS = 60;

/**
 * The notice of a call that exposed nothing new: `s0 unchanged: e1 Tree, e2 Harvest. Symbols stand.`
 * and then the remarks, in at most 60 tokens: entities that do not fit become `+n` (SESS-19).
 * `entities` are wire names in `e#` order. The default count is an upper estimate.
 */
export function unchangedNotice(
  ref: string,
  entities: readonly string[],
  remarks: readonly string[] = [],
  countTokens: (text: string) => number = mostTokens,
): string {
  // None takes less than a token: those beyond are not looked at, however many a session holds.
  const listed = entities.slice(0, MAX_TOKENS).map((entity, at) => `e${at + 1} ${entity}`);
  const noticeOf = (shown: number): string => {
    const left = entities.length - shown;
    const names = [...listed.slice(0, shown), ...(left === 0 ? [] : [`+${left}`])].join(", ");
    return [`${ref} unchanged: ${names}. Symbols stand.`, ...remarks].join(" ");
  };
  let shown = listed.length;
  while (shown > 0 && countTokens(noticeOf(shown)) > MAX_TOKENS) shown -= 1;
  return noticeOf(shown);
}

/** At least as many tokens as a text of names and plain English has: short pieces of words and signs. */
function mostTokens(text: string): number {
  const pieces = text.match(/\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+|\p{N}+|[^\p{L}\p{N}\s]/gu) ?? [];
  return pieces.reduce((sum, piece) => sum + Math.ceil(piece.length / LETTERS_A_TOKEN), 0);
}

const LETTERS_A_TOKEN = 4;
