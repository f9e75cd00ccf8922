/** A type as a table prints it (TEACH-21). */
export type PrintedType =
  | { readonly kind: "scalar"; readonly name: string }
  | { readonly kind: "options"; readonly options: readonly string[] }
  | { readonly kind: "list"; readonly element: PrintedType }
  | { readonly kind: "reference"; readonly entity: string }
  | { readonly kind: "foreign"; readonly entity: string; readonly parts: readonly PrintedPart[] }
  | { readonly kind: "same"; readonly slot: string };

/** A part of the key of an entity that the session does not have; a key of one part has no name. */
export interface PrintedPart {
  readonly name: string | null;
  readonly type: PrintedType;
}

const SCALARS = new Set(
  "str int num bool date datetime uuid json blob markdown document html json_text object null".split(
    " ",
  ),
);

const NAME = /[A-Za-z_]\w*/y;
const OPTION = /"(?:[^"\\]|\\.)*"|[^|\]\s,)"]+/y;

/**
 * Reads a type at the beginning of a text, with how many characters it takes; `isEntity` says which names are
 * entities of the session. Throws where no type can be read.
 */
export function readType(
  text: string,
  isEntity: (name: string) => boolean,
): { readonly type: PrintedType; readonly length: number } {
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const fail = (): never => {
    throw new Error(`no type: ${JSON.stringify(text.slice(at))} in ${JSON.stringify(text)}`);
  };
  const parts = (): readonly PrintedPart[] => {
    const found: PrintedPart[] = [];
    at += 1;
    while (text[at] !== ")") {
      const name = match(/[A-Za-z_]\w*=/y)?.slice(0, -1) ?? null;
      found.push({ name, type: type() });
      if (text.startsWith(", ", at)) at += 2;
      else if (text[at] !== ")") fail();
    }
    at += 1;
    return found;
  };
  const options = (): PrintedType => {
    const found: string[] = [];
    do found.push(match(OPTION) ?? fail());
    while (text[at] === "|" && (at += 1) > 0);
    return { kind: "options", options: found };
  };
  const type = (): PrintedType => {
    if (text[at] === "[") {
      at += 1;
      const element = type();
      if (text[at] !== "]") fail();
      at += 1;
      return { kind: "list", element };
    }
    const slot = match(/as [A-Za-z_]\w*(?= · |$|[\],)])/y);
    if (slot !== null) return { kind: "same", slot: slot.slice("as ".length) };
    const start = at;
    const name = match(NAME);
    if (name === null) return options();
    if (text[at] === "(") return { kind: "foreign", entity: name, parts: parts() };
    if (/^(?:[\s\]),]|$)/.test(text.slice(at))) {
      if (isEntity(name)) return { kind: "reference", entity: name };
      if (SCALARS.has(name)) return { kind: "scalar", name };
    }
    at = start;
    return options();
  };
  const read = type();
  return { type: read, length: at };
}

/** A value of a scalar type, as a program writes it. */
export function scalarSample(name: string): string {
  switch (name) {
    case "int":
      return "7";
    case "num":
      return "2.5";
    case "bool":
      return "true";
    case "date":
      return "2026-01-31";
    case "datetime":
      return "2026-01-31T12:00:00Z";
    case "uuid":
      return "3f0b1a52-0c4e-4a57-9d2e-5b8a6c7d9e10";
    case "blob":
      return '"eA=="';
    case "json":
      return '{a: [1, "b"]}';
    case "json_text":
      return '"{}"';
    case "null":
      return "null";
    // Of one whose members no row shows none is required, or the program would not be right.
    case "object":
      return "{}";
    default:
      return '"some text"';
  }
}
