import {
  type CellItem,
  type CellPart,
  type CellValue,
  type LeftCell,
  readLeftCell,
} from "./left-cell.ts";
import { type PrintedType, scalarSample } from "./printed-type.ts";
import type { TaughtCode, TaughtText } from "./read-taught.ts";
import { numberBy, optionsBy, textBy, type ValueRules, valueRules } from "./rules.ts";

/** A program that an agent makes of one row of a table. */
export interface RowProgram {
  readonly program: string;
  /** what was given besides what the row shows: `[]`, one option, or all of them */
  readonly options: readonly string[];
}

/** Where a name stands: its types are looked for at these places, the nearest first (TEACH-21). */
type Places = readonly string[];

type CellCall = Extract<CellPart, { kind: "call" }>;

const DEEPEST = 6;

/** Fills the rows of a session from its text alone (TEACH-19). */
export class RowFiller {
  readonly #text: TaughtText;
  readonly #cells: readonly (readonly [TaughtCode, LeftCell])[];
  /** which of several types or options is taken */
  #turn = 0;

  constructor(text: TaughtText) {
    this.#text = text;
    this.#cells = text.rows.map((row) => [row, readLeftCell(row.left)]);
  }

  /**
   * The programs of a row: as shown, with each optional slot alone, with all of them. Where a name has several
   * types at its place, nothing says which is meant: there is a program with each.
   */
  programs(row: TaughtCode): readonly RowProgram[] {
    const cell = readLeftCell(row.left);
    const sets = [[], ...row.opt.map((name) => [name]), ...(row.opt.length > 1 ? [row.opt] : [])];
    const any = cell.parts.some((part) => "items" in part && part.items.some(isAny));
    const shown = cell.parts.flatMap((part) => ("items" in part ? pathsIn(part.items, "") : []));
    const found = new Map<string, RowProgram>();
    for (const options of sets) {
      const wanted = any && options.length === 0 ? row.opt.slice(0, 1) : options;
      const given = optionsBy(row.rules, shown, wanted);
      for (this.#turn = 0; this.#turn < 3; this.#turn += 1) {
        const program = this.#program(row, cell, given);
        if (!found.has(program)) found.set(program, { program, options });
      }
    }
    return [...found.values()];
  }

  #program(row: TaughtCode, cell: LeftCell, given: readonly string[]): string {
    let parts: readonly CellPart[] = cell.parts.map(withoutAny);
    for (const path of given) parts = this.#withOption(row, cell, parts, path.split("."), path);
    const step = parts.findIndex(({ kind }) => kind === "step");
    const code = parts.map((part, at) => {
      // Behind a step stand conditions on what it leads to.
      const listed = step >= 0 && at > step ? row.result.replaceAll(/[[\]]/g, "") : cell.entity;
      return this.#part(row, cell, part, listed);
    });
    return `${cell.entity}${code.join("")}`;
  }

  /** An option is an argument of the call, or a condition on the list or relation that the row reads. */
  #withOption(
    row: TaughtCode,
    cell: LeftCell,
    parts: readonly CellPart[],
    [first = "", ...inner]: readonly string[],
    path: string,
  ): readonly CellPart[] {
    const at = parts.findLastIndex(({ kind }) => kind === "call" || kind === "conditions");
    const target = parts[at];
    if (target === undefined || !("items" in target)) {
      const source = parts.findIndex(({ kind }) => kind === "columns");
      const where = source < 0 ? parts.length : source;
      const items = [{ name: first, value: this.#optional(row, cell, null, path) }];
      return parts.toSpliced(where, 0, { kind: "conditions", items });
    }
    const items = this.#withMember(row, cell, target, target.items, first, inner, path);
    return parts.with(at, { ...target, items });
  }

  #withMember(
    row: TaughtCode,
    cell: LeftCell,
    target: CellPart,
    items: readonly CellItem[],
    first: string,
    inner: readonly string[],
    path: string,
  ): readonly CellItem[] {
    const at = items.findIndex(({ name }) => name === first);
    const item = items[at];
    const [next, ...rest] = inner;
    if (item === undefined || next === undefined) {
      return [...items, { name: first, value: this.#optional(row, cell, target, path) }];
    }
    const inside = (value: CellValue): CellValue => {
      if (value.kind === "list") return { ...value, element: inside(value.element) };
      if (value.kind !== "object") throw new Error(`${row.left}: ${path} is in no object`);
      const members = this.#withMember(row, cell, target, value.members, next, rest, path);
      return { ...value, members };
    };
    return items.with(at, { ...item, value: inside(item.value) });
  }

  /** The form of an optional slot: that of another row if it has members, else its sample as a word. */
  #optional(row: TaughtCode, cell: LeftCell, part: CellPart | null, path: string): CellValue {
    const call = part?.kind === "call" ? part : null;
    const places = call === null ? conditionsOf(cell.entity) : placesOf(row, cell, call);
    const type = this.#typeAt(row, places, path);
    if (isObject(type)) {
      const shown = this.#shownMembers(cell, call, path);
      if (shown === null) throw new Error(`${row.left}: no row shows the members of ${path}`);
      return { kind: "word", text: this.#value(shown.row, shown.cell, shown.value, places, path) };
    }
    return { kind: "word", text: this.#sampleBy(row, type, path) };
  }

  #shownMembers(cell: LeftCell, call: CellCall | null, path: string) {
    for (const [row, other] of this.#cells) {
      if (other.entity !== cell.entity) continue;
      const part = other.parts.findLast(({ kind }) => kind === "call" || kind === "conditions");
      if (part === undefined || !("items" in part)) continue;
      if (call !== null && (part.kind !== "call" || part.name !== call.name)) continue;
      const value = valueAt(part.items, path.split("."));
      if (value === null) continue;
      // A variant's members are those of its own rows.
      const words = wordsIn(part.items, "");
      const beside = [...wordsIn(call?.items ?? [], "")].filter(([at]) => {
        const holder = at.slice(0, at.lastIndexOf(".") + 1);
        return path.startsWith(holder);
      });
      const isSame = beside.every(([at, word]) => (words.get(at) ?? word) === word);
      if (isSame) return { row, cell: other, value };
    }
    return null;
  }

  #part(row: TaughtCode, cell: LeftCell, part: CellPart, listed: string): string {
    const { entity } = cell;
    switch (part.kind) {
      case "key":
        return this.#key(entity, part.items, 0).slice(entity.length);
      case "search":
        return '~"some text"';
      case "columns":
        return `[${part.names.join(",")}]`;
      case "step":
        return `.${part.name}`;
      case "conditions":
        return `{${this.#items(row, cell, part.items, conditionsOf(listed), "", "=")}}`;
      case "call": {
        const places = placesOf(row, cell, part);
        return `.${part.name}(${this.#items(row, cell, part.items, places, "", "=")})`;
      }
    }
  }

  #items(
    row: TaughtCode,
    cell: LeftCell,
    items: readonly CellItem[],
    places: Places,
    above: string,
    sign: "=" | ": ",
  ): string {
    return items
      .map(({ name, value }) => {
        const path = above === "" ? (name ?? "") : `${above}.${name ?? ""}`;
        return `${name ?? ""}${sign}${this.#value(row, cell, value, places, path)}`;
      })
      .join(", ");
  }

  #value(row: TaughtCode, cell: LeftCell, value: CellValue, places: Places, path: string): string {
    switch (value.kind) {
      case "word":
        return value.text;
      case "any":
        throw new Error(`${row.left}: options where a value stands`);
      case "row":
        return this.#key(value.entity, value.key, 0);
      case "object":
        return `{${this.#items(row, cell, value.members, places, path, ": ")}}`;
      case "hole":
        return this.#sampleBy(row, this.#typeAt(row, places, path), path);
      case "list": {
        const type = this.#typeAt(row, places, path);
        const plain = value.element.kind === "hole" && type.kind === "list";
        if (plain) return this.#sampleBy(row, type, path);
        const element = this.#value(row, cell, value.element, places, path);
        const { shortest } = valueRules(row.rules, path);
        return `[${Array.from({ length: Math.max(1, shortest) }, () => element).join(", ")}]`;
      }
    }
  }

  /** A row by its key: the parts as shown, or those that another row shows where `$` stands for them. */
  #key(entity: string, items: readonly CellItem[], depth: number): string {
    const [only] = items;
    const shown = only?.name === null && items.length === 1 ? this.#compoundKey(entity) : items;
    if (shown === null) return `${entity}(${this.#sample(this.#keyType(entity), depth)})`;
    const parts = shown.map(({ name, value }) => {
      const each =
        value.kind === "row" && depth < DEEPEST
          ? this.#key(value.entity, value.key, depth + 1)
          : this.#sample(this.#fieldType(entity, name ?? ""), depth + 1);
      return `${name ?? ""}=${each}`;
    });
    return `${entity}(${parts.join(", ")})`;
  }

  /** The parts of a compound key, where some row writes them out. */
  #compoundKey(entity: string): readonly CellItem[] | null {
    for (const [, cell] of this.#cells) {
      for (const items of keysOf(cell, entity))
        if (items.some(({ name }) => name !== null)) return items;
    }
    return null;
  }

  /** The type of a key of one part: that of the first column (TEACH-15), else text. */
  #keyType(entity: string): PrintedType {
    for (const [, cell] of this.#cells) {
      const columns = cell.parts.find(({ kind }) => kind === "columns");
      if (cell.entity !== entity || columns?.kind !== "columns") continue;
      return this.#fieldType(entity, columns.names[0] ?? "");
    }
    return { kind: "scalar", name: "str" };
  }

  #fieldType(entity: string, name: string): PrintedType {
    return this.#pick([`${entity} ${name}`], name) ?? { kind: "scalar", name: "str" };
  }

  #typeAt(row: TaughtCode, places: Places, path: string): PrintedType {
    const name = path.slice(path.lastIndexOf(".") + 1);
    const type =
      row.here.get(path) ??
      this.#pick(
        places.map((place) => `${place} ${name}`),
        name,
      );
    if (type === null) throw new Error(`${row.left}: ${path} has no type`);
    return type;
  }

  #pick(ids: readonly string[], name: string): PrintedType | null {
    for (const id of ids) {
      const types = this.#text.there.get(id);
      if (types !== undefined) return types[this.#turn % types.length] ?? null;
    }
    return this.#text.everywhere.get(name) ?? null;
  }

  /** A sample that keeps to the rules of its row. */
  #sampleBy(row: TaughtCode, type: PrintedType, path: string): string {
    return this.#ruled(type, valueRules(row.rules, path));
  }

  #ruled(type: PrintedType, rules: ValueRules): string {
    if (type.kind === "list") {
      const length = Math.min(Math.max(1, rules.shortest), rules.longest);
      const inner = { ...rules, shortest: 0, longest: Number.POSITIVE_INFINITY };
      const element = this.#ruled(type.element, inner);
      return `[${Array.from({ length }, () => element).join(", ")}]`;
    }
    const usual = this.#sample(type, 0);
    if (type.kind !== "scalar") return usual;
    if (type.name === "int" || type.name === "num") return numberBy(rules, usual);
    return usual.startsWith('"some') ? (textBy(rules) ?? usual) : usual;
  }

  #sample(type: PrintedType, depth: number): string {
    switch (type.kind) {
      case "scalar":
        return scalarSample(type.name);
      case "options":
        return type.options[this.#turn % type.options.length] ?? "";
      case "list":
        return `[${this.#sample(type.element, depth)}]`;
      case "same":
        return this.#sample(this.#text.everywhere.get(type.slot) ?? type, depth);
      case "reference":
        return depth >= DEEPEST ? '"some text"' : this.#key(type.entity, [HOLE], depth + 1);
      case "foreign": {
        const [only, second] = type.parts;
        if (only !== undefined && second === undefined) return this.#sample(only.type, depth);
        const parts = type.parts.map(({ name, type: part }) => {
          return `${name ?? ""}=${this.#sample(part, depth + 1)}`;
        });
        return `${type.entity}(${parts.join(", ")})`;
      }
    }
  }
}

const HOLE: CellItem = { name: null, value: { kind: "hole" } };

const isAny = ({ value }: CellItem): boolean => value.kind === "any";

/** The words that a cell shows, by path: discriminators of its variants. */
function wordsIn(items: readonly CellItem[], above: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, value } of items) {
    const path = above === "" ? (name ?? "") : `${above}.${name ?? ""}`;
    let inner = value;
    while (inner.kind === "list") inner = inner.element;
    if (inner.kind === "word") found.set(path, inner.text);
    if (inner.kind !== "object") continue;
    for (const [at, word] of wordsIn(inner.members, path)) found.set(at, word);
  }
  return found;
}

/** The paths of what is given in a cell. */
function pathsIn(items: readonly CellItem[], above: string): readonly string[] {
  return items.flatMap(({ name, value }) => {
    if (name === null) return [];
    const path = above === "" ? name : `${above}.${name}`;
    let inner = value;
    while (inner.kind === "list") inner = inner.element;
    return inner.kind === "object" ? [path, ...pathsIn(inner.members, path)] : [path];
  });
}

/** A list by its label takes the types of conditions, too. */
function placesOf({ result }: TaughtCode, { entity, parts }: LeftCell, { name }: CellCall): Places {
  const isList = result.startsWith("[") && !parts.some(({ kind }) => kind === "key");
  const own = [name, `${entity}.${name}`];
  return isList ? [...own, `${entity}{}`, entity] : [...own, entity];
}

const conditionsOf = (entity: string): Places => [`${entity}{}`, entity];

function withoutAny(part: CellPart): CellPart {
  return "items" in part ? { ...part, items: part.items.filter((item) => !isAny(item)) } : part;
}

function isObject(type: PrintedType): boolean {
  if (type.kind === "list") return isObject(type.element);
  return type.kind === "scalar" && type.name === "object";
}

function valueAt(
  items: readonly CellItem[],
  [first, ...rest]: readonly string[],
): CellValue | null {
  let value = items.find(({ name }) => name === first)?.value ?? null;
  if (rest.length === 0) return value;
  while (value?.kind === "list") value = value.element;
  return value?.kind === "object" ? valueAt(value.members, rest) : null;
}

/** The keys of an entity that a cell writes, at any depth. */
function keysOf(cell: LeftCell, entity: string): readonly (readonly CellItem[])[] {
  const inside = (value: CellValue): readonly (readonly CellItem[])[] => {
    switch (value.kind) {
      case "row":
        return [
          ...(value.entity === entity ? [value.key] : []),
          ...value.key.flatMap((item) => inside(item.value)),
        ];
      case "list":
        return inside(value.element);
      case "object":
        return value.members.flatMap((item) => inside(item.value));
      case "hole":
      case "any":
      case "word":
        return [];
    }
  };
  return cell.parts.flatMap((part) => {
    if (!("items" in part)) return [];
    const own = part.kind === "key" && cell.entity === entity ? [part.items] : [];
    return [...own, ...part.items.flatMap((item) => inside(item.value))];
  });
}
