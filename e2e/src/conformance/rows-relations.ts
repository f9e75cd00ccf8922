import { expect } from "vitest";
import type { SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow } from "./conformance-row.ts";

const allVisits = ({ visits }: SampleData) => visits.map(({ day }) => ({ day }));

/** A relation reads every page of its list (RUN-050); b1 has more visits than a page holds. */
const VISIT_PAGES = ["/boats/b1/visits?offset=0", "/boats/b1/visits?offset=20"];

/** The owners of the first five boats, each once, in the order of their boats. */
const firstOwners = ({ boats }: SampleData): readonly string[] => [
  ...new Set(boats.slice(0, 5).flatMap(({ owner }) => (owner === null ? [] : [owner]))),
];

/** Relation and reference steps, and what they may cost (C-015 to C-025, C-079, C-093). */
export const RELATION_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-015",
    construct: "embedded relation",
    cases: [
      {
        program: 'Boat("b1").logs[id,text]',
        live: () => ({
          results: [
            [
              { id: 1, text: "left the pier" },
              { id: 2, text: "wind from the west" },
              { id: 3, text: "back at the pier" },
            ],
          ],
          columns: ["id", "text"],
          requests: ["/boats/b1"],
        }),
      },
    ],
  },
  {
    id: "C-017",
    construct: "scoped relation",
    cases: [
      {
        program: 'Boat("b1").visits',
        planned: (plan) => {
          expect(plan.nodes).toHaveLength(1);
          expect(plan.nodes[0]).toMatchObject({
            kind: "relation",
            capability: "visit_query",
            anchor: { id: { lit: "b1" } },
          });
        },
        live: (data) => ({ results: [allVisits(data)], requests: VISIT_PAGES }),
      },
    ],
  },
  {
    id: "C-022",
    construct: "step from label",
    cases: [
      {
        program: 'r = Boat("b1")\nr.visits',
        sameAs: 'Boat("b1").visits',
        live: (data) => ({ results: [allVisits(data)], requests: VISIT_PAGES }),
      },
    ],
  },
  {
    id: "C-023",
    construct: "step from limit",
    cases: [
      {
        program: "o = Boat.limit(1)\no.visits",
        planned: (plan) => expect(plan.bill["fan_out"]).toEqual({ max: 1 }),
        live: (data) => ({ whole: allVisits(data), unsent: ["state"] }),
      },
    ],
  },
  {
    id: "C-024",
    construct: "step after project",
    cases: [
      {
        program: 'p = Boat("b1")[name]\np.visits',
        live: (data) => ({ results: [allVisits(data)], requests: VISIT_PAGES }),
      },
      {
        program: "p = Boat.limit(1)[name]\np.visits",
        live: (data) => ({ whole: allVisits(data) }),
      },
    ],
  },
  {
    id: "C-025",
    construct: "one to one",
    cases: [
      {
        program: 'b = Boat("b1").papers\nb.office',
        planned: (plan) => expect(plan.nodes.at(-1)?.result.card).toBe("opt"),
        live: () => ({
          results: [[{ id: "o1", city: "Bergen" }]],
          requests: ["/boats/b1", "/papers/pa1", "/offices/o1"],
        }),
      },
    ],
  },
  {
    id: "C-031",
    construct: "federation",
    cases: [
      {
        program: 'e(quay.Boat)("b1").papers',
        yard: true,
        planned: (plan) => {
          expect(plan.nodes.length).toBeGreaterThan(0);
          for (const node of plan.nodes) expect(node.catalog?.entry_id).toBe("quay");
        },
        live: () => ({ results: [[{ id: "pa1" }]] }),
      },
    ],
  },
  {
    id: "C-037",
    construct: "bound get",
    cases: [
      {
        program: 'Boat("b1").twin[id]',
        planned: (plan) => {
          expect(plan.nodes[0]).toMatchObject({
            kind: "relation",
            capability: "boat_get_twin",
            via: "get_scoped_bindings",
            anchor: { id: { lit: "b1" } },
          });
        },
        live: () => ({
          results: [[{ id: "b2" }]],
          columns: ["id"],
          requests: ["/boats/b1/twin"],
        }),
      },
      {
        program: "b = Boat.limit(1)\nb.twin[id, note]",
        live: () => ({ results: [[{ id: "b2" }]], requests: ["/boats", "/boats/b1/twin"] }),
      },
      {
        program: "Boat.limit(2).twin[id]",
        live: () => ({
          results: [[{ id: "b2" }, { id: "b1" }]],
          requests: ["/boats", "/boats/b1/twin", "/boats/b2/twin"],
        }),
      },
    ],
  },
  {
    id: "C-079",
    construct: "anchored filter",
    cases: [
      {
        program: 'Boat("b1").visits{fee>10}',
        live: ({ visits }) => ({
          whole: visits.filter(({ fee }) => Number(fee) > 10).map(({ day }) => ({ day })),
          requests: VISIT_PAGES,
        }),
      },
    ],
  },
  {
    id: "C-093",
    construct: "fan-out",
    cases: [
      {
        program: "Boat.limit(5).owner",
        live: (data) => ({
          results: [firstOwners(data).map((login) => ({ login }))],
          requests: ["/boats", ...firstOwners(data).map((login) => `/people/${login}`)],
        }),
      },
    ],
  },
];
