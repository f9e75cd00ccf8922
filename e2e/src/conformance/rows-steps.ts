import { metres, type ListedBoat, type SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow } from "./conformance-row.ts";

type Cell = (boat: ListedBoat) => string | number | null;

const ids = (boats: readonly ListedBoat[]): readonly object[] => boats.map(({ id }) => ({ id }));

function compare(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

/** Sorts by cells, nulls last in both directions, ties in the order of the list (LANG-065). */
const sorted = (
  boats: readonly ListedBoat[],
  ...keys: readonly (readonly [Cell, 1 | -1])[]
): readonly object[] =>
  ids(
    boats.toSorted((a, b) => {
      for (const [cell, sign] of keys) {
        const [left, right] = [cell(a), cell(b)];
        if (left === right) continue;
        if (left === null) return 1;
        if (right === null) return -1;
        const order = sign * compare(left, right);
        if (order !== 0) return order;
      }
      return 0;
    }),
  );

const state: Cell = (boat) => boat.state;
const built: Cell = (boat) => boat.built;
const name: Cell = (boat) => boat.name;
const owner: Cell = (boat) => boat.owner;

const sortedBy =
  (...keys: readonly (readonly [Cell, 1 | -1])[]) =>
  ({ boats }: SampleData) => ({ whole: sorted(boats, ...keys) });

/** Steps that reorder, cut and narrow (C-081 to C-087). */
export const STEP_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-081",
    construct: "counts",
    cases: ["Boat.limit(0)", "Boat.limit(-1)", "Boat.limit(2.5)"].map((program) => ({
      program,
      errors: [{ code: "bad_count" }],
    })),
  },
  {
    id: "C-082",
    construct: "order of steps",
    cases: [
      {
        program: "Boat.limit(10).sort(length)",
        otherThan: "Boat.sort(length).limit(10)",
        live: ({ boats }) => ({
          results: [sorted(boats.slice(0, 10), [metres, 1])],
          requests: ["/boats"],
        }),
      },
    ],
  },
  {
    id: "C-083",
    construct: "keys and nulls",
    cases: [
      { program: "Boat.sort(state, length desc)", live: sortedBy([state, 1], [metres, -1]) },
      { program: "Boat.sort(state, desc)", live: sortedBy([state, -1]) },
    ],
  },
  {
    id: "C-084",
    construct: "typed sort",
    cases: [
      { program: "Boat.sort(built)", live: sortedBy([built, 1]) },
      { program: "Boat.sort(name)", live: sortedBy([name, 1]) },
      { program: "Boat.sort(length)", live: sortedBy([metres, 1]) },
    ],
  },
  {
    id: "C-085",
    construct: "reference sort",
    cases: [
      { program: "Boat.sort(owner)", live: sortedBy([owner, 1]) },
      { program: "Boat.sort(visits)", errors: [{ code: "relation_as_value" }] },
    ],
  },
  {
    id: "C-086",
    construct: "columns",
    cases: [
      { program: "Boat[nme]", errors: [{ code: "unknown_column", says: ["name"] }] },
      { program: "Boat[id].sort(length)", errors: [{ code: "unknown_column", says: ["length"] }] },
      { program: "Boat[id,id]", errors: [{ code: "duplicate_column" }] },
    ],
  },
];
