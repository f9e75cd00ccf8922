import type { Json, PlanValue } from "@plasm/core";
import {
  compareCodePoints,
  compareDecimal,
  type Decimal,
  decimalValue,
  keyText,
  parseDecimal,
} from "@plasm/core/internal";
import { Big } from "big.js";
import {
  aggregateRows,
  groupRows,
  type PairSide,
  pairRows,
  plainCells,
  type Row,
  rowColumn,
  RowWork,
  sortRows,
  wholeRow,
} from "@plasm/runtime";
import type { Pair } from "./pair.ts";
import { quayCatalog } from "./quay.ts";

const COUNT = 10_000;

/** A boat as its API gives it: some lengths are decimal text, some are null. */
interface BenchBoat {
  readonly id: string;
  readonly owner: string | null;
  readonly state: string | null;
  readonly length: number | string | null;
}

/** How many rows the pairs of large steps have. */
export interface RowCounts {
  /** each side of a join */
  readonly joined: number;
  /** rows that a value is computed of */
  readonly valued: number;
}

/** As many as the figures are told of. */
export const LARGE: RowCounts = { joined: 100_000, valued: 1_000_000 };

/** Rows of one side of a join, as they come from a list. */
function sideRows(
  count: number,
  entity: "Boat" | "Person",
  fields: (at: number) => Record<string, string | number>,
) {
  return Array.from({ length: count }, (_none, at): Row => {
    const own = fields(at);
    const [[part, key] = ["id", at]] = Object.entries(own);
    return wholeRow({
      entryId: "quay",
      entity,
      identity: { key: { [part]: key }, text: `${entity}:${key}` },
      ambient: {},
      fields: new Map(Object.entries(own)),
      references: new Map(),
      edges: new Map(),
      loadedBy: new Set(),
      wire: null,
    });
  });
}

/** A join of boats with as many persons, and what a map by hand makes of the same rows. */
function joinPair(count: number): Pair {
  const { cgs } = quayCatalog();
  const boats = sideRows(count, "Boat", (at) => ({
    id: `b${at}`,
    owner: `p${(at * 31) % count}`,
    length: at % 97,
  }));
  const people = sideRows(count, "Person", (at) => ({ login: `p${at}`, name: `Person ${at}` }));
  const side = (rows: readonly Row[], entity: string, key: string, names: string[]): PairSide => ({
    rows,
    keys: [{ column: rowColumn({ cgs, entity }, [key]), on: "key" }],
    columns: names.map((name) => ({
      ...rowColumn({ cgs, entity }, [name]),
      name: entity === "Person" ? `p.${name}` : name,
    })),
    unfit: () => undefined,
  });
  const left = side(boats, "Boat", "owner", ["id", "owner", "length"]);
  const right = side(people, "Person", "login", ["login", "name"]);
  return {
    name: "join",
    ours: {
      what: `join ${count} rows with as many`,
      run: () => pairRows(left, right),
    },
    base: {
      what: "a map by hand of the same rows, a plain object a pair",
      run: () => joinByHand(boats, people),
    },
  };
}

function joinByHand(boats: readonly Row[], people: readonly Row[]): readonly object[] {
  const byLogin = new Map<Json, Row[]>();
  for (const person of people) {
    const login = person.base?.fields.get("login") ?? null;
    const known = byLogin.get(login);
    if (known === undefined) byLogin.set(login, [person]);
    else known.push(person);
  }
  const made: object[] = [];
  for (const { base: boat } of boats) {
    const owner = boat?.fields.get("owner") ?? null;
    for (const { base: person } of byLogin.get(owner) ?? []) {
      made.push({
        id: boat?.fields.get("id"),
        owner,
        length: boat?.fields.get("length"),
        "p.login": person?.fields.get("login"),
        "p.name": person?.fields.get("name"),
      });
    }
  }
  return made;
}

/** `=> {x: _.length * 2 + 1}` of many rows, and a loop by hand that makes a plain object of each. */
function valuePair(count: number): Pair {
  const boats = sideRows(count, "Boat", (at) => ({ id: `b${at}`, length: at % 97 }));
  const doubled = {
    op: "multiply",
    args: [{ row: ["length"], type: "num" }, { lit: 2 }],
    type: "num",
    on: "",
  };
  const value: PlanValue = { op: "add", args: [doubled, { lit: 1 }], type: "num", on: "" };
  const { cgs } = quayCatalog();
  return {
    name: "value",
    ours: {
      what: `compute _.length * 2 + 1 of ${count} rows`,
      run: () => {
        const cells = plainCells([["x", value]], { cgs, entity: "Boat" }, unfit, new RowWork());
        return boats.map((row): Row => ({ base: null, cells: cells(row), joined: NONE }));
      },
    },
    base: {
      what: "a loop by hand over the same rows, a plain object each",
      run: () => boats.map((row) => ({ x: Number(cell(row, "length")) * 2 + 1 })),
    },
  };
}

const NONE: Row["joined"] = new Map();

const STATES = ["moored", "sailing", "lost", null];

/** Boats whose values follow from their number, in no order of their own. */
function benchBoats(): readonly BenchBoat[] {
  return Array.from({ length: COUNT }, (_none, i) => {
    const cents = (i * 7919) % 10_007;
    const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
    return {
      id: `b${i}`,
      owner: i % 11 === 0 ? null : `owner${(i * 31) % 97}`,
      state: STATES[i % STATES.length] ?? null,
      length: i % 23 === 0 ? null : i % 50 === 0 ? text : cents / 100,
    };
  });
}

/** The same boats as decoded rows. */
function decoded(boats: readonly BenchBoat[]): readonly Row[] {
  return boats.map(({ id, owner, state, length }) =>
    wholeRow({
      entryId: "quay",
      entity: "Boat",
      identity: { key: { id }, text: `Boat:${id}` },
      ambient: {},
      fields: new Map(Object.entries({ id, owner, state, length })),
      references: new Map([
        [
          "owner",
          owner === null
            ? null
            : { identity: { key: { login: owner }, text: `Person:${owner}` }, embedded: null },
        ],
      ]),
      edges: new Map(),
      loadedBy: new Set(),
      wire: null,
    }),
  );
}

function decimal(value: Json): Decimal {
  const exact = typeof value === "number" || typeof value === "string" ? parseDecimal(value) : null;
  if (exact === null) throw new Error(`${JSON.stringify(value)} is no number`);
  return exact;
}

const big = (value: number | Decimal): Decimal =>
  typeof value === "number" ? decimal(value) : value;

const textOf = (value: Json): string | null => (typeof value === "string" ? value : null);

const cell = (row: Row, name: keyof BenchBoat): Json => row.base?.fields.get(name) ?? null;

/** Rows in order of values taken from them once. */
function inOrder<V>(rows: readonly Row[], value: (row: Row) => V, order: (a: V, b: V) => number) {
  const pairs = rows.map((row) => ({ row, value: value(row) }));
  return pairs.toSorted((a, b) => order(a.value, b.value)).map(({ row }) => row);
}

/** Numbers and decimal text numerically, the greatest first, nulls last, ties in order. */
function sortByHand(rows: readonly Row[]): readonly Row[] {
  const value = (row: Row): number | Decimal | null => {
    const length = cell(row, "length");
    if (typeof length === "string") return decimal(length);
    return typeof length === "number" ? length : null;
  };
  return inOrder(rows, value, (a, b) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "number" && typeof b === "number") return b - a;
    return compareDecimal(big(b), big(a));
  });
}

/** Text by code point, nulls last, ties by id. */
function sortTextByHand(rows: readonly Row[]): readonly Row[] {
  const value = (row: Row) => ({ state: textOf(cell(row, "state")), id: textOf(cell(row, "id")) });
  return inOrder(rows, value, (a, b) => {
    if (a.state === null || b.state === null) {
      if (a.state !== b.state) return a.state === null ? 1 : -1;
    } else {
      const order = compareCodePoints(a.state, b.state);
      if (order !== 0) return order;
    }
    return compareCodePoints(a.id ?? "", b.id ?? "");
  });
}

/** Counts by key text; null is a group, and told from every text. */
function groupByHand(rows: readonly Row[]): readonly object[] {
  const groups = new Map<string | null, { owner: Json; n: number }>();
  for (const row of rows) {
    const owner = cell(row, "owner");
    const key = owner === null ? null : keyText(owner);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { owner, n: 1 });
    else group.n += 1;
  }
  return [...groups.values()];
}

function sumByHand(rows: readonly Row[]): number | string {
  let sum = new Big(0);
  for (const row of rows) {
    const length = cell(row, "length");
    if (typeof length === "number" || typeof length === "string") sum = sum.plus(length);
  }
  return decimalValue(decimal(sum.toFixed()));
}

const unfit = (): void => {
  throw new Error("every cell fits its type");
};

/** Rows as runs transform them, against a loop over the same values with the same meaning. */
export function rowPairs(): readonly Pair[] {
  const boats = benchBoats();
  const rows = decoded(boats);
  const typing = { cgs: quayCatalog().cgs, entity: "Boat" };
  const column = (name: string) => rowColumn(typing, [name]);
  const [length, owner, state, id] = [
    column("length"),
    column("owner"),
    column("state"),
    column("id"),
  ];
  return [
    {
      name: "sort by numbers",
      ours: {
        what: `sort ${COUNT} rows`,
        run: () => sortRows(rows, [{ column: length, desc: true }], unfit),
      },
      base: {
        what: "a comparator of values taken from the same rows once",
        run: () => sortByHand(rows),
      },
    },
    {
      name: "sort by text",
      ours: {
        what: `sort ${COUNT} rows by two columns`,
        run: () =>
          sortRows(
            rows,
            [
              { column: state, desc: false },
              { column: id, desc: false },
            ],
            unfit,
          ),
      },
      base: {
        what: "a comparator of values taken from the same rows once",
        run: () => sortTextByHand(rows),
      },
    },
    {
      name: "group",
      ours: {
        what: `group ${COUNT} rows by a reference`,
        run: () => groupRows(rows, [owner], [{ as: "n", fn: "count", column: null }], unfit),
      },
      base: { what: "a loop over the same rows and a map of counts", run: () => groupByHand(rows) },
    },
    {
      name: "exact sum",
      ours: {
        what: `sum ${COUNT} cells exactly`,
        run: () => aggregateRows(rows, [{ as: "t", fn: "sum", column: length }], unfit),
      },
      base: { what: "a loop over the same rows that adds decimals", run: () => sumByHand(rows) },
    },
  ];
}

/** Steps that make many rows, measured in turn. */
export const largeRowPairs = ({ joined, valued }: RowCounts): readonly Pair[] => [
  joinPair(joined),
  valuePair(valued),
];
