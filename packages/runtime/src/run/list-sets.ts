import type { Capability, CatalogSet, Json, JsonObject, PlanValue } from "@plasm/core";
import { type ListNode, slotsOf } from "@plasm/core/internal";
import { isArray, isObject } from "../base/json-kinds.ts";
import { RunFailure, failure } from "../base/run-failure.ts";
import type { EntityRow } from "../decode/entity-row.ts";
import type { ReadCall, RunEngine } from "./engine.ts";
import type { NodeContext } from "./feed.ts";
import {
  type ListPages,
  type ListState,
  type PagePosition,
  listFrom,
  storeList,
} from "./list-pages.ts";
import { openRows } from "./read-capability.ts";

/** Whether a slot takes one value, so that a list for it means one call for each (RUN-111). */
function takesOne(capability: Capability, name: string): boolean {
  const input = slotsOf(capability).find((slot) => slot.name === name)?.input;
  if (input?.kind !== "value") return false;
  const { kind } = input.type;
  return kind !== "array" && kind !== "multi_select" && kind !== "json";
}

/** Whether a plan's value is a list: constants, values of other nodes, or a column (LANG-044). */
export function isListValue(value: PlanValue): boolean {
  if ("lit" in value) return isArray(value.lit);
  return "list" in value || ("from" in value && value.many);
}

/** Whether a list is read once for each of several values. */
export function readsPerValue(node: ListNode, catalogs: CatalogSet): boolean {
  const capability = catalogs.get(node.catalog.entry_id)?.cgs.capabilities.get(node.capability);
  if (capability === undefined) return false;
  return Object.entries(node.args).some(
    ([name, value]) => isListValue(value) && takesOne(capability, name),
  );
}

const distinctValues = (values: readonly Json[]): readonly Json[] =>
  [...new Map(values.map((one) => [JSON.stringify(one), one])).values()].filter(
    (one) => one !== null,
  );

/**
 * What a list is called with: its arguments or, where `in` gave several values to a slot that takes
 * one, once with each distinct value (RUN-111). Throws RunFailure for more than `most` calls.
 */
export function argumentSets(
  capability: Capability,
  args: JsonObject,
  most: number,
): readonly JsonObject[] {
  let sets: readonly JsonObject[] = [args];
  for (const [name, value] of Object.entries(args)) {
    if (!isArray(value) || !takesOne(capability, name)) continue;
    const values = distinctValues(value);
    const count = sets.length * values.length;
    if (count > most) {
      throw new RunFailure(
        failure(
          "budget_exceeded",
          `${name} has ${count} values, one request each; fan_out allows ${most}.`,
          `narrow them to ${most}, or raise the setting fan_out`,
        ),
      );
    }
    sets = sets.flatMap((set) => values.map((one) => ({ ...set, [name]: one })));
  }
  return sets;
}

/** A list and the node it is read for. */
export interface ListUse {
  readonly engine: RunEngine;
  readonly feed: NodeContext;
  readonly call: ReadCall;
}

/** A list read once or, one after the other, with several sets of arguments (RUN-111). */
export interface ListSets {
  /** The next rows; empty at the end. Throws RunFailure or RunStop. */
  next(): Promise<readonly EntityRow[]>;
  readonly ended: boolean;
  /** where the page of the last rows begins, another object for each; null before the first */
  readonly origin: JsonObject | null;
  /** whether it holds rows of that page that it has not given */
  readonly holds: boolean;
  /** what is said of rows behind the end of the last set; null if nothing */
  readonly unread: string | null;
  /** Where it stands; `given` are rows that the caller took but does not want yet. */
  /** what each of the last rows was counted as in the run's memory, in bytes */
  readonly held: number;
  save(given: readonly EntityRow[]): JsonObject;
}

/** The state in which a list reads a page again, and what follows it; `now` is its present state. */
export function readAgain(now: JsonObject, { page, seen, at, merged }: JsonObject): JsonObject {
  const { list, at: present = 0 } = now;
  const known = isObject(list) && present === (at ?? 0) ? texts(list["seen"]) : [];
  const again = { page: page ?? null, pending: [], seen: known.slice(0, Number(seen)) };
  if (at === undefined) return { list: again };
  return { list: again, at, merged: texts(now["merged"]).slice(0, Number(merged)) };
}

const texts = (value: Json | undefined): readonly string[] =>
  isArray(value) ? value.filter((one) => typeof one === "string") : [];

class SetReader implements ListSets {
  readonly #list: ListUse;
  readonly #sets: readonly JsonObject[];
  /** identities of earlier sets' rows: a row of several sets is given once */
  readonly #merged: Set<string>;
  #at: number;
  #pages: ListPages | null;
  #page: PagePosition | null = null;
  #origin: JsonObject | null = null;

  constructor(list: ListUse, sets: readonly JsonObject[], state: JsonObject | null) {
    this.#list = list;
    this.#sets = sets;
    this.#merged = new Set(texts(state?.["merged"]));
    this.#at = typeof state?.["at"] === "number" ? state["at"] : 0;
    const place = state?.["list"];
    this.#pages = this.#open(place === undefined ? null : listFrom(place));
  }

  get ended(): boolean {
    return this.#pages === null || (this.#pages.ended && this.#at + 1 >= this.#sets.length);
  }

  get origin(): JsonObject | null {
    return this.#origin;
  }

  get unread(): string | null {
    return this.#pages?.unread ?? null;
  }

  get held(): number {
    return this.#pages?.held ?? 0;
  }

  get holds(): boolean {
    return this.#pages?.holds === true;
  }

  async next(): Promise<readonly EntityRow[]> {
    while (this.#pages !== null) {
      const rows = await this.#pages.next();
      this.#note(this.#pages.origin);
      if (rows.length > 0) return this.#fresh(rows);
      if (this.#at + 1 >= this.#sets.length) return [];
      markUnread(this.#list.feed, this.#pages.unread);
      this.#at += 1;
      this.#pages = this.#open(null);
    }
    return [];
  }

  save(given: readonly EntityRow[]): JsonObject {
    if (this.#pages === null) return {};
    const list = storeList(this.#pages.save(given));
    return this.#sets.length === 1 ? { list } : { list, at: this.#at, merged: [...this.#merged] };
  }

  #note(page: PagePosition | null): void {
    if (page === null || page === this.#page) return;
    this.#page = page;
    const own = { page: { ...page.page }, seen: page.seen };
    const several = this.#sets.length > 1;
    this.#origin = several ? { ...own, at: this.#at, merged: this.#merged.size } : own;
  }

  #open(from: ListState | null): ListPages | null {
    const args = this.#sets[this.#at];
    if (args === undefined) return null;
    const { engine, feed, call } = this.#list;
    return openRows(engine, feed, { ...call, args }, from);
  }

  #fresh(rows: readonly EntityRow[]): readonly EntityRow[] {
    if (this.#sets.length === 1) return rows;
    const fresh = rows.filter(({ identity }) => {
      return identity === null || !this.#merged.has(identity.text);
    });
    for (const { identity } of fresh) if (identity !== null) this.#merged.add(identity.text);
    return fresh;
  }
}

/** Says that rows are missing in the midst of what is read: others come behind them (RUN-003). */
export function markUnread(site: NodeContext, unread: string | null): void {
  if (unread === null) return;
  site.log.add("rows_unread", unread);
  site.mark("rows_unread");
}

/** Opens a list at its beginning, or where a cursor left it. */
export const openListSets = (
  list: ListUse,
  sets: readonly JsonObject[],
  state: JsonObject | null,
): ListSets => new SetReader(list, sets, state);
