import fc from "fast-check";
import { type Pieces } from "./arbitrary-program.ts";

const name = (text: string) => ({ name: text });
const method = (text: string) => ({ method: text });

const argument = (slot: string, ...value: Pieces): Pieces => [name(slot), "=", ...value];

const note = fc.constantFrom<Pieces>(
  argument("note", '"n"'),
  argument("note", "<<T\nlong\nT"),
  argument("note", "12.50"),
  [],
);

const own: fc.Arbitrary<Pieces> = fc.oneof(
  fc.constant<Pieces>([".", method("ping"), "()"]),
  fc.constant<Pieces>([".", method("delete"), "()"]),
  note.map((more): Pieces => [
    ".",
    method("send"),
    "(",
    ...commas(argument("to", '"x"'), more),
    ")",
  ]),
  note.map((more): Pieces => [
    ".",
    method("update"),
    "(",
    ...commas(argument("state", "lost"), more),
    ")",
  ]),
);

const one: fc.Arbitrary<Pieces> = own.map((call): Pieces => [
  { entity: "Boat" },
  '("b1")',
  ...call,
]);

const create: fc.Arbitrary<Pieces> = note.map((more): Pieces => [
  { entity: "Boat" },
  ".",
  method("create"),
  "(",
  ...commas(argument("name", "x"), argument("owner", { entity: "Person" }, '("ann")'), more),
  ")",
]);

const perRow: fc.Arbitrary<Pieces> = fc.oneof(
  own.map((call): Pieces => ["_", ...call]),
  own.map((call): Pieces => [{ entity: "Boat" }, "(_.", name("id"), ")", ...call]),
  fc.constant<Pieces>([
    { entity: "Boat" },
    "(_).",
    method("send"),
    "(",
    name("to"),
    "=_.",
    name("name"),
    ")",
  ]),
);

/** A chain that is an effect: of one row, of the entity, or per row of some boats. */
export const arbitraryEffect: fc.Arbitrary<Pieces> = fc.oneof(
  one,
  create,
  perRow.map((body): Pieces => [
    { entity: "Boat" },
    "{",
    name("state"),
    "=lost}.limit(3) => ",
    ...body,
  ]),
);

function commas(...items: readonly Pieces[]): Pieces {
  return items
    .filter((item) => item.length > 0)
    .flatMap((item, at): Pieces => (at === 0 ? item : [", ", ...item]));
}
