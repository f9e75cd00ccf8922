import fc from "fast-check";

/** What a row's rules ask of one slot's value. */
export interface ValueRules {
  readonly least: number | null;
  readonly most: number | null;
  readonly shortest: number;
  readonly longest: number;
  readonly pattern: string | null;
}

/** What the rules of a row say of the value at a path (RUN-016). */
export function valueRules(rules: readonly string[], path: string): ValueRules {
  const said = rules.flatMap((rule) =>
    rule.startsWith(`${path} `) ? [rule.slice(path.length + 1)] : [],
  );
  const after = (word: string): string | null =>
    said.find((rule) => rule.startsWith(word))?.slice(word.length) ?? null;
  const number = (word: string): number | null => {
    const text = after(word);
    return text === null ? null : Number(text);
  };
  return {
    least: number(">= "),
    most: number("<= "),
    shortest: number("length >= ") ?? 0,
    longest: number("length <= ") ?? Number.POSITIVE_INFINITY,
    pattern: after("matches "),
  };
}

/** A text that satisfies rules, as a program writes it; null if they ask nothing of a text. */
export function textBy({ pattern, shortest, longest }: ValueRules): string | null {
  if (pattern === null && shortest <= 9 && longest >= 9) return null;
  const drawn = fc
    .stringMatching(new RegExp(pattern ?? "^[a-z]*$", "u"), { size: "small" })
    .map((text) => text.padEnd(pattern === null ? shortest : 0, "x"))
    .filter((text) => Array.from(text).length >= shortest && Array.from(text).length <= longest);
  return JSON.stringify(fc.sample(drawn, { seed: 1, numRuns: 1 })[0] ?? "");
}

/** A number within bounds. */
export function numberBy({ least, most }: ValueRules, usual: string): string {
  if (least !== null && Number(usual) < least) return String(least);
  return most !== null && Number(usual) > most ? String(most) : usual;
}

/**
 * The options that an agent gives who wants `wanted` and keeps to the rules of a row: those that others need,
 * one of those of which one has to be there, none that exclude each other. `shown` are given in any case.
 */
export function optionsBy(
  rules: readonly string[],
  shown: readonly string[],
  wanted: readonly string[],
): readonly string[] {
  const given = new Set([...shown, ...wanted]);
  const after = (rule: string, words: string): readonly string[] =>
    rule.startsWith(words) ? rule.slice(words.length).split(" ") : [];
  const add = (names: readonly string[]): void => {
    for (const name of names) given.add(name);
  };
  // What others need stays, whatever else has to go.
  const needed = new Set(shown);
  for (let round = 0; round < 4; round += 1) {
    for (const rule of rules) {
      const [name = "", names] = rule.split(" needs ");
      if (names === undefined || !given.has(name)) continue;
      for (const each of names.split(" ")) needed.add(each);
      add([...needed]);
    }
    for (const rule of rules) {
      const one = after(rule, "exactly one of ");
      const few = [...one, ...after(rule, "at most one of ")];
      const there = few.filter((name) => given.has(name));
      const kept = there.find((name) => needed.has(name)) ?? there[0];
      for (const name of there) if (name !== kept) given.delete(name);
      const some = [...one, ...after(rule, "at least one of ")];
      if (!some.some((name) => given.has(name))) add(some.slice(0, 1));
      const all = after(rule, "all or none of ");
      if (all.some((name) => given.has(name))) add(all);
    }
  }
  return [...given].filter((name) => !shown.includes(name));
}
