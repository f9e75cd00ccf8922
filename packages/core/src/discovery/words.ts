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

const VOWEL = /[aeiouy]/;

/**
 * The stem of an English word: plural, -ing and -ed taken off, and what they change in spelling
 * levelled, so that `planning`, `planned`, `plans` and `plan` are one term. Stems are not words.
 */
export function foldWord(word: string): string {
  return levelled(withoutEnding(singular(spelt(baseOf(word)))));
}

/** Spellings that differ between the coasts of an ocean: `harbour`, `organisation`, `catalogue`. */
function spelt(word: string): string {
  return word
    .replace(/(?<=\p{L}{3})our(?=s?$|ed$|ing$)/u, "or")
    .replace(/(?<=\p{L}{3}[^w])is(?=e[sd]?$|ing$|ations?$)/u, "iz")
    .replace(/(?<=\p{L}{3})logue(?=s?$)/u, "log");
}

function singular(word: string): string {
  if (word.length < 4) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2);
  return /(?:ss|us|is)$/.test(word) || !word.endsWith("s") ? word : word.slice(0, -1);
}

function withoutEnding(word: string): string {
  const stem = /^(.{3,})ing$/.exec(word)?.[1] ?? /^(.{2,}[^e])ed$/.exec(word)?.[1];
  return stem !== undefined && VOWEL.test(stem) ? stem : word;
}

function levelled(stem: string): string {
  if (stem.length < 4) return stem;
  const single = /([bdfglmnprtz])\1$/.test(stem) ? stem.slice(0, -1) : stem;
  if (single.length > 3 && single.endsWith("e")) return single.slice(0, -1);
  return single.endsWith("y") ? `${single.slice(0, -1)}i` : single;
}

/** Forms of English that no ending tells: the base first, then what becomes of it. */
const FORMS = `
be am is are was were been
begin began begun
break broke broken
bring brought
build built
buy bought
catch caught
choose chose chosen
come came
do did done does
draw drew drawn
drive drove driven
fall fell fallen
find found
get got gotten
give gave given
go went gone goes
grow grew grown
have had has
hear heard
hide hid hidden
hold held
keep kept
know knew known
lead led
leave left
lend lent
lose lost
make made
mean meant
meet met
pay paid
ring rang rung
rise rose risen
run ran
say said
see saw seen
sell sold
send sent
show shown
sink sank sunk
spend spent
stand stood
stick stuck
take took taken
tell told
think thought
throw threw thrown
understand understood
win won
write wrote written
child children
man men
woman women
person people persons
analysis analyses
index indices
vertex vertices
`;

const BASES: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split("\n")
    .flatMap((line) => {
      const [base = "", ...forms] = line.split(" ");
      return forms.map((form): [string, string] => [form, base]);
    }),
);

/** The base of an irregular form (`wrote`: `write`, `people`: `person`), any other word as it is. */
const baseOf = (word: string): string => BASES.get(word) ?? word;

/** Runs of letters; `APIs` and the like stay one word. */
const RUN = /[\p{L}\p{M}]+/gu;
/** An acronym (with its plural s), a capitalised or small word, or letters without case. */
const WORD =
  /\p{Lu}{2,}s?(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?=\p{Lu}\p{Ll})|[\p{Lu}\p{Lt}]+|[\p{Lm}\p{Lo}\p{M}]+/gu;

/**
 * The terms of a text (TEACH-37): split at non-letters, at camel and snake boundaries, acronyms kept
 * whole; lower case, plural and -ing/-ed folded; terms of one character dropped.
 */
export function tokenize(text: string): readonly string[] {
  return plainWords(text)
    .map(foldWord)
    .filter((term) => Array.from(term).length > 1);
}

/** The words of a text in lower case and in the singular, irregular forms too, and nothing else of them folded. */
export const inSingular = (text: string): readonly string[] =>
  plainWords(text).map((word) => singular(baseOf(word)));

/** The words of a text in lower case, not folded. */
export const plainWords = (text: string): readonly string[] =>
  casedWords(text).map((word) => word.toLowerCase());

/** The words of a text as they are written. */
export function casedWords(text: string): readonly string[] {
  const runs = text.normalize("NFC").match(RUN) ?? [];
  return runs.flatMap((run) => run.match(WORD) ?? []);
}
