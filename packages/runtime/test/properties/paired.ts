import assert from "node:assert/strict";
import { ALL_FEATURES, compileProgram, foldWaves } from "@plasm/core";
import fc from "fast-check";
import { pureProperty } from "@plasm/testkit";
import { fixture, run } from "../../src/testing/fixture-run.ts";

const quay = fixture("quay");
const catalogs = new Map([[quay.entryId, quay]]);
const entities = [...quay.cgs.entities.keys()].toSorted((a, b) => (a < b ? -1 : 1));
const log = [{ entryId: quay.entryId, digest: quay.digest, entities }];
const exposure = {
  catalogs,
  log,
  symbols: foldWaves(log, catalogs),
  notation: "names",
  policy: {},
} as const;

type Cell = string | number | boolean | null;

/** What the columns of a pair hold, how a program writes it, and when two of it are equal. */
interface Kind {
  readonly cells: readonly Cell[];
  readonly written: (cell: Cell) => string;
  readonly equal: (a: Cell, b: Cell) => boolean;
}

const same = (a: Cell, b: Cell): boolean => a === b;
const asJson = (cell: Cell): string => JSON.stringify(cell);

const KINDS: Readonly<Record<string, Kind>> = {
  number: { cells: [0, 1, 2.5, 2.5, -3, null], written: asJson, equal: same },
  text: { cells: ["a", "A", "b", "", "1", null], written: asJson, equal: same },
  truth: { cells: [true, false, null], written: asJson, equal: same },
  moment: {
    cells: ["2026-01-02T00:00:00Z", "2026-01-02T01:00:00+01:00", "2026-01-03T00:00:00Z", null],
    written: (cell) => String(cell),
    equal: (a, b) => Date.parse(String(a)) === Date.parse(String(b)),
  },
  mixed: { cells: [1, "1", true, "true", 0, null], written: asJson, equal: same },
};
const NAMES = Object.keys(KINDS);
const kindOf = (name: string): Kind => KINDS[name] ?? assert.fail(name);

interface DrawnRow {
  readonly id: number;
  readonly x: Cell;
  readonly y: Cell;
}

const rowsOf = (first: string, second: string): fc.Arbitrary<readonly DrawnRow[]> =>
  fc
    .array(
      fc.record({
        x: fc.constantFrom(...kindOf(first).cells),
        y: fc.constantFrom(...kindOf(second).cells),
      }),
      { minLength: 1, maxLength: 9 },
    )
    .map((rows) => rows.map((row, id) => ({ id, ...row })));

interface Drawn {
  readonly kinds: readonly [string, string];
  readonly left: readonly DrawnRow[];
  readonly right: readonly DrawnRow[];
  readonly keepsLeft: boolean;
  /** whether rows are equal in both columns, or in the first alone */
  readonly isBoth: boolean;
  readonly form: number;
}

const drawn: fc.Arbitrary<Drawn> = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES))
  .chain(([first, second]) =>
    fc.record({
      kinds: fc.constant([first, second] as const),
      left: rowsOf(first, second),
      right: rowsOf(first, second),
      keepsLeft: fc.boolean(),
      isBoth: fc.boolean(),
      form: fc.nat(5),
    }),
  );

/** Rows as a program writes them; a last row without partners gives columns of nulls alone their type. */
function written(rows: readonly DrawnRow[], [x, y]: Drawn["kinds"]): string {
  const cell = (kind: string, value: Cell): string =>
    value === null ? "null" : kindOf(kind).written(value);
  return `[${rows.map((row) => `{id: ${row.id}, x: ${cell(x, row.x)}, y: ${cell(y, row.y)}}`).join(", ")}]`;
}

/** The pairs by looking at each row of one side with each of the other. */
function pairsOf({ left, right, kinds, keepsLeft, isBoth }: Drawn): readonly object[] {
  const meets = (kind: string, a: Cell, b: Cell): boolean =>
    a !== null && b !== null && kindOf(kind).equal(a, b);
  return left.flatMap((one): readonly object[] => {
    const met = right.filter(
      (other) => meets(kinds[0], one.x, other.x) && (!isBoth || meets(kinds[1], one.y, other.y)),
    );
    const pairs = met.map((other) => ({ id: one.id, "r.id": other.id }));
    return pairs.length === 0 && keepsLeft ? [{ id: one.id, "r.id": null }] : pairs;
  });
}

function programOf(what: Drawn): string {
  const step = what.keepsLeft ? "left_join" : "join";
  const forms = [
    ["x=x", "y=y"],
    ["l.x=r.x", "l.y=r.y"],
    ["r.x=l.x", "r.y=l.y"],
    ["_.x=x", "y=_.y"],
    ["x = r.x", "l.y = y"],
    ["coalesce(x, x)=x", "y=y"],
  ][what.form] ?? ["x=x", "y=y"];
  const pairs = what.isBoth ? forms : forms.slice(0, 1);
  const rows = `l = ${written(what.left, what.kinds)}\nr = ${written(what.right, what.kinds)}`;
  return `${rows}\nl.${step}(r, ${pairs.join(", ")})[id, r.id]`;
}

async function check(what: Drawn): Promise<void> {
  const program = programOf(what);
  const compiled = compileProgram(program, exposure, { features: ALL_FEATURES });
  if (compiled.kind === "errors") {
    // Json that happens to be of one type on either side, and of another there.
    assert(what.kinds.includes("mixed"), `${program}\n${JSON.stringify(compiled)}`);
    assert(
      compiled.errors.every(({ message }) => message.includes("never equal")),
      program,
    );
    assert.deepEqual(pairsOf({ ...what, keepsLeft: false }), [], program);
    return;
  }
  assert(compiled.kind === "plan", program);
  const { nodes, returns } = compiled.plan;
  const { status, results } = await run({ catalogs: [quay], backends: {} }, nodes, returns);
  assert(status === "succeeded", program);
  const rows = results[0]?.rows.map((row) => row.values);
  assert.deepEqual(JSON.parse(JSON.stringify(rows)), pairsOf(what), program);
}

export const rowsArePaired = pureProperty({
  key: "paired-rows",
  says: "a join gives the pairs that looking at each row with each other gives, in that order (LANG-090, LANG-091)",
  runs: 400,
  holds: () => fc.asyncProperty(drawn, check),
});

export const properties = [rowsArePaired];
