import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryCatalogSet, ENTITIES } from "../../test/arbitrary-catalog.ts";
import { rowsOf, teach, type Call } from "../../test/teach.ts";

type CellPair = readonly [left: string, meaning: string];

/** The wire name that a row in symbols says, and which word of its Meaning that is; null if it says none. */
function nameIn([left, meaning]: CellPair): { readonly name: string; readonly at: number } | null {
  const words = meaning.split(" ");
  const [first = "", second = "·"] = words;
  if (/^p\d+$/.test(left)) return /[:,]$/.test(first) ? null : { name: first, at: 0 };
  if (meaning.includes(" · no reads")) return { name: first, at: 0 };
  return second === "·" ? null : { name: second, at: 1 };
}

/** Calls that teach all entities of two catalogs, in waves of any size. */
const calls = fc
  .shuffledSubarray(
    ["north", "south"].flatMap((entryId) => ENTITIES.map((entity) => [entryId, entity] as const)),
    { minLength: 1 },
  )
  .chain((seeds) =>
    fc.integer({ min: 1, max: seeds.length }).map((first): readonly Call[] => {
      const rest = seeds.slice(first);
      return rest.length === 0 ? [seeds] : [seeds.slice(0, first), rest];
    }),
  );

/** What is wrong with a row in names, given the same row in symbols: it says that name, or its left cell has it. */
function fault(symbols: CellPair, [left, meaning]: CellPair): string | null {
  const said = nameIn(symbols);
  const [words, found] = [symbols[1].split(" "), meaning.split(" ")];
  if (said === null) return found.length === words.length ? null : "a name that nothing says";
  if (found.length === words.length) {
    if (found[said.at] !== said.name) return "another name";
    const isSaidTwice = left === said.name || left.includes(`.${said.name}(`);
    return isSaidTwice ? "a name said twice" : null;
  }
  // `Boat · no reads` goes with its sign.
  const gone = found[0] === "no" && found[1] === "reads" ? 2 : 1;
  if (found.length !== words.length - gone) return "more left out than a name";
  return left.match(/[\w-]+/g)?.includes(said.name) === true ? null : "a name said nowhere";
}

test("TEACH-13, TEACH-26: in names a row leaves out a name that its left cell has, and nothing else", () => {
  fc.assert(
    fc.property(arbitraryCatalogSet(), calls, (catalogs, seeds) => {
      const symbols = teach(catalogs, seeds).waves.flatMap(rowsOf);
      const names = teach(catalogs, seeds, { notation: "names" }).waves.flatMap(rowsOf);
      expect(names).toHaveLength(symbols.length);
      const faults = symbols.map((row, at) => fault(row, names[at] ?? ["", ""]));
      expect(faults.map((why, at) => [names[at], why]).filter(([, why]) => why !== null)).toEqual(
        [],
      );
    }),
    { numRuns: 30 },
  );
});
