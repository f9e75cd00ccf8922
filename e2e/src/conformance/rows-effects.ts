import { expect } from "vitest";
import type { SampleData } from "../harness/sample-data.ts";
import type { EffectRow, Write } from "./effect-row.ts";

const lost = ({ boats }: SampleData) => boats.filter(({ state }) => state === "lost");
const renamed = (data: SampleData): readonly Write[] =>
  lost(data).map(({ id, name }) => ["PATCH", `/boats/${encodeURIComponent(id)}`, { name }]);

const PER_ROW = "r = Boat{state=lost}\nx = r => Boat(_.id).update(name=_.name)";
/** C-030 with a byte order mark, CRLF and newlines inside brackets. */
const PER_ROW_SPREAD =
  "\ufeffr = Boat{\r\n  state=lost\r\n}\r\nx = r => Boat(\r\n_.id).update(name=_.name\r\n)\r\n";

/** Programs that change something, one effect or one per row (C-026 to C-052). */
export const EFFECT_ROWS: readonly EffectRow[] = [
  {
    id: "C-019",
    construct: "content as argument",
    cases: [
      {
        program:
          'h = Boat("b1")[id,name] <<X\n{{ rows[0].name }}\nX\nBoat.create(name=h.content, owner=ann)',
        planned: ({ nodes }) => {
          const create = nodes.find(({ kind }) => kind === "create");
          expect(create?.args?.["name"]).toMatchObject({ path: ["content"], type: "str" });
        },
        writes: () => [["POST", "/boats", { name: "Alma", owner: "ann" }]],
        results: () => [[{ name: "Alma", owner: "ann" }]],
      },
    ],
  },
  {
    id: "C-026",
    construct: "create",
    cases: [
      {
        program: "Boat.create(name=x, owner=ann)",
        writes: () => [["POST", "/boats", { name: "x", owner: "ann" }]],
        reads: [],
        results: () => [[{ name: "x", owner: "ann" }]],
      },
    ],
  },
  {
    id: "C-027",
    construct: "update",
    cases: [
      {
        program: 'Boat("b1").update(name="x")',
        writes: () => [["PATCH", "/boats/b1", { name: "x" }]],
        reads: [],
        results: () => [[{ id: "b1", name: "x" }]],
      },
    ],
  },
  {
    id: "C-028",
    construct: "action",
    cases: [
      {
        program: 'Boat("b1").ping()',
        writes: () => [["POST", "/boats/b1/ping"]],
        reads: [],
        results: () => [[{ ok: true }]],
      },
    ],
  },
  {
    id: "C-029",
    construct: "delete",
    cases: [
      {
        program: 'Boat("b2").delete()',
        writes: () => [["DELETE", "/boats/b2"]],
        reads: [],
        results: () => [[{ ok: true }]],
      },
    ],
  },
  {
    id: "C-030",
    construct: "effect per row",
    cases: [{ program: PER_ROW, writes: renamed, reads: ["/boats"], results: () => [] }],
  },
  {
    id: "C-041",
    construct: "line ends",
    cases: [{ program: PER_ROW_SPREAD, sameAs: PER_ROW, writes: renamed }],
  },
  {
    id: "C-042",
    construct: "roots",
    cases: [
      {
        program: 'Boat\nPerson, Boat("b1").send(to=a, note=b)',
        planned: ({ nodes }) =>
          expect(nodes.filter(({ kind }) => kind === "action")).toHaveLength(1),
        writes: () => [["POST", "/boats/b1/messages", { to: "a", note: "b" }]],
        results: ({ boats, people }) => [
          boats.slice(0, 20).map(({ id }) => ({ id })),
          people.map(({ login }) => ({ login })),
          [{ ok: true }],
        ],
      },
    ],
  },
  {
    id: "C-045",
    construct: "heredocs opaque",
    cases: [
      {
        program: `Boat("b1").send(to=<<A\n1\nA,\nnote=<<B\np1 ;; "\${x} it's\nB)`,
        writes: () => [["POST", "/boats/b1/messages", { to: "1", note: `p1 ;; "\${x} it's` }]],
      },
    ],
  },
  {
    id: "C-046",
    construct: "closer",
    cases: [
      {
        program: 'n = <<T\nTT\nT, E and F\n T \nBoat("b1").send(to=a, note=n.content)',
        writes: () => [["POST", "/boats/b1/messages", { to: "a", note: "TT\nT, E and F" }]],
      },
      {
        program: "Part(maker=a, no=1).edit(ops=[{op: insert, at: 1, text: <<T\nTT\nT}])",
        writes: () => [
          ["POST", "yard:/parts/a/1/edits", { ops: [{ op: "insert", at: 1, text: "TT" }] }],
        ],
      },
    ],
  },
  {
    id: "C-050",
    construct: "booleans, null",
    cases: [
      {
        program: 'Boat("b1").update(note=null)',
        writes: () => [["PATCH", "/boats/b1", { note: null }]],
      },
      {
        program: "Boat{built=null}",
        writes: () => [],
        results: ({ boats }) => [
          boats.filter(({ built }) => built === null).map(({ id }) => ({ id })),
        ],
      },
    ],
  },
];

/** Effects and what is written around them (C-096 to C-123). */
export const EFFECT_ORDER_ROWS: readonly EffectRow[] = [
  {
    id: "C-096",
    construct: "label.method",
    cases: [
      {
        program: "a = Boat.limit(5)\na.ping()",
        errors: [{ code: "not_singleton", suggests: "a = Boat.limit(5)\na => Boat(_.id).ping()" }],
      },
      {
        program: "a = Boat.limit(1)\na.ping()",
        writes: () => [["POST", "/boats/b1/ping"]],
      },
    ],
  },
  {
    id: "C-098",
    construct: "effect in object",
    cases: [
      {
        program: "a = Boat.limit(2)\na => {x: Boat(_.id).ping()}",
        errors: [{ code: "effect_in_value", says: ["=> Boat(_.id).ping()"] }],
      },
    ],
  },
  {
    id: "C-099",
    construct: "on effect rows",
    cases: [
      {
        program: 'x = Boat("b1").update(name=y)\nx => {n: _.name}',
        writes: () => [["PATCH", "/boats/b1", { name: "y" }]],
        reads: [],
        results: () => [[{ n: "y" }]],
      },
    ],
  },
  {
    id: "C-100",
    construct: "dead code",
    cases: [
      {
        program: 'a = Boat{owner=ann}\nb = Boat("b1").ping()\nLog(1)',
        writes: () => [["POST", "/boats/b1/ping"]],
        reads: ["/logs/1"],
        results: () => [[{ id: 1 }]],
      },
    ],
  },
  {
    id: "C-101",
    construct: "duplicates",
    cases: [
      {
        program: 'Boat("b1").ping()\nBoat("b1").ping()',
        planned: (_plan, { dry_review }) =>
          expect(dry_review.reasons.map(({ code }) => code)).toContain("duplicate_effect"),
        writes: () => [
          ["POST", "/boats/b1/ping"],
          ["POST", "/boats/b1/ping"],
        ],
      },
    ],
  },
  {
    id: "C-102",
    construct: "barrier",
    cases: [
      {
        program: 'Boat("b1")\nBoat("b1").update(name=z)\nBoat("b1")',
        writes: () => [["PATCH", "/boats/b1", { name: "z" }]],
        reads: ["/boats/b1", "/boats/b1"],
        results: () => [[{ name: "Alma" }], [{ name: "z" }], [{ name: "z" }]],
      },
    ],
  },
  {
    id: "C-104",
    construct: "partial guard",
    cases: [
      {
        program: "r = Boat\nx = r => Boat(_.id).update(name=_.name)",
        in: "one page",
        writes: () => [],
        fails: { code: "partial_source", says: ["pages"] },
      },
    ],
  },
  {
    id: "C-106",
    construct: "holes",
    cases: [
      {
        program: 'h = Boat("b1")\nBoat("b2").send(to=h.length)',
        writes: () => [["POST", "/boats/b2/messages", { to: "12.5" }]],
      },
      {
        program: 'h = Boat("b1")\nBoat.create(name=x, owner=ann, length=h.built)',
        errors: [{ code: "argument_invalid", says: ["length", "number"] }],
      },
    ],
  },
  {
    id: "C-110",
    construct: "placeholder",
    cases: [
      { program: "Boat($)", errors: [{ code: "placeholder" }] },
      { program: 'Boat("b1").send(to=a, ..)', errors: [{ code: "placeholder", says: ["note"] }] },
    ],
  },
  {
    id: "C-117",
    construct: "label in a body",
    cases: [
      {
        program: 's = Boat("b1")\na = Boat.limit(2)\na => s.send(to=_.name)',
        writes: () => [
          ["POST", "/boats/b1/messages", { to: "Alma" }],
          ["POST", "/boats/b1/messages", { to: "Bora" }],
        ],
        reads: ["/boats"],
      },
    ],
  },
  {
    id: "C-120",
    construct: "effect and label",
    cases: [
      {
        program: 'a = Boat\nBoat("b1").ping()\na.limit(2)',
        writes: () => [["POST", "/boats/b1/ping"]],
        reads: ["/boats"],
        results: () => [[{ ok: true }], [{ id: "b1" }, { id: "b2" }]],
      },
    ],
  },
  {
    id: "C-122",
    construct: "unexposed target",
    cases: [
      {
        program: 'Boat.create(name=x, owner=Person("ann"))',
        in: "boats alone",
        writes: () => [["POST", "/boats", { name: "x", owner: "ann" }]],
      },
    ],
  },
  {
    id: "C-123",
    construct: "only options",
    cases: [
      {
        program: 'Boat("b1").update(..)',
        errors: [{ code: "placeholder", says: ["name", "state", "note"] }],
      },
    ],
  },
];
