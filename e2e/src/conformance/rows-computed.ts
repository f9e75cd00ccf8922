import type { ListedBoat, SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow } from "./conformance-row.ts";

const ids = (boats: readonly ListedBoat[]): readonly object[] => boats.map(({ id }) => ({ id }));
const first = ({ boats }: SampleData, count: number): readonly ListedBoat[] =>
  boats.slice(0, count);

/** Twice a length and one more, as far as a double holds it exactly; the sample's lengths have one place at most. */
const twice = (length: ListedBoat["length"]): number | null =>
  length === null ? null : Math.round((Number(length) * 2 + 1) * 10) / 10;

const isLong = ({ length }: ListedBoat): boolean => length !== null && Number(length) * 2 > 20;

function firstOfEach(boats: readonly ListedBoat[], keep: number): readonly ListedBoat[] {
  const seen = new Map<string | null, number>();
  return boats.filter(({ owner }) => {
    const before = seen.get(owner) ?? 0;
    seen.set(owner, before + 1);
    return before < keep;
  });
}

/** Values that are computed, in rows, conditions and steps (C-125 to C-133, C-140 to C-142). */
export const COMPUTED_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-125",
    construct: "arithmetic",
    cases: [
      {
        program: "b = Boat.limit(3)\nb => {x: _.length * 2 + 1}",
        live: (data) => ({
          results: [first(data, 3).map(({ length }) => ({ x: twice(length) }))],
          requests: ["/boats"],
        }),
      },
    ],
  },
  {
    id: "C-126",
    construct: "joined text",
    cases: [
      {
        program: 'b = Boat.limit(2)\nb => {t: "[" + _.name + "] " + _.state}',
        live: (data) => ({
          results: [first(data, 2).map(({ name, state }) => ({ t: `[${name}] ${state}` }))],
        }),
      },
    ],
  },
  {
    id: "C-127",
    construct: "and, or, not",
    cases: [
      {
        program: "Boat{state=lost and owner=ann}",
        sameAs: "Boat{state=lost, owner=ann}",
        live: ({ boats }) => ({
          whole: ids(boats.filter(({ state, owner }) => state === "lost" && owner === "ann")),
        }),
      },
      {
        program: "Boat{not (state=lost or state=moored)}",
        sameAs: "Boat{not{any{state=lost, state=moored}}}",
        live: ({ boats }) => ({
          whole: ids(boats.filter(({ state }) => state !== "lost" && state !== "moored")),
        }),
      },
    ],
  },
  {
    id: "C-128",
    construct: "computed condition",
    cases: [
      {
        program: "Boat{length * 2 > 20}",
        live: ({ boats }) => ({ whole: ids(boats.filter(isLong)) }),
      },
      {
        program: 'Boat{starts_with(name, "A")}',
        live: ({ boats }) => ({
          whole: ids(boats.filter(({ name }) => name.startsWith("A"))),
        }),
      },
    ],
  },
  {
    id: "C-129",
    construct: "computed steps",
    cases: [
      {
        program: "Boat.aggregate(lost=count(state=lost), all=count)",
        live: ({ boats }) => ({
          results: [
            [{ lost: boats.filter(({ state }) => state === "lost").length, all: boats.length }],
          ],
        }),
      },
      {
        program: "Boat.group_by(y=year(built), n=count)",
        live: ({ boats }) => {
          const counts = new Map<number | null, number>();
          for (const { built } of boats) {
            const year = built === null ? null : Number(built.slice(0, 4));
            counts.set(year, (counts.get(year) ?? 0) + 1);
          }
          return { whole: [...counts].map(([y, n]) => ({ y, n })) };
        },
      },
    ],
  },
  {
    id: "C-130",
    construct: "relative date",
    cases: [
      {
        program: "Boat{built > today - 3650d}",
        sameAs: "Boat{built>today-3650d}",
        live: ({ boats }) => {
          const bound = new Date(Date.now() - 3_650 * 86_400_000).toISOString().slice(0, 10);
          return { whole: ids(boats.filter(({ built }) => built !== null && built > bound)) };
        },
      },
    ],
  },
  {
    id: "C-131",
    construct: "no value",
    cases: [
      {
        program: "b = Boat.limit(2)\nb => {x: 1 / length(replace(_.name, _.name, text()))}",
        errors: [{ code: "argument_missing", says: ["text"] }],
      },
      {
        program: "b = Boat.limit(2)\nb => {x: 1 / (length(_.name) - length(_.name))}",
        live: () => ({ results: [[{ x: null }, { x: null }]], partial: "cell_unfit" }),
      },
    ],
  },
  {
    id: "C-133",
    construct: "first of each group",
    cases: [
      {
        program: "Boat.limit(1, per=owner)",
        sameAs: "Boat.distinct(owner)",
        live: ({ boats }) => ({ whole: ids(firstOfEach(boats, 1)) }),
      },
      {
        program: "Boat.sort(length, desc).limit(2, per=owner)",
        live: ({ boats }) => {
          const order = (boat: ListedBoat): number =>
            boat.length === null ? Number.NEGATIVE_INFINITY : Number(boat.length);
          const sorted = boats.toSorted((a, b) => order(b) - order(a));
          return { whole: ids(firstOfEach(sorted, 2)) };
        },
      },
    ],
  },
  {
    id: "C-140",
    construct: "related count",
    cases: [
      {
        program: 'b = Boat("b1")\nb => {n: count(_.visits), fees: sum(_.visits.fee)}',
        live: ({ visits }) => ({
          results: [
            [{ n: visits.length, fees: visits.reduce((sum, { fee }) => sum + Number(fee), 0) }],
          ],
        }),
      },
    ],
  },
  {
    id: "C-141",
    construct: "related condition",
    cases: [
      {
        program: "b = Boat.limit(3)\nb{exists(visits{fee > 100000})}[id]",
        live: () => ({ results: [[]] }),
      },
    ],
  },
  {
    id: "C-142",
    construct: "related mistakes",
    cases: [
      {
        program: "b = Boat\nb => {n: _.visits.aggregate(n=count).n}",
        errors: [{ code: "syntax", says: ["count(_.visits)"] }],
      },
      {
        program: "b = Boat\nb => {n: count(visits)}",
        errors: [{ code: "unknown_name", suggests: "b = Boat\nb => {n: count(_.visits)}" }],
      },
      {
        program: "b = Boat\nb => {n: sum(_.visits)}",
        errors: [{ code: "argument_missing", says: ["visits"] }],
      },
    ],
  },
  {
    id: "C-132",
    construct: "mistakes",
    cases: [
      {
        program: "b = Boat\nb => {x: _.built + 2}",
        errors: [{ code: "bad_operator", says: ["2d"] }],
      },
      {
        program: "b = Boat\nb => {x: upper(name)}",
        errors: [{ code: "unquoted_text", suggests: "b = Boat\nb => {x: upper(_.name)}" }],
      },
      {
        program: "Boat{lenght * 2 > 3}",
        errors: [{ code: "unquoted_text", suggests: "Boat{length * 2 > 3}" }],
      },
    ],
  },
];
