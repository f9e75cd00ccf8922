import { expect } from "vitest";
import { metres, type ListedBoat, type SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow, Reading } from "./conformance-row.ts";

const ids = (boats: readonly ListedBoat[]): readonly object[] => boats.map(({ id }) => ({ id }));
const filtered =
  (test: (boat: ListedBoat) => boolean) =>
  ({ boats }: SampleData): readonly object[] =>
    ids(boats.filter(test));

const boatsOf = (data: SampleData, login: string) => filtered(({ owner }) => owner === login)(data);
const annsFirst = filtered(({ owner }) => owner === "ann");

/** A program all of whose conditions are tested on the rows, never sent. */
const local = (program: string, test: (boat: ListedBoat) => boolean): Reading => ({
  program,
  planned: (plan) => expect(plan.nodes[0]).toMatchObject({ capability: "boat_query", args: {} }),
  live: (data) => ({
    whole: filtered(test)(data),
    unsent: ["state", "near", "owner", "length", "built", "name"],
  }),
});

/** Which condition is sent and which is tested on the rows (C-069 to C-078, C-121, C-124). */
export const CONDITION_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-049",
    construct: "numbers",
    cases: [
      {
        program: "Boat{length=-0}",
        planned: (plan) => expect(plan.nodes[0]).toMatchObject({ filter: { value: { lit: 0 } } }),
        live: () => ({ whole: [] }),
      },
      {
        program: "Boat{length=1e309}",
        planned: (plan) => expect(JSON.stringify(plan.nodes[0]?.filter)).toContain("1e309"),
        live: () => ({ whole: [] }),
      },
      {
        program: "Boat{length=9007199254740993}",
        planned: (plan) =>
          expect(JSON.stringify(plan.nodes[0]?.filter)).toContain('"9007199254740993"'),
        live: () => ({ whole: [] }),
      },
      { program: "Boat{length=007}", errors: [{ code: "bad_literal" }] },
      { program: "Boat{length=1e999}", errors: [{ code: "bad_literal" }] },
    ],
  },
  {
    id: "C-051",
    construct: "dates",
    cases: [
      local("Boat{built<2015-01-01}", ({ built }) => built !== null && built < "2015-01-01"),
      { program: "Boat{built<2026-02-30}", errors: [{ code: "bad_literal" }] },
    ],
  },
  {
    id: "C-069",
    construct: "empty condition",
    cases: [
      { program: "Boat{}", sameAs: "Boat", live: ({ boats }) => ({ whole: ids(boats) }) },
      { program: "Boat.filter{}", sameAs: "Boat", live: ({ boats }) => ({ whole: ids(boats) }) },
      { program: "Boat{any{}}", errors: [{ code: "empty_list" }] },
    ],
  },
  {
    id: "C-070",
    construct: "filter forms",
    cases: [
      {
        program: "Boat.filter{owner=ann}",
        sameAs: "Boat{owner=ann}",
        live: (data) => ({ whole: annsFirst(data) }),
      },
      {
        program: "a = Boat\na{owner=ann}",
        sameAs: "Boat{owner=ann}",
        live: (data) => ({ whole: annsFirst(data) }),
      },
    ],
  },
  {
    id: "C-071",
    construct: "filter after limit",
    cases: [
      {
        program: "Boat.limit(5).filter{state=lost}",
        live: ({ boats }) => ({
          results: [ids(boats.slice(0, 5).filter(({ state }) => state === "lost"))],
          requests: ["/boats"],
          unsent: ["state"],
        }),
      },
    ],
  },
  {
    id: "C-072",
    construct: "key as condition",
    cases: [
      {
        program: "Boat{id=none}",
        planned: (plan) => expect(plan.nodes[0]).toMatchObject({ kind: "get", missing: "empty" }),
        live: () => ({ results: [[]], requests: ["/boats/none"] }),
      },
    ],
  },
  {
    id: "C-073",
    construct: "search forms",
    cases: [
      {
        program: 'Boat~"Al"{state=lost}',
        live: (data) => ({
          results: [
            filtered(({ name, state }) => name.toLowerCase().includes("al") && state === "lost")(
              data,
            ),
          ],
          requests: ["/search/boats?q=Al&state=lost"],
        }),
      },
      { program: "Boat~two words", errors: [{ code: "unquoted_text" }] },
      { program: "Person~x", errors: [{ code: "no_search" }] },
    ],
  },
  {
    id: "C-074",
    construct: "mixed",
    cases: [
      {
        program: "Boat{owner=ann, length>10}.limit(3)",
        live: ({ boats }) => ({
          results: [
            ids(
              boats.filter((boat) => boat.owner === "ann" && (metres(boat) ?? 0) > 10).slice(0, 3),
            ),
          ],
          requests: ["/owners/ann/boats"],
        }),
      },
    ],
  },
  {
    id: "C-075",
    construct: "local logic",
    cases: [
      local("Boat{state!=lost}", ({ state }) => state !== "lost"),
      local(
        "Boat{any{state=lost, all{length>10, not{owner=ann}}}}",
        (boat) => boat.state === "lost" || ((metres(boat) ?? 0) > 10 && boat.owner !== "ann"),
      ),
      local(
        "Boat{exists(built), state in [lost, moored]}",
        ({ built, state }) => built !== null && (state === "lost" || state === "moored"),
      ),
    ],
  },
  {
    id: "C-076",
    construct: "contradiction",
    cases: [{ program: "Boat{owner=ann, owner=bob}", live: () => ({ whole: [] }) }],
  },
  {
    id: "C-078",
    construct: "not applicable",
    cases: [
      {
        program: "Boat{near=x, owner=ann}",
        planned: (plan) => {
          expect(plan.nodes[0]).toMatchObject({ capability: "boat_query" });
          expect(plan.nodes[0]?.args).toEqual({ near: { lit: "x" } });
          expect(plan.nodes[0]?.filter).toMatchObject({ path: ["owner"] });
        },
        live: () => ({ unsent: ["owner"] }),
      },
      { program: "Boat{near!=x}", errors: [{ code: "predicate_unsupported", says: ["near"] }] },
      { program: "Boat{colour=red}", errors: [{ code: "unknown_slot", says: ["colour"] }] },
      { program: "Boat{flags>1}", errors: [{ code: "bad_operator", says: ["~"] }] },
    ],
  },
  {
    id: "C-080",
    construct: "semi-join",
    cases: [
      {
        program: "a = Person\nBoat{owner in a.login}[id]",
        planned: (_plan, { dry_review: { reasons } }) =>
          expect(reasons.map(({ code }) => code)).toContain("relation_fanout"),
        live: (data) => ({
          results: [data.people.flatMap(({ login }) => boatsOf(data, login))],
          requests: [
            "/people",
            ...data.people.map(({ login }) => `/owners/${encodeURIComponent(login)}/boats?page=1`),
            // ann has more boats than a page holds.
            "/owners/ann/boats?page=2",
          ],
        }),
      },
    ],
  },
  {
    id: "C-121",
    construct: "keys in a list",
    cases: [
      {
        program: "Boat{id in [b1, b2, none]}[id]",
        live: () => ({
          results: [[{ id: "b1" }, { id: "b2" }]],
          requests: ["/boats/b1", "/boats/b2", "/boats/none"],
        }),
      },
    ],
  },
  {
    id: "C-124",
    construct: "empty column right of in",
    cases: [
      {
        program: "a = Boat{owner=none}\nPerson{login in a.owner}",
        live: () => ({ whole: [] }),
      },
      {
        program: "a = Boat{owner=none}\nPerson{not{login in a.owner}}",
        live: ({ people }) => ({ whole: people.map(({ login }) => ({ login })) }),
      },
      {
        program: "a = Boat{owner=none}.limit(1)\nPerson{login in a.owner}",
        live: () => ({ whole: [] }),
      },
      {
        program: "a = Boat{owner=none}.limit(1)\nPerson{not{login in a.owner}}",
        live: ({ people }) => ({ whole: people.map(({ login }) => ({ login })) }),
      },
    ],
  },
];
