import { entitySymbol } from "../symbols/symbols.ts";
import { keyForm, printCell } from "./cell.ts";
import {
  type ExecutableRow,
  type RetypedRow,
  type TypePlace,
  type RowResult,
  saidName,
  type TableRow,
  type TypeRow,
} from "./row.ts";
import type { Scene } from "./notation.ts";
import { elementRef, referenceOf, type TypeRef, taughtTypeText } from "./list-choice.ts";

/** A type text over this many code points is written once (TEACH-23). */
const LONGEST_TYPE = 60;

/** Prints rows of a wave; it remembers, over all waves, which slot a long type was written at. */
export class RowPrinter {
  /** type, in symbols → wire name of the slot that spells it out */
  readonly #written = new Map<string, string>();

  /** Rows as lines; what is said of a name at several places is said in one (TEACH-21). */
  print(scene: Scene, rows: readonly TableRow[]): readonly string[] {
    const lines: { readonly cell: string; readonly places: string[]; readonly said: string }[] = [];
    for (const row of rows) {
      if (row.kind !== "retyped") {
        lines.push({ cell: "", places: [], said: this.#row(scene, row) });
        continue;
      }
      const [cell, said] = [scene.spell.name(row.name), this.#saidThere(scene, row)];
      const place = placeText(scene, row.place);
      const last = lines.at(-1);
      if (last?.cell === cell && last.said === said) last.places.push(place);
      else lines.push({ cell, places: [place], said });
    }
    return lines.map(({ cell, places, said }) =>
      places.length === 0 ? said : `${cell}\t${places.join(", ")}: ${said}`,
    );
  }

  #saidThere(scene: Scene, row: RetypedRow): string {
    return `${this.#type(scene, row.type, null)}${noted(row.note)}`;
  }

  /** A row as two cells with a TAB between (TEACH-12, TEACH-21). */
  #row(scene: Scene, row: Exclude<TableRow, RetypedRow>): string {
    switch (row.kind) {
      case "slot":
        return this.#slot(scene, row);
      case "no_reads": {
        const symbol = scene.spell.entity(row.entity) ?? row.entity.entity;
        const name = saidName(scene, row);
        return `${symbol}\t${name === "" ? "" : `${name} · `}no reads${noted(row.note)}`;
      }
      case "head":
      case "get":
      case "query":
      case "search":
      case "call":
      case "relation":
      case "create":
      case "method":
        return `${printCell(row.left)}\t${this.#meaning(scene, row)}`;
    }
  }

  #meaning(scene: Scene, row: ExecutableRow): string {
    const said = saidName(scene, row);
    const name = said === "" ? "" : ` ${said}`;
    const opt = row.opt.map((path) => ` ${pathText(scene, path)}`).join("");
    const options = opt === "" ? "" : ` · opt${opt}`;
    const types = row.here.map(
      ({ path, type }) => `${pathText(scene, path)} ${this.#type(scene, type, null)}`,
    );
    const here = types.length === 0 ? "" : ` · here ${types.join(", ")}`;
    const needs = row.needs === "" ? "" : ` · needs ${row.needs}`;
    const rules = row.rules.length === 0 ? "" : ` · rules ${row.rules.join("; ")}`;
    return `${resultText(scene, row.result)}${name}${options}${here}${rules}${needs}${noted(row.note)}`;
  }

  #slot(scene: Scene, row: Extract<TypeRow, { kind: "slot" }>): string {
    const type = this.#type(scene, row.type, row.name);
    const name = saidName(scene, row);
    return `${scene.spell.name(row.name)}\t${name === "" ? "" : `${name} `}${type}${noted(row.note)}`;
  }

  /** A type text, or where it was written; `slot` is the name that spells it out for later ones. */
  #type(scene: Scene, type: TypeRef, slot: string | null): string {
    const { catalogs, spell, symbols } = scene;
    const text = taughtTypeText(type, {
      catalogs,
      entity: (key) => spell.entity(key),
      key: { isDue: (key) => !keyForm(scene, key).shown, part: (name) => spell.name(name) },
    });
    if (Array.from(text).length <= LONGEST_TYPE) return text;
    const id = taughtTypeText(type, { catalogs, entity: (key) => entitySymbol(symbols, key) });
    const known = this.#written.get(id);
    if (known !== undefined) return `as ${spell.name(known)}`;
    if (slot !== null && referenceOf(type) === null) this.#written.set(id, slot);
    const element = elementRef(type);
    return element === null ? text : `[${this.#type(scene, element, null)}]`;
  }
}

/** A slot, behind the slots whose member it is: `p3.p5`. */
function pathText(scene: Scene, path: string): string {
  return path
    .split(".")
    .map((name) => scene.spell.name(name))
    .join(".");
}

/** An entity that is not exposed yet is named: a reader may ask for it. */
function resultText(scene: Scene, result: RowResult): string {
  if (result.kind === "nothing") return "()";
  if (result.kind === "open") return "{…}";
  const entity = scene.spell.entity(result.entity) ?? result.entity.entity;
  return result.card === "many" ? `[${entity}]` : entity;
}

function placeText(scene: Scene, place: TypePlace): string {
  const { spell } = scene;
  if (place.kind === "argument") {
    const method = spell.method(place.method);
    if (method !== place.method.label) return method;
    return `${spell.entity(place.method) ?? place.method.entity}.${method}`;
  }
  const entity = spell.entity(place.entity) ?? place.entity.entity;
  return place.kind === "field" ? entity : `${entity}{}`;
}

function noted(note: string): string {
  return note === "" ? "" : ` · ${note}`;
}
