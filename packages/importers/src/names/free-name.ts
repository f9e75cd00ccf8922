/** What no label of a program may be (LANG-021). */
const RESERVED = new Set(
  "_ page wait cancel any all not exists in true false null rows return let const var".split(" "),
);

const SYMBOL = /^[emp][0-9]+$/;

/** Whether a name would be read as something else in a program (LANG-021). */
const isReserved = (name: string): boolean => RESERVED.has(name) || SYMBOL.test(name);

/**
 * The nearest name that a catalog may have (CAT-017) and that is not reserved (LANG-021); `other` is
 * what a name without any letter becomes.
 */
export function catalogName(wanted: string, other: string): string {
  const plain = wanted.normalize("NFKD").replaceAll(/\p{M}+/gu, "");
  const safe = plain.replaceAll(/[^A-Za-z0-9_]+/g, "_").replaceAll(/^_+(?=.)|(?<!_)_+$/g, "");
  const named = safe === "" || safe === "_" ? other : safe;
  const begun = /^[0-9]/.test(named) ? `${other}_${named}` : named;
  return isReserved(begun) ? `${begun}_value` : begun;
}

/** A name that is not taken yet: the one wanted, else with the first number that is free; it is taken then. */
export function reserveName(taken: Set<string>, wanted: string): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
  taken.add(name);
  return name;
}
