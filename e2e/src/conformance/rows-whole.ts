import { expect } from "vitest";
import type { ListedBoat, SampleData } from "../harness/sample-data.ts";
import type { PlanMeta } from "../harness/answers.ts";
import type { ConformanceRow } from "./conformance-row.ts";
import { exactSum } from "./exact-sum.ts";

/** Every page of a list of so many boats. */
const pagesAt = (path: string, boats: readonly ListedBoat[]): readonly string[] =>
  Array.from({ length: Math.ceil(boats.length / 20) }, (_none, i) => `${path}?page=${i + 1}`);
const pagesOf = ({ boats }: SampleData): readonly string[] => pagesAt("/boats", boats);

const computes = ({ nodes }: PlanMeta["plan"]): readonly object[] =>
  nodes.filter(({ kind }) => kind === "compute");

const lengths = (boats: readonly ListedBoat[]): readonly (number | string)[] =>
  boats.flatMap(({ length }) => (length === null ? [] : [length]));

/** Rows of each value, in order of first appearance. */
function groups({ boats }: SampleData, key: "owner" | "state"): readonly { readonly n: number }[] {
  const counts = new Map<string | null, number>();
  for (const boat of boats) counts.set(boat[key], (counts.get(boat[key]) ?? 0) + 1);
  return [...counts].map(([value, n]) => ({ [key]: value, n }));
}

/** The first boat of each owner. */
const firstOfOwner = ({ boats }: SampleData): readonly ListedBoat[] =>
  boats.filter((boat, i) => boats.findIndex(({ owner }) => owner === boat.owner) === i);

/** Rows made of all rows: aggregates, groups, distinct, singleton (C-011 to C-016, C-088 to C-094). */
export const WHOLE_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-011",
    construct: "count",
    cases: [
      {
        program: "Boat.aggregate(n=count)",
        planned: (plan) => expect(plan.nodes.at(-1)?.result.card).toBe("one"),
        live: (data) => ({
          results: [[{ n: data.boats.length }]],
          columns: ["n"],
          requests: pagesOf(data),
          handle: false,
        }),
      },
    ],
  },
  {
    id: "C-012",
    construct: "unnamed",
    cases: [
      {
        program: "Boat.aggregate(count)",
        live: ({ boats }) => ({ results: [[{ count: boats.length }]], columns: ["count"] }),
      },
    ],
  },
  {
    id: "C-013",
    construct: "sum",
    cases: [
      {
        program: "Boat.aggregate(t=sum(length))",
        live: ({ boats }) => ({ results: [[{ t: exactSum(lengths(boats)) }]], columns: ["t"] }),
      },
    ],
  },
  {
    id: "C-014",
    construct: "group",
    cases: [
      {
        program: "Boat.group_by(owner, n=count)",
        live: (data) => {
          const rows = groups(data, "owner");
          expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(data.boats.length);
          return { results: [rows], columns: ["owner", "n"], requests: pagesOf(data) };
        },
      },
    ],
  },
  {
    id: "C-016",
    construct: "singleton after limit",
    cases: [
      {
        program: "Boat.limit(5).singleton()",
        planned: (plan) => {
          expect(plan.nodes[0]).toMatchObject({ kind: "query", limit: 5 });
          expect(computes(plan)).toMatchObject([{ op: { singleton: true } }]);
        },
        live: () => ({
          fails: { code: "singleton_count", says: ["5 came", ".limit(1)"] },
          requests: ["/boats?page=1"],
        }),
      },
      {
        program: "Boat.singleton()",
        live: () => ({
          fails: { code: "singleton_count", says: ["at least 20 came"] },
          requests: ["/boats?page=1"],
        }),
      },
      {
        program: "Boat.limit(1).singleton()[id]",
        live: ({ boats }) => ({ results: [[{ id: boats[0]?.id }]], requests: ["/boats?page=1"] }),
      },
    ],
  },
  {
    id: "C-088",
    construct: "groups",
    cases: [
      {
        program: "Boat.group_by(state, n=count)",
        live: (data) => {
          const rows = groups(data, "state");
          expect(rows.filter((row) => "state" in row && row.state === null)).toHaveLength(1);
          return { results: [rows] };
        },
      },
      {
        program: "Boat.group_by(state, state=count)",
        errors: [{ code: "duplicate_column", says: ["state"] }],
      },
    ],
  },
  {
    id: "C-089",
    construct: "empty aggregate",
    cases: [
      {
        program: "Boat{id=none}.aggregate(n=count, m=count(built), s=sum(length), a=avg(length))",
        live: () => ({
          results: [[{ n: 0, m: 0, s: 0, a: null }]],
          columns: ["n", "m", "s", "a"],
          requests: ["/boats/none"],
        }),
      },
    ],
  },
  {
    id: "C-090",
    construct: "wrong type",
    cases: [
      {
        program: "Boat.aggregate(s=sum(name))",
        errors: [{ code: "bad_column_type", says: ["name", "length"] }],
      },
      { program: "Boat.sort(flags)", errors: [{ code: "bad_column_type", says: ["flags"] }] },
    ],
  },
  {
    id: "C-091",
    construct: "step after reorder",
    cases: [
      {
        program: "Boat.distinct(owner).visits",
        live: (data) => ({
          requests: [
            ...pagesOf(data),
            ...firstOfOwner(data).map(
              ({ id }) => `/boats/${encodeURIComponent(id)}/visits?offset=0`,
            ),
            // b1 has more visits than a page holds.
            "/boats/b1/visits?offset=20",
          ],
        }),
      },
      {
        program: "Boat{owner=ann}.sort(length, desc).limit(1).visits",
        live: ({ boats }) => {
          const anns = boats.filter(({ owner }) => owner === "ann");
          const [longest] = anns
            .filter(({ length }) => length !== null)
            .toSorted((a, b) => Number(b.length) - Number(a.length));
          const visits = `/boats/${longest?.id}/visits`;
          return { requests: [...pagesAt("/owners/ann/boats", anns), visits] };
        },
      },
    ],
  },
  {
    id: "C-092",
    construct: "relation lost",
    cases: [
      {
        program: "Boat.group_by(owner).visits",
        errors: [{ code: "relation_lost", says: [".group_by(owner)"] }],
      },
    ],
  },
  {
    id: "C-094",
    construct: "budget",
    cases: [
      {
        program: "Boat.aggregate(n=count)",
        onePage: true,
        planned: (_plan, { dry_review: { reasons } }) =>
          expect(reasons).toContainEqual(
            expect.objectContaining({ code: "unbounded_read", severity: "expensive" }),
          ),
        live: () => ({
          results: [[{ n: 20 }]],
          partial: "pages",
          handle: true,
          requests: ["/boats?page=1"],
        }),
      },
    ],
  },
  {
    id: "C-118",
    construct: "counts",
    cases: [
      {
        program: "Boat.aggregate(n=count())",
        sameAs: "Boat.aggregate(n=count)",
        live: ({ boats }) => ({ results: [[{ n: boats.length }]] }),
      },
    ],
  },
];
