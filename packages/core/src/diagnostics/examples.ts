/**
 * What a message shows as an example, by what stands for it in the catalogue of messages: `‹E›` is an entity's
 * list, `‹p›` a column. A text without a session says it as the contract does, in metavariables.
 */
const GENERIC = {
  /** rows: an entity whose list can be read */
  E: "E",
  /** one row by its key */
  row: "E(id)",
  /** the same rows with one condition, with two, with one of two */
  found: "E{p=v}",
  either: "E{any{p=v, p=v}}",
  /** a search */
  search: 'E~"words"',
  /** a column, another one, one of numbers, one of another entity by its reference */
  p: "p",
  p2: "p",
  n: "p",
  path: "p.p",
  /** conditions */
  cond: "p=v",
  cond2: "p=v",
  cond3: "p=v",
  oneOf: "p in [v, v]",
  /** a call for each of `rows`, and calls that change one row or make one */
  /** new rows made of others */
  derive: "rows => {k: _.p}",
  each: "rows => E(_.p).m()",
  update: "E(id).m(p=v)",
  delete: "E(id).m()",
  create: "E.m(p=v)",
} as const;

export type ExampleName = keyof typeof GENERIC;

/** Gives what a session has for an example; null where it has no such thing. */
export type ExampleWords = (name: ExampleName) => string | null;

/** The words of a text that no session reads. */
export const GENERIC_WORDS: ExampleWords = (name) => GENERIC[name];

/** An argument of a message that shows an example: its words are those of the reader's session. */
export interface Example {
  readonly example: string;
}

/** A text that shows examples, as an argument of a message. */
export const example = (text: string): Example => ({ example: text });

const isExampleName = (name: string): name is ExampleName => Object.hasOwn(GENERIC, name);

/**
 * A text of the catalogue with the words of a session: what stands between `⟦` and `⟧` is left out where the
 * session lacks something that it shows. Null where something outside of those is lacking.
 */
export function worded(text: string, words: ExampleWords): string | null {
  const optional = text.replaceAll(
    /\u27e6([^\u27e6\u27e7]*)\u27e7/g,
    (_, part: string) => filled(part, words) ?? "",
  );
  return filled(optional, words);
}

function filled(text: string, words: ExampleWords): string | null {
  let lacks = false;
  const said = text.replaceAll(/\u2039(\w+)\u203a/g, (whole, name: string) => {
    if (!isExampleName(name)) return whole;
    const word = words(name);
    if (word === null) lacks = true;
    return word ?? "";
  });
  return lacks ? null : said;
}
