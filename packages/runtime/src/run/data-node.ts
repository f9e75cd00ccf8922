import type { Json, JsonObject, PlanValue } from "@plasm/core";
import type { DataNode } from "@plasm/core/internal";
import { isArray, isObject, sizeOf } from "../base/json-kinds.ts";
import type { ColumnTypes, Row } from "../rows/row.ts";
import { type RunEngine, rowsName } from "./engine.ts";
import type { Feed, RowReader } from "./feed.ts";
import { wordType } from "../rows/word-type.ts";
import { resolveValue } from "./resolve-value.ts";

/** An item of data: what was written, and what it came to. */
interface Item {
  readonly written: PlanValue;
  readonly value: Json;
}

/** The items of a list that was written as one; null for any other value. */
function itemsOf({ written, value }: Item): readonly Item[] | null {
  if (!isArray(value)) return null;
  if ("list" in written) {
    return written.list.map((each, at) => ({ written: each, value: value[at] ?? null }));
  }
  return "lit" in written ? value.map((each) => ({ written: { lit: each }, value: each })) : null;
}

/** The members of an object that was written as one: a reference's key is a value, no row. */
function membersOf({ written, value }: Item, columns: ReadonlySet<string>): JsonObject | null {
  const isRow = ("obj" in written || "lit" in written) && isObject(value);
  return isRow && Object.keys(value).every((name) => columns.has(name)) ? value : null;
}

/** One row: the columns of all, missing ones null (LANG-046). */
function rowOf(item: Item, names: readonly string[], types: ColumnTypes): Row {
  const [only = "value"] = names;
  const name = names.includes("value") ? "value" : only;
  const members = membersOf(item, new Set(names)) ?? { [name]: item.value };
  const cells = names.map((each): readonly [string, Json] => [
    each,
    Object.hasOwn(members, each) ? (members[each] ?? null) : null,
  ]);
  return { base: null, cells: new Map(cells), joined: new Map(), types };
}

/** The rows of a literal: text, a scalar or an object is one, a list one per item (LANG-046). */
export function dataNode(engine: RunEngine, feed: Feed, node: DataNode): RowReader {
  const columns = node.result.columns ?? [];
  const names = columns.map(([name]) => name);
  const types: ColumnTypes = new Map(columns.map(([name, word]) => [name, wordType(word)]));
  return {
    sources: [],
    async read() {
      const value = await resolveValue(node.value, { engine, feed, slot: null });
      const data: Item = { written: node.value, value };
      const items = node.result.card === "one" ? [data] : (itemsOf(data) ?? [data]);
      const { cells, bytes } = sizeOf(value);
      const name = () => rowsName(engine, node.id);
      await engine.rows.compute(name, {
        cells: Math.max(cells, items.length * names.length),
        bytes,
      });
      return { rows: items.map((item) => rowOf(item, names, types)), ended: true };
    },
    // It is read at once: what is left of it is rows.
    save: () => null,
    anew: () => null,
    stands: true,
  };
}
