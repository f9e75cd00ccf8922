import fc from "fast-check";
import type { Exposure } from "../src/symbols/exposure.ts";
import { entitySymbol, methodSymbol, nameSymbol } from "../src/symbols/symbols.ts";

/** A piece of a program: text, or a name that has a symbol, too; methods are those of boats. */
export type Piece =
  | string
  | { readonly entity: string }
  | { readonly name: string }
  | { readonly method: string };

/** A program of reads as pieces, so that one program can be spelled in several ways. */
export type Pieces = readonly Piece[];

const name = (text: string): Piece => ({ name: text });

const condition: fc.Arbitrary<Pieces> = fc.oneof(
  fc.constantFrom("lost", "moored").map((state): Pieces => [name("state"), "=", state]),
  fc.constantFrom("=", "!=", ">", "<=").map((op): Pieces => [name("length"), op, "12.5"]),
  fc.constant([name("owner"), "=", { entity: "Person" }, '("ann")'] as const),
  fc.constant([name("name"), '~"Al"'] as const),
  fc.constant(["exists(", name("built"), ")"] as const),
  fc.constant([name("built"), ">today-7d"] as const),
  fc.constant([name("state"), " in [lost, sailing]"] as const),
  fc.constant(["not{", name("state"), "=lost}"] as const),
  fc.constant(["any{", name("state"), "=lost, ", name("length"), ">3}"] as const),
);

const conditions = fc.array(condition, { maxLength: 3 }).map(commas);

const step: fc.Arbitrary<Pieces> = fc.oneof(
  fc.integer({ min: 1, max: 60 }).map((n): Pieces => [`.limit(${n})`]),
  fc.integer({ min: 1, max: 60 }).map((n): Pieces => [`.page_size(${n})`]),
  fc.constant([".sort(", name("length"), ", desc)"] as const),
  fc.constant([".sort(", name("state"), ", ", name("name"), ")"] as const),
  conditions.map((items): Pieces => [".filter{", ...items, "}"]),
);

const ending: fc.Arbitrary<Pieces> = fc.oneof(
  fc.constant([] as const),
  fc.constant(["[", name("id"), ", ", name("name"), "]"] as const),
  fc.constant(["[", name("id"), ",", name("note"), "]"] as const),
  fc.constant([".", name("owner")] as const),
  fc.constant([".", name("visits"), ".filter{", name("fee"), ">10}"] as const),
  fc.constant([".", name("logs"), "[", name("text"), "]"] as const),
);

const source: fc.Arbitrary<Pieces> = fc.oneof(
  fc.constant([{ entity: "Boat" }] as const),
  fc.constant([{ entity: "Boat" }, '("b1")'] as const),
  fc.constant([{ entity: "Boat" }, '~"Al"'] as const),
  conditions.map((items): Pieces => [{ entity: "Boat" }, "{", ...items, "}"]),
);

/** One chain over the boats of the fixture, without errors. */
export const arbitraryChain: fc.Arbitrary<Pieces> = fc
  .tuple(source, fc.array(step, { maxLength: 3 }), ending)
  .map(([from, steps, end]) => [...from, ...steps.flat(), ...end]);

/** One to four chains, each a line. */
export const arbitraryChains: fc.Arbitrary<readonly Pieces[]> = fc.array(arbitraryChain, {
  minLength: 1,
  maxLength: 4,
});

function commas(items: readonly Pieces[]): Pieces {
  return items.flatMap((item, at): Pieces => (at === 0 ? item : [", ", ...item]));
}

/** The program text of pieces; `symbols` says for each name in turn whether it is a symbol. */
export function spell(pieces: Pieces, exposure: Exposure, symbols: () => boolean): string {
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      const wire = "entity" in piece ? piece.entity : "name" in piece ? piece.name : piece.method;
      return symbols() ? (symbolOf(piece, exposure) ?? wire) : wire;
    })
    .join("");
}

function symbolOf(piece: Exclude<Piece, string>, { symbols }: Exposure): string | null {
  if ("entity" in piece) return entitySymbol(symbols, { entryId: "quay", entity: piece.entity });
  if ("name" in piece) return nameSymbol(symbols, piece.name);
  return methodSymbol(symbols, { entryId: "quay", entity: "Boat", label: piece.method });
}
