/** A word of a vocabulary, with what rules most others out before letters are compared. */
export interface KnownWord {
  readonly term: string;
  /** in code points */
  readonly length: number;
  /** which letters it has, as bits */
  readonly letters: number;
}

export function knownWord(term: string): KnownWord {
  return { term, length: Array.from(term).length, letters: letterMask(term) };
}

/** A word of a vocabulary and how many typing errors away it is. */
export interface NearWord {
  readonly term: string;
  readonly errors: number;
}

/** The words of a vocabulary that are at most `limit` typing errors away, nearest first. */
export function nearWords(
  word: string,
  limit: number,
  vocabulary: Iterable<KnownWord>,
): readonly NearWord[] {
  const { length, letters } = knownWord(word);
  const found: NearWord[] = [];
  for (const known of vocabulary) {
    if (Math.abs(known.length - length) > limit) continue;
    if (bitsOf(known.letters ^ letters) > 2 * limit) continue;
    const errors = typingErrors(word, known.term, limit);
    if (errors <= limit) found.push({ term: known.term, errors });
  }
  return found.toSorted((a, b) => a.errors - b.errors);
}

/**
 * The typing errors between two words, `limit + 1` if there are more than `limit`: a letter too many,
 * missing or wrong, or two that changed places.
 */
export function typingErrors(left: string, right: string, limit: number): number {
  const a = Array.from(left);
  const b = Array.from(right);
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let earlier: readonly number[] = [];
  let last: readonly number[] = [0, ...b.map((_, at) => at + 1)];
  for (const [row, letter] of a.entries()) {
    const current = [row + 1];
    for (const [column, other] of b.entries()) {
      const replaced = (last[column] ?? 0) + (letter === other ? 0 : 1);
      let cost = Math.min(replaced, (last[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1);
      const isSwapped = column > 0 && letter === b[column - 1] && a[row - 1] === other;
      if (isSwapped) cost = Math.min(cost, (earlier[column - 1] ?? 0) + 1);
      current.push(cost);
    }
    if (Math.min(...current) > limit) return limit + 1;
    earlier = last;
    last = current;
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}

const LETTER_A = 97;
const LETTERS = 26;

/** One bit for each letter from a to z, the other letters share the six that are left. */
function letterMask(word: string): number {
  let mask = 0;
  for (const letter of word) {
    const place = (letter.codePointAt(0) ?? 0) - LETTER_A;
    mask |= 1 << (place >= 0 && place < LETTERS ? place : LETTERS + (Math.abs(place) % 6));
  }
  return mask;
}

function bitsOf(mask: number): number {
  let left = mask;
  let count = 0;
  for (; left !== 0; left &= left - 1) count += 1;
  return count;
}
