import { expect } from "vitest";
import type { ConformanceRow, Reading, Refused } from "./conformance-row.ts";

/** A program that reads the person of exactly this login. */
const person = (program: string, login: string, path: string): Reading => ({
  program,
  planned: (plan) => expect(plan.nodes[0]?.key).toEqual({ login: { lit: login } }),
  live: () => ({ results: [[{ login }]], requests: [`/people/${path}`] }),
});

const refused = (program: string, code: string, ...says: readonly string[]): Refused => ({
  program,
  errors: [{ code, says }],
});

const boat = (program: string, id: string, path = id): Reading => ({
  program,
  live: () => ({ results: [[{ id }]], requests: [`/boats/${path}`] }),
});

/** How text is read: comments, literals, words, symbols (C-040 to C-068). */
export const TEXT_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-040",
    construct: "comment",
    cases: [
      {
        program: "Boat ;; all",
        sameAs: "Boat",
        live: ({ boats }) => ({ results: [boats.slice(0, 20).map(({ id }) => ({ id }))] }),
      },
      boat('Boat("a;;b")', "a;;b", "a%3B%3Bb"),
    ],
  },
  {
    id: "C-044",
    construct: "strings",
    cases: [
      person('Person("a\\tb\\u00e9")', "a\tbé", "a%09b%C3%A9"),
      person("Person('it\"s')", 'it"s', "it%22s"),
      refused('Person("\\q")', "bad_escape"),
      refused('Person("a\nb")', "unterminated_string"),
    ],
  },
  {
    id: "C-048",
    construct: "numbers as text",
    cases: [
      person("Person(007)", "007", "007"),
      person("Person(1e5)", "1e5", "1e5"),
      person("Person(-0)", "-0", "-0"),
    ],
  },
  {
    id: "C-054",
    construct: "Unicode",
    cases: [
      refused("Boat{name=Jørn}", "unexpected_char", "ø"),
      refused("Boat{name=\u201cJørn\u201d}", "unexpected_char", '"'),
      refused("Boat{name=\u00a0x}", "unexpected_char", "U+00A0"),
      {
        program: 'Boat{name="Jørn"}',
        live: () => ({ whole: [{ id: "b4", name: "Jørn" }] }),
      },
    ],
  },
  {
    id: "C-056",
    construct: "chain over lines",
    cases: [
      {
        program: "Boat\n.limit(5)",
        sameAs: "Boat.limit(5)",
        live: ({ boats }) => ({ results: [boats.slice(0, 5).map(({ id }) => ({ id }))] }),
      },
      { program: "Boat\n[id]", errors: [{ code: "line_break", suggests: "Boat[id]" }] },
    ],
  },
  {
    id: "C-061",
    construct: "transparency",
    cases: [
      {
        program: "e(quay.Boat){p(state)=lost}[p(id)]",
        sameAs: "Boat{state=lost}[id]",
        live: ({ boats }) => ({
          whole: boats.filter(({ state }) => state === "lost").map(({ id }) => ({ id })),
        }),
      },
    ],
  },
  {
    id: "C-062",
    construct: "opaque text",
    cases: [person('Person("p1")', "p1", "p1"), person("Person(e1)", "e1", "e1")],
  },
  {
    id: "C-064",
    construct: "two catalogs",
    cases: [
      {
        program: "Boat",
        yard: true,
        errors: [{ code: "ambiguous_entity", says: ["e(quay.Boat)", "e(yard.Boat)"] }],
      },
      {
        program: "e(yard.Boat)(1)",
        yard: true,
        live: ({ yardBoats }) => ({
          results: [yardBoats.filter(({ id }) => id === 1)],
          requests: ["yard:/boats/1"],
        }),
      },
    ],
  },
  {
    id: "C-067",
    construct: "word",
    cases: [
      person("Person(ann.b)", "ann.b", "ann.b"),
      {
        program: 'anm = Person("ann")\nPerson(ann.b), anm',
        planned: (_plan, { dry_review: { reasons } }) =>
          expect(reasons).toContainEqual(
            expect.objectContaining({ code: "text_not_binding", severity: "info" }),
          ),
        live: () => ({
          results: [[{ login: "ann.b" }], [{ login: "ann" }]],
          requests: ["/people/ann", "/people/ann.b"],
        }),
      },
    ],
  },
  {
    id: "C-068",
    construct: "keys",
    cases: [
      {
        program: 'Visit(boat=Boat("b1"), day=2026-01-05)',
        planned: (plan) => expect(plan.nodes.map(({ kind }) => kind)).toEqual(["get"]),
        live: ({ visits }) => ({
          results: [visits.filter(({ day }) => day === "2026-01-05").map(({ day }) => ({ day }))],
          requests: ["/boats/b1/visits/2026-01-05"],
        }),
      },
      refused('Visit("x")', "bad_key", "boat", "day"),
      refused('Visit(boat=Person("a"), day=2026-01-05)', "wrong_entity", "Boat"),
      { ...boat('Boat(id="b1")', "b1"), sameAs: 'Boat("b1")' },
    ],
  },
  {
    id: "C-113",
    construct: "own name",
    cases: [
      {
        program: "lost = Boat{state=lost}\nBoat{state=lost}, lost",
        planned: (plan) =>
          expect(plan.nodes.map(({ args }) => args)).toEqual([{ state: { lit: "lost" } }]),
        live: ({ boats }) => {
          const lost = boats.filter(({ state }) => state === "lost").map(({ id }) => ({ id }));
          return { results: [lost.slice(0, 20), lost.slice(0, 20)] };
        },
      },
      person("ann = Person(ann)\nann", "ann", "ann"),
    ],
  },
  {
    id: "C-115",
    construct: "search words",
    cases: [
      refused("Boat~Al.visits", "unquoted_text"),
      refused("Boat~Al.limit(3)", "unquoted_text"),
      {
        program: 'p = Person("ann")\nBoat~p.name',
        live: ({ boats }) => ({
          whole: boats
            .filter(({ name }) => name.toLowerCase().includes("ann"))
            .map(({ id }) => ({ id })),
          requests: ["/people/ann", "/search/boats?q=Ann"],
        }),
      },
    ],
  },
];
