import { expect } from "vitest";
import type { SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow } from "./conformance-row.ts";

/** A view reads its lists to the end; b1 has more visits than a page holds. */
const VISIT_PAGES = ["/boats/b1/visits?offset=0", "/boats/b1/visits?offset=20"];

const ann = ({ boats }: SampleData): number => boats.filter(({ owner }) => owner === "ann").length;

/** The pages of ann's boats, the last of which is not full. */
const fleetPages = (data: SampleData): readonly string[] =>
  Array.from(
    { length: Math.floor(ann(data) / 20) + 1 },
    (_none, at) => `/owners/ann/boats?page=${at + 1}`,
  );

const echo = { results: [[{ boat: "b1", echo: "b1" }]], columns: ["boat", "echo"] };

/** Views and their relations (C-033 to C-036, C-038, C-039). */
export const VIEW_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-033",
    construct: "view query",
    cases: [
      {
        program: "Digest{boat=b1}[boat,echo]",
        planned: (plan) => {
          expect(plan.nodes[0]).toMatchObject({ kind: "query", capability: "digest_query" });
          expect(plan.bill["requests"]).toEqual({ max: 10 });
        },
        live: () => ({ ...echo, requests: VISIT_PAGES }),
      },
    ],
  },
  {
    id: "C-034",
    construct: "view get",
    cases: [
      {
        program: 'Digest("b1")[boat,echo]',
        planned: (plan) =>
          expect(plan.nodes[0]).toMatchObject({ kind: "get", capability: "digest_get" }),
        live: () => ({ ...echo, requests: VISIT_PAGES }),
      },
    ],
  },
  {
    id: "C-035",
    construct: "view computed",
    cases: [
      {
        program: "Digest{boat=b1}[slug]",
        live: ({ visits }) => ({ results: [[{ slug: `b1-${visits.length}` }]] }),
      },
    ],
  },
  {
    id: "C-036",
    construct: "view relation",
    cases: [
      {
        program: 'd = Digest("b1")\ns = d.visits[day,fee]\ns',
        planned: (plan) => expect(plan.nodes[1]).toMatchObject({ via: "view", capability: null }),
        live: ({ visits }) => ({
          results: [visits.map(({ day }) => ({ day }))],
          columns: ["day", "fee"],
          requests: VISIT_PAGES,
        }),
      },
      {
        program: 'Digest("b1").visits{fee>10}[day]',
        live: ({ visits }) => ({
          whole: visits.filter(({ fee }) => Number(fee) > 10).map(({ day }) => ({ day })),
          requests: VISIT_PAGES,
        }),
      },
    ],
  },
  {
    id: "C-038",
    construct: "inner node field",
    cases: [
      {
        program: "Digest{boat=b1}[visit_count]",
        live: ({ visits }) => ({
          results: [[{ visit_count: visits.length }]],
          requests: VISIT_PAGES,
        }),
      },
    ],
  },
  {
    id: "C-039",
    construct: "inner binding",
    cases: [
      {
        program: "Stats{boat=b1}[person,n]",
        live: (data) => ({
          results: [[{ person: "ann", n: ann(data) }]],
          requests: ["/boats/b1", ...fleetPages(data)],
        }),
      },
    ],
  },
];
