import { type SchemaShape, type ScalarType, itemShape } from "../document/schema-shape.ts";
import { catalogName, reserveName } from "../names/free-name.ts";
import type { EntityDraft } from "./entity-draft.ts";

/** An entry of `values`, as the file has it. */
export type ValueEntry = Readonly<Record<string, unknown>>;

const SCALARS: Readonly<Record<ScalarType | "free", readonly [string, ValueEntry]>> = {
  text: ["text", { type: "string", string_semantics: "short" }],
  prose: ["prose", { type: "string", string_semantics: "document" }],
  uuid: ["uuid", { type: "uuid" }],
  integer: ["integer", { type: "integer" }],
  number: ["number", { type: "number" }],
  boolean: ["flag", { type: "boolean" }],
  day: ["day", { type: "date", value_format: "iso8601_date" }],
  instant: ["instant", { type: "date", value_format: "rfc3339" }],
  seconds: ["unix_time", { type: "date", value_format: "unix_sec" }],
  millis: ["unix_millis", { type: "date", value_format: "unix_ms" }],
  free: ["free", { type: "json" }],
};

/** The `values` of a catalog: each is entered once, under the first name that asks for it. */
export interface ValueTable {
  /** The name of the value of a shape; `slot` names options, where they are new. */
  readonly ofShape: (shape: SchemaShape, slot: string, owner: string) => string;
  /** The name of bytes with a type and a name. */
  readonly ofFile: () => string;
  /** The name of lists of them. */
  readonly ofFiles: () => string;
  /** The name of references to an entity. */
  readonly ofEntity: (entity: EntityDraft) => string;
  /** in the order of kinds, then of first use */
  readonly entries: () => ReadonlyMap<string, ValueEntry>;
}

export function valueTable(): ValueTable {
  const taken = new Set(Object.values(SCALARS).map(([name]) => name));
  const names = new Map<string, string>();
  const entries = new Map<string, ValueEntry>();
  const enter = (wanted: readonly string[], entry: ValueEntry): string => {
    const key = JSON.stringify(entry);
    const known = names.get(key);
    if (known !== undefined) return known;
    const free = wanted.find((name) => !taken.has(name)) ?? wanted[0] ?? "value";
    const name = reserveName(taken, free);
    names.set(key, name);
    entries.set(name, entry);
    return name;
  };
  const scalar = (type: ScalarType | "free"): string => {
    const [name, entry] = SCALARS[type];
    entries.set(name, entry);
    return name;
  };
  const ofShape: ValueTable["ofShape"] = (shape, slot, owner) => {
    switch (shape.kind) {
      case "scalar":
        return scalar(shape.type);
      case "options": {
        const plain = catalogName(slot, "option").toLowerCase();
        const entry = { type: "select", allowed_values: shape.options };
        return enter([plain, `${owner}_${plain}`], entry);
      }
      case "list": {
        const items = itemShape(shape, slot);
        if (items.kind !== "scalar" && items.kind !== "options") return scalar("free");
        const element = ofShape(items, slot, owner);
        return enter([`${element}_list`], { type: "array", items: { value_ref: element } });
      }
      case "record":
      case "free":
        return scalar("free");
    }
  };
  const order = [
    "string",
    "blob",
    "uuid",
    "integer",
    "number",
    "boolean",
    "date",
    "json",
    "array",
    "select",
  ];
  const rank = (entry: ValueEntry): number => {
    const at = order.indexOf(String(entry["type"]));
    return at === -1 ? order.length : at;
  };
  const ofFile = (): string => enter(["file"], { type: "blob" });
  return {
    ofShape,
    ofFile,
    ofFiles: () => enter(["files"], { type: "array", items: { value_ref: ofFile() } }),
    ofEntity: (entity) => enter([entity.snake], { type: "entity_ref", target: entity.name }),
    entries: () => new Map([...entries].toSorted(([, a], [, b]) => rank(a) - rank(b))),
  };
}
