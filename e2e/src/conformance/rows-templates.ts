import { expect } from "vitest";
import type { SampleData } from "../harness/sample-data.ts";
import type { ConformanceRow } from "./conformance-row.ts";

const named = ({ boats }: SampleData, id: string): string =>
  boats.find((boat) => boat.id === id)?.name ?? "";

/** A template over all boats that prints one expression for each. */
const eachBoat = (of: string): string => `Boat <<X\n{% for r in rows %}{{ ${of} }};{% endfor %}\nX`;

const names = ({ boats }: SampleData): object => ({
  content: boats.map(({ name }) => `${name};`).join(""),
});

/** Text from rows (C-018, C-107, C-108); its content as an argument is C-019, an effect. */
export const TEMPLATE_ROWS: readonly ConformanceRow[] = [
  {
    id: "C-018",
    construct: "template",
    cases: [
      {
        program: 'h = Boat("b1")[id,name] <<X\n{{ rows[0].name }}\nX\nh',
        sameAs: 'h = Boat("b1")[id,p(name)] <<OTHER\r\n{{ rows[0].p(name) }}\r\nOTHER\r\nh',
        otherThan: 'h = Boat("b1")[id,name] <<X\n{{ rows[0].id }}\nX\nh',
        planned: ({ nodes }) => expect(nodes.at(-1)?.result).toMatchObject({ card: "one" }),
        live: (data) => ({
          results: [[{ content: named(data, "b1") }]],
          columns: ["content"],
          requests: ["/boats/b1"],
        }),
      },
      {
        program: [
          'b = Boat("b1")',
          'Boat("b2") <<X',
          "{{ b.name }} and {{ rows[0].name }}",
          "X",
        ].join("\n"),
        sameAs: [
          'other = Boat("b1")',
          'Boat("b2") <<X',
          "{{ other.name }} and {{ rows[0].name }}",
          "X",
        ].join("\n"),
        live: (data) => ({
          results: [[{ content: `${named(data, "b1")} and ${named(data, "b2")}` }]],
          requests: ["/boats/b1", "/boats/b2"],
        }),
      },
      {
        program:
          'Boat("b1") <<X\n{{ rows[0].meta.engine["fuel type"] }} {{ rows[0].p(meta).m1 }}\nX',
        live: () => ({ results: [[{ content: "diesel mark 1" }]] }),
      },
      {
        program: 'b = Boat("b1")\nb <<X\n{{ b.p(name) }}\n{{ b.p(name) }} {{ b.p(meta).fuel }}\nX',
        live: () => ({
          requests: ["/boats/b1"],
          fails: { code: "template_failed", says: ["line 2 of the template: fuel", "^^^^"] },
        }),
      },
      {
        program: "Boat <<X\n{{ rows | length }}\nX",
        onePage: true,
        live: () => ({
          results: [[{ content: "20" }]],
          partial: "pages",
          handle: true,
          requests: ["/boats?page=1"],
        }),
      },
    ],
  },
  {
    id: "C-107",
    construct: "empty template",
    cases: [
      {
        program: "Boat{owner=none} <<X\n{% for r in rows %}{{ r.id }}{% else %}none{% endfor %}\nX",
        live: () => ({
          results: [[{ content: "none" }]],
          columns: ["content"],
          requests: ["/owners/none/boats"],
        }),
      },
    ],
  },
  {
    id: "C-108",
    construct: "template names",
    cases: [
      {
        program: eachBoat("r.nme"),
        errors: [
          {
            code: "template_error",
            says: ["line 1, column 25 of the template", "name"],
            suggests: eachBoat("r.name"),
          },
        ],
      },
      {
        program: eachBoat("r.p(name)"),
        sameAs: eachBoat("r.name"),
        live: (data) => ({ results: [[names(data)]] }),
      },
      { program: eachBoat("zz"), errors: [{ code: "template_error", says: ["zz", "rows"] }] },
    ],
  },
];
