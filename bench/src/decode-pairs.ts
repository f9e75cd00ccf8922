import type { Json } from "@plasm/core";
import { numberValue } from "@plasm/core/internal";
import { decodeList } from "@plasm/runtime";
import type { Pair } from "./pair.ts";
import { quayCatalog } from "./quay.ts";

/** A boat as its API answers it: some lengths are text, some names hold what no text may hold. */
interface WireBoat {
  readonly id: string;
  readonly name: string;
  readonly owner: string | null;
  readonly length: number | string;
  readonly state: string;
  readonly built: string;
  readonly note: string | null;
  readonly flags: readonly string[];
  readonly meta: Json;
  readonly logs?: readonly { readonly id: number; readonly text: string }[];
}

const STATES = ["moored", "sailing", "lost"];

const wireBoat = (i: number): WireBoat => ({
  id: `b${i}`,
  name: i % 100 === 0 ? `Boat\u0007 ${i}` : `Boat ${i}`,
  owner: i % 11 === 0 ? null : `owner${i % 97}`,
  length: i % 5 === 0 ? `${i % 31}.50` : (i % 3100) / 100,
  state: STATES[i % STATES.length] ?? "",
  built: `20${10 + (i % 16)}-0${1 + (i % 9)}-1${i % 10}`,
  note: i % 4 === 0 ? null : `kept at the north quay, berth ${i % 40}\nno remarks`,
  flags: i % 2 === 0 ? [] : ["old", "wood"],
  meta: { paint: "blue", crew: i % 7 },
  ...(i % 10 === 0 ? { logs: [{ id: i, text: "left" }] } : {}),
});

/** A list of boats as its API answers it. */
const boatsBody = (count: number): string =>
  JSON.stringify({ items: Array.from({ length: count }, (_none, i) => wireBoat(i)) });

// oxlint-disable-next-line no-control-regex -- naming them is the point
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text without control characters, as every text of an API. */
const plain = (text: string): string => text.replace(CONTROLS, "");

function plainJson(value: Json): Json {
  if (typeof value === "string") return plain(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainJson);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [plain(key), plainJson(member)]),
  );
}

const numeric = (value: number | string): Json =>
  typeof value === "number" ? value : (numberValue(value.trim()) ?? value);

/** A row of some entity, as runs know it. */
const row = (
  entity: string,
  key: Readonly<Record<string, string | number>>,
  ambient: Readonly<Record<string, Json>>,
  fields: ReadonlyMap<string, Json>,
  references: ReadonlyMap<string, object | null>,
  edges: ReadonlyMap<string, readonly object[]>,
  wire: object,
): object => ({
  entryId: "quay",
  entity,
  identity: { key, text: `${entity}:${String(Object.values(key)[0])}` },
  ambient: { ...ambient, ...key },
  fields,
  references,
  edges,
  loadedBy: new Set(),
  wire,
});

function boatByHand(wire: WireBoat): object {
  const id = plain(wire.id);
  const owner = wire.owner === null ? null : plain(wire.owner);
  const fields = new Map<string, Json>([
    ["id", id],
    ["name", plain(wire.name)],
    ["owner", owner],
    ["length", numeric(wire.length)],
    ["state", plain(wire.state)],
    ["built", plain(wire.built)],
    ["note", wire.note === null ? null : plain(wire.note)],
    ["flags", wire.flags.map(plain)],
    ["meta", plainJson(wire.meta)],
  ]);
  const reference =
    owner === null
      ? null
      : { identity: { key: { login: owner }, text: `Person:${owner}` }, embedded: null };
  const edges = new Map<string, readonly object[]>();
  if (wire.logs !== undefined) {
    const logs = wire.logs.map((log) => {
      const known = new Map<string, Json>([
        ["id", log.id],
        ["text", plain(log.text)],
      ]);
      return row(
        "Log",
        { id: log.id },
        { boat: id, boat_id: id },
        known,
        new Map(),
        new Map(),
        log,
      );
    });
    edges.set("logs", logs);
  }
  return row("Boat", { id }, {}, fields, new Map([["owner", reference]]), edges, wire);
}

function decodeByHand(body: string): readonly object[] {
  const { items } = JSON.parse(body) as { readonly items: readonly WireBoat[] };
  return items.map(boatByHand);
}

/** An answer of many rows decoded as the catalog says, against code written for this one entity. */
export function decodePairs(count = 10_000): readonly Pair[] {
  const body = boatsBody(count);
  const catalog = quayCatalog();
  return [
    {
      name: "decode",
      ours: {
        what: `decode ${count} rows of an answer`,
        run: () => decodeList(catalog, "boat_query", body).rows,
      },
      base: {
        what: "JSON.parse and a map written for this entity, with the same outcome",
        run: () => decodeByHand(body),
      },
    },
  ];
}
