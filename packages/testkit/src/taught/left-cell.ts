/** A value that a left cell shows. */
export type CellValue =
  | { readonly kind: "hole" }
  /** `..`: any of the options */
  | { readonly kind: "any" }
  | { readonly kind: "word"; readonly text: string }
  | { readonly kind: "list"; readonly element: CellValue }
  | { readonly kind: "object"; readonly members: readonly CellItem[] }
  | { readonly kind: "row"; readonly entity: string; readonly key: readonly CellItem[] };

/** A value, by name where it has one. */
export interface CellItem {
  readonly name: string | null;
  readonly value: CellValue;
}

/** What stands behind the entity of a left cell, one after the other. */
export type CellPart =
  | { readonly kind: "key"; readonly items: readonly CellItem[] }
  | { readonly kind: "search" }
  | { readonly kind: "conditions"; readonly items: readonly CellItem[] }
  | { readonly kind: "columns"; readonly names: readonly string[] }
  | { readonly kind: "step"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly items: readonly CellItem[] };

export interface LeftCell {
  readonly entity: string;
  readonly parts: readonly CellPart[];
}

/** Reads the code of a left cell (TEACH-14 to TEACH-18); throws for what no row is written as. */
export function readLeftCell(text: string): LeftCell {
  let at = 0;
  const fail = (): never => {
    throw new Error(`no code: ${JSON.stringify(text.slice(at))} in ${JSON.stringify(text)}`);
  };
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const need = (pattern: RegExp): string => take(pattern) ?? fail();
  const items = (close: string): readonly CellItem[] => {
    const found: CellItem[] = [];
    while (!text.startsWith(close, at)) {
      if (found.length > 0) need(/, /y);
      const name = take(/[A-Za-z_]\w*(?==|: )/y);
      if (name !== null) need(/=|: /y);
      found.push({ name, value: value() });
    }
    at += close.length;
    return found;
  };
  const value = (): CellValue => {
    if (take(/\$/y) !== null) return { kind: "hole" };
    if (take(/\.\./y) !== null) return { kind: "any" };
    if (take(/\[/y) !== null) {
      const element = value();
      need(/\]/y);
      return { kind: "list", element };
    }
    if (take(/\{/y) !== null) return { kind: "object", members: items("}") };
    const entity = take(/[A-Za-z_]\w*(?=\()/y);
    if (entity !== null) {
      need(/\(/y);
      return { kind: "row", entity, key: items(")") };
    }
    return { kind: "word", text: need(/"(?:[^"\\]|\\.)*"|[^\s,)\]}"]+/y) };
  };
  const entity = need(/[A-Za-z_]\w*/y);
  const parts: CellPart[] = [];
  while (at < text.length) {
    if (take(/\(/y) !== null) parts.push({ kind: "key", items: items(")") });
    else if (take(/~\$/y) !== null) parts.push({ kind: "search" });
    else if (take(/\{/y) !== null) parts.push({ kind: "conditions", items: items("}") });
    else if (take(/\[/y) !== null) {
      parts.push({ kind: "columns", names: need(/[\w,]+/y).split(",") });
      need(/\]/y);
    } else {
      need(/\./y);
      const name = need(/[A-Za-z_][\w-]*/y);
      if (take(/\(/y) === null) parts.push({ kind: "step", name });
      else parts.push({ kind: "call", name, items: items(")") });
    }
  }
  return { entity, parts };
}
