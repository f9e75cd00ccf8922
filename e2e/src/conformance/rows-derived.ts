import { expect } from "vitest";
import type { ListedBoat, SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow } from "./conformance-row.ts";

const ids = (boats: readonly ListedBoat[]): readonly object[] => boats.map(({ id }) => ({ id }));
const first = ({ boats }: SampleData, count: number): readonly ListedBoat[] =>
  boats.slice(0, count);
const nameOf = ({ people }: SampleData, login: string | null): string | null =>
  people.find((person) => person.login === login)?.name ?? null;

/** Literals as rows, rows derived of rows, and fields of referenced rows (C-020, C-021, C-065, C-077, C-087, C-095, C-097, C-103, C-116). */
export const DERIVED_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-020",
    construct: "text data",
    cases: [
      {
        program: "n = <<X\nhi\nX\nn, Boat.limit(1)",
        live: (data) => ({
          results: [[{ content: "hi" }], ids(first(data, 1))],
          requests: ["/boats"],
        }),
      },
    ],
  },
  {
    id: "C-021",
    construct: "derive",
    cases: [
      {
        program: "s = Boat.limit(3)\nc = s => {t: _.name}\ns, c",
        live: (data) => ({
          results: [ids(first(data, 3)), first(data, 3).map(({ name }) => ({ t: name }))],
          requests: ["/boats"],
        }),
      },
    ],
  },
  {
    id: "C-065",
    construct: "relation and field",
    cases: [
      {
        program: 'p = Person("ann")\np[boats]\np => {n: _.boats}',
        live: ({ boats }) => {
          const { length } = boats.filter(({ owner }) => owner === "ann");
          return { results: [[{ boats: length }], [{ n: length }]], requests: ["/people/ann"] };
        },
      },
      {
        program: 'p = Person("ann")\np.boats',
        live: ({ boats }) => ({
          whole: ids(boats.filter(({ owner }) => owner === "ann")),
        }),
      },
    ],
  },
  {
    id: "C-077",
    construct: "foreign",
    cases: [
      {
        program: 'Boat{owner.name="Ann"}',
        // No list of persons takes a name, so that distinct owners are read once each.
        planned: (plan) =>
          expect(plan.nodes).toMatchObject([
            { kind: "query", capability: "boat_query" },
            { kind: "join", path: ["owner"], capability: "person_get" },
            { kind: "compute", op: { filter: { path: ["owner", "name"] } } },
          ]),
        live: (data) => ({
          whole: ids(data.boats.filter(({ owner }) => nameOf(data, owner) === "Ann")),
          unsent: ["owner", "name"],
        }),
      },
      {
        program: 'Boat{owner.name="Ann"}.limit(1)[id]',
        live: () => ({ results: [[{ id: "b1" }]] }),
      },
    ],
  },
  {
    id: "C-087",
    construct: "fetched columns",
    cases: [
      {
        program: "Boat.limit(2)[id,name]",
        live: (data) => ({
          results: [first(data, 2).map(({ id, name }) => ({ id, name }))],
          columns: ["id", "name"],
          requests: ["/boats"],
        }),
      },
      {
        program: "Boat.limit(2)[id,note]",
        planned: (plan) =>
          expect(plan.bill).toMatchObject({ hydration: { certain: 2, possible: 0 } }),
        live: (data) => ({
          results: [ids(first(data, 2))],
          columns: ["id", "note"],
          requests: ["/boats", ...first(data, 2).map(({ id }) => `/boats/${id}`)],
        }),
      },
      {
        program: "Boat.limit(2)[name, owner.name]",
        planned: (plan) =>
          expect(plan.bill).toMatchObject({
            nodes: { n2: { requests: { max: 2 }, rows: { max: 2 } } },
          }),
        live: (data) => ({
          results: [
            first(data, 2).map(({ name, owner }) => ({ name, "owner.name": nameOf(data, owner) })),
          ],
          columns: ["name", "owner.name"],
          requests: [
            "/boats",
            ...new Set(
              first(data, 2).flatMap(({ owner }) => (owner === null ? [] : [`/people/${owner}`])),
            ),
          ],
        }),
      },
    ],
  },
  {
    id: "C-095",
    construct: "nested lists",
    cases: [
      {
        program: "x = [[1,2],{a: 1}]\nx",
        live: () => ({ results: [[{ value: [1, 2] }, { a: 1 }]], requests: [] }),
      },
    ],
  },
  {
    id: "C-097",
    construct: "not an effect",
    cases: [
      {
        program: "a = Boat.limit(2)\na => {m: _.meta.m1}",
        planned: (plan) =>
          expect(plan.nodes[1]).toMatchObject({ kind: "derive", effect_class: "local" }),
        live: () => ({
          results: [[{ m: "mark 1" }, { m: 1 }]],
          requests: ["/boats", "/boats/b1", "/boats/b2"],
        }),
      },
    ],
  },
  {
    id: "C-103",
    construct: "cursor",
    cases: [
      { program: "Boat(_.id)", errors: [{ code: "no_cursor" }] },
      {
        program: "a = Boat\na => {n: _.id} => {m: _.n}",
        errors: [{ code: "unexpected_text" }],
      },
    ],
  },
  {
    id: "C-116",
    construct: "list of literals",
    cases: [
      {
        program: 'ids = ["b1", "b999"]\nids => Boat(_.value)',
        live: () => ({
          results: [[{ id: "b1" }]],
          requests: ["/boats/b1", "/boats/b999"],
          partial: "source_failed",
        }),
      },
    ],
  },
];
