import { expect } from "vitest";
import type { PlanMeta } from "../harness/answers.ts";
import { metres, type ListedBoat, type SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow } from "./conformance-row.ts";

type PlanDraft = PlanMeta["plan"];

const ids = (boats: readonly ListedBoat[]): readonly object[] => boats.map(({ id }) => ({ id }));
const owned = ({ boats }: SampleData, owner: string) =>
  boats.filter((boat) => boat.owner === owner);
const longer = ({ boats }: SampleData, than: number) =>
  boats.filter((boat) => (metres(boat) ?? 0) > than);

/** Longest first, nulls last, ties in the order of the list. */
const byLength = ({ boats }: SampleData, sign: 1 | -1) =>
  boats.toSorted((a, b) => {
    const [left, right] = [metres(a), metres(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });

const nodes = (plan: PlanDraft) => plan.nodes.map(({ kind }) => kind);
const first = (plan: PlanDraft) => plan.nodes[0];

/** Queries, searches, gets, limits, sorts and projections (C-001 to C-010, C-032, C-119). */
export const READ_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-001",
    construct: "query",
    cases: [
      {
        program: "Boat",
        planned: (plan) => {
          expect(nodes(plan)).toEqual(["query"]);
          expect(first(plan)).toMatchObject({ capability: "boat_query", args: {}, filter: null });
        },
        live: ({ boats }) => ({
          results: [boats.slice(0, 20).map(({ id, name, state }) => ({ id, name, state }))],
          handle: true,
          requests: ["/boats?page=1&per_page=20"],
        }),
      },
    ],
  },
  {
    id: "C-002",
    construct: "limit",
    cases: [
      {
        program: "Boat.limit(2)",
        live: ({ boats }) => ({
          results: [ids(boats.slice(0, 2))],
          handle: false,
          requests: ["/boats?page=1&per_page=20"],
        }),
      },
    ],
  },
  {
    id: "C-003",
    construct: "via label",
    cases: [
      {
        program: "a = Boat\na.limit(2)",
        sameAs: "Boat.limit(2)",
        live: ({ boats }) => ({ results: [ids(boats.slice(0, 2))], requests: ["/boats"] }),
      },
    ],
  },
  {
    id: "C-004",
    construct: "search",
    cases: [
      {
        program: 'Boat~"Al"',
        planned: (plan) =>
          expect(first(plan)).toMatchObject({ kind: "search", args: { q: { lit: "Al" } } }),
        live: ({ boats }) => ({
          results: [ids(boats.filter(({ name }) => name.toLowerCase().includes("al")))],
          requests: ["/search/boats?q=Al"],
        }),
      },
    ],
  },
  {
    id: "C-005",
    construct: "get",
    cases: [
      {
        program: 'Boat("b1")',
        planned: (plan) =>
          expect(first(plan)).toMatchObject({
            kind: "get",
            key: { id: { lit: "b1" } },
            result: { card: "one" },
          }),
        live: () => ({ results: [[{ id: "b1", name: "Alma" }]], requests: ["/boats/b1"] }),
      },
    ],
  },
  {
    id: "C-006",
    construct: "condition sent",
    cases: [
      {
        program: "Boat{owner=ann}",
        planned: (plan) => {
          expect(nodes(plan)).toEqual(["query"]);
          expect(first(plan)).toMatchObject({ capability: "boat_query_owner", filter: null });
          expect(first(plan)?.args).toEqual({ owner: { lit: "ann" } });
        },
        live: (data) => ({
          results: [ids(owned(data, "ann").slice(0, 20))],
          whole: ids(owned(data, "ann")),
          requests: ["/owners/ann/boats"],
        }),
      },
    ],
  },
  {
    id: "C-007",
    construct: "condition local",
    cases: [
      {
        program: "Boat{length>10}",
        planned: (plan) =>
          expect(first(plan)).toMatchObject({
            capability: "boat_query",
            args: {},
            filter: { op: ">", path: ["length"] },
            limit: null,
          }),
        live: (data) => ({ whole: ids(longer(data, 10)), unsent: ["length"] }),
      },
      {
        program: "Boat{length>10}.limit(3)",
        live: (data) => ({ results: [ids(longer(data, 10).slice(0, 3))], unsent: ["length"] }),
      },
    ],
  },
  {
    id: "C-008",
    construct: "limit, project",
    cases: [
      {
        program: "Boat.limit(1)[id,name]",
        live: () => ({ results: [[{ id: "b1", name: "Alma" }]], columns: ["id", "name"] }),
      },
      {
        program: "Boat.limit(1)[name,id]",
        live: () => ({ results: [[{ id: "b1", name: "Alma" }]], columns: ["name", "id"] }),
      },
    ],
  },
  {
    id: "C-009",
    construct: "sort, limit",
    cases: [
      {
        program: "Boat.sort(length, desc).limit(2)[id,length]",
        live: (data) => ({
          results: [ids(byLength(data, -1).slice(0, 2))],
          columns: ["id", "length"],
          requests: ["/boats?page=1", "/boats?page=2", "/boats?page=3", "/boats?page=4"],
        }),
      },
    ],
  },
  {
    id: "C-010",
    construct: "ascending",
    cases: [
      {
        program: "Boat.sort(length, asc).limit(3)",
        live: (data) => ({ results: [ids(byLength(data, 1).slice(0, 3))] }),
      },
    ],
  },
  {
    id: "C-032",
    construct: "page_size",
    cases: [
      {
        program: "e(quay.Boat).page_size(10)",
        live: ({ boats }) => ({
          results: [ids(boats.slice(0, 10))],
          whole: ids(boats),
          handle: true,
          requests: ["/boats?page=1&per_page=20"],
        }),
      },
    ],
  },
  {
    id: "C-119",
    construct: "page size",
    cases: [
      {
        program: "Boat.page_size(50)",
        live: ({ boats }) => ({
          results: [ids(boats.slice(0, 50))],
          whole: ids(boats),
          handle: true,
          requests: ["/boats?page=1", "/boats?page=2", "/boats?page=3"],
        }),
      },
    ],
  },
];
