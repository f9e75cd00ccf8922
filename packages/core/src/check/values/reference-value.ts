import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import { catalogOf } from "../../catalog/federation.ts";
import type {
  ConstructorValue,
  Name,
  ObjectValue,
  Path,
  Value,
  WordValue,
} from "../../language/grammar/ast-values.ts";
import type { ValueType } from "../../values/value-type.ts";
import { addNote, type CheckContext } from "../check-context.ts";
import { nameMeaning, speakerLike, symbolProblem } from "../names/name-formatter.ts";
import { type ColumnType, keyTypes } from "../types.ts";
import { jsonObject } from "./scalar-values.ts";
import { type TypedKeyPart, keyReference, readKeyArgs } from "./key-args.ts";
import type { ReadValue } from "./list-value.ts";
import {
  literalText,
  readAs,
  UNKNOWN_VALUE,
  unreadable,
  type ValueReading,
  type ValueSlot,
} from "./value-reading.ts";
import { acceptedForms, invalidValue } from "./slot-problems.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { nameMessages } from "../../diagnostics/name-messages.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import { spanIn } from "../../base/source.ts";
import { editDistance } from "../../base/text.ts";
import { cursorProblem } from "../names/problems.ts";
import { resolvePath } from "../columns/resolve-path.ts";
import { unreadableColumn } from "../columns/unknown-column.ts";
import type { Rows } from "../typed-program.ts";

/** A constructor of the target, its scalar key, or an object of its key parts (LANG-040). */
export function readReferenceTo(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  target: string,
  read: ReadValue,
): ValueReading {
  const { entryId } = slot.type;
  if (entryId === null) return unreadable(invalidValue(context, value, slot));
  if (value.kind === "ConstructorValue") {
    return readConstructor(context, value, slot, { entryId, entity: target }, read);
  }
  const parts = keyTypes(context.exposure, entryId, target);
  if (value.kind === "ObjectValue") {
    return readKeyObject(context, value, slot, { entryId, entity: target }, parts, read);
  }
  const [only] = parts;
  if (parts.length > 1 || only === undefined) return readSplitText(context, value, slot, parts);
  const type = scalarKeyType(context, entryId, target);
  const reading = read(context, value, {
    ...slot,
    nullable: false,
    omittable: false,
    type: { entryId, type },
  });
  const refused = reading.value === null && reading.problems.length > 0;
  const misfits = reading.problems.every(({ code }) => code === "argument_invalid");
  return refused && misfits ? unreadable(invalidValue(context, value, slot)) : reading;
}

/**
 * The type of the value a one-part key is written as, through keys that are references themselves;
 * text where these end in several parts or nowhere.
 */
function scalarKeyType({ exposure }: CheckContext, entryId: string, target: string): ValueType {
  const seen = new Set<string>();
  let entity = target;
  while (!seen.has(entity)) {
    seen.add(entity);
    const [only, ...others] = keyTypes(exposure, entryId, entity);
    if (only === undefined || others.length > 0) return TEXT;
    if (only[1].kind !== "entity_ref") return only[1];
    entity = only[1].target;
  }
  return TEXT;
}

const TEXT = { kind: "string", semantics: "short" } as const;

interface Target {
  readonly entryId: string;
  readonly entity: string;
}

function readConstructor(
  context: CheckContext,
  value: ConstructorValue,
  slot: ValueSlot,
  target: Target,
  read: ReadValue,
): ValueReading {
  const meaning = nameMeaning(context.exposure.symbols, value.name.text);
  if (meaning.kind === "unallocated" || meaning.kind === "method") {
    return readAsUnknown(symbolProblem(context, value.name, "e"));
  }
  const meant =
    meaning.kind === "entity"
      ? meaning.key.entryId === target.entryId && meaning.key.entity === target.entity
      : isNamed(context, target, meaning.text);
  if (!meant) {
    const speaker = speakerLike(context.exposure, value.name.text);
    const args = {
      slot: slot.shown,
      wanted: speaker.entity(target),
      found: value.name.text,
      forms: acceptedForms(context, slot),
    };
    return readAsUnknown(diagnose(valueMessages.wrongConstructor, value.name.span, args));
  }
  const key = readKeyArgs(context, target, value.name, value.args, value.span, read);
  if (key.key === null) return { value: UNKNOWN_VALUE, problems: key.problems };
  return { value: keyReference(target, key.key), problems: key.problems };
}

/** A constructor in error still fills its slot, so that no other error follows (ERR-005). */
function readAsUnknown(problem: ReturnType<typeof symbolProblem>): ValueReading {
  return { value: UNKNOWN_VALUE, problems: [problem] };
}

function isNamed(context: CheckContext, target: Target, name: string): boolean {
  const { cgs } = catalogOf(context.exposure.catalogs, target.entryId);
  return target.entity === name || (cgs.entities.get(target.entity)?.aliases ?? []).includes(name);
}

function readKeyObject(
  context: CheckContext,
  value: ObjectValue,
  slot: ValueSlot,
  target: Target,
  parts: readonly TypedKeyPart[],
  read: ReadValue,
): ValueReading {
  const known = new Map(parts);
  const { symbols } = context.exposure;
  const named = value.entries.map((entry) => {
    const { key } = entry;
    const meaning = key.kind === "Name" ? nameMeaning(symbols, key.text) : null;
    return { part: meaning?.kind === "name" ? meaning.text : key.text, value: entry.value };
  });
  const whole = named.length === known.size && named.every(({ part }) => known.has(part));
  if (!whole) return unreadable(invalidValue(context, value, slot));
  const readings = named.map((each) => {
    const type = known.get(each.part) ?? TEXT;
    const inner = {
      ...slot,
      shown: each.part,
      nullable: false,
      omittable: false,
      type: { ...slot.type, type },
    };
    return [each.part, read(context, each.value, { ...inner, use: "wire" })] as const;
  });
  const problems = readings.flatMap(([, reading]) => reading.problems);
  const key = new Map(readings.map(([part, reading]) => [part, reading.value ?? UNKNOWN_VALUE]));
  return { value: keyReference(target, key), problems };
}

/** A compound key as text `a/b`, for two text parts (RUN-012). */
function readSplitText(
  context: CheckContext,
  value: Value,
  slot: ValueSlot,
  parts: readonly TypedKeyPart[],
): ValueReading {
  const pieces = literalText(value)?.split("/") ?? [];
  const whole = parts.length === 2 && pieces.length === 2 && pieces.every((piece) => piece !== "");
  if (!whole) return unreadable(invalidValue(context, value, slot));
  const entries = parts.map(([part], at): [string, string] => [part, pieces[at] ?? ""]);
  return readAs({ kind: "lit", value: jsonObject(entries) });
}

/** What a bare word means before its slot is looked at (LANG-022). */
type WordMeaning =
  | { readonly kind: "text" }
  /** a label whose line is in error */
  | { readonly kind: "bad" }
  | { readonly kind: "problem"; readonly problem: Diagnostic }
  /** `label` is {@link CURSOR} for the row a `=>` is at */
  | { readonly kind: "row"; readonly label: string; readonly rows: Rows }
  | {
      readonly kind: "cell";
      readonly label: string;
      readonly rows: Rows;
      readonly path: readonly string[];
      readonly type: ColumnType;
    };

/** The name of the row a `=>` is at. */
export const CURSOR = "_";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Decides whether a word refers to a label, and to which of its cells. Notes near misses. */
export function wordMeaning(context: CheckContext, word: WordValue): WordMeaning {
  const [first = "", ...rest] = word.raw.split(".");
  if (!NAME.test(first)) return { kind: "text" };
  if (first === CURSOR) return cursorMeaning(context, word, rest.length > 0);
  const label = context.labels.meaning(first);
  switch (label.kind) {
    case "none":
      noteNearLabel(context, word.raw, first, rest.length > 0);
      return { kind: "text" };
    case "own":
      return { kind: "text" };
    case "bad":
      return { kind: "bad" };
    case "later": {
      const line = label.line;
      const args = { label: first, line, quoted: quoteText(word.raw) };
      return { kind: "problem", problem: diagnose(nameMessages.unboundLabel, word.span, args) };
    }
    case "rows":
      if (rest.length === 0) return { kind: "row", label: first, rows: label.rows };
      return cellMeaning(context, word, first, label.rows);
  }
}

function cursorMeaning(context: CheckContext, word: WordValue, dotted: boolean): WordMeaning {
  const { cursor } = context;
  if (cursor === null) return { kind: "problem", problem: cursorProblem(word.span, word.raw) };
  return dotted
    ? cellMeaning(context, word, CURSOR, cursor.rows)
    : { kind: "row", label: CURSOR, rows: cursor.rows };
}

function cellMeaning(
  context: CheckContext,
  word: WordValue,
  label: string,
  rows: Rows,
): WordMeaning {
  const path = pathAfterLabel(context, word, label);
  const meaning = resolvePath(context, rows.type, path);
  switch (meaning.kind) {
    case "column":
      return { kind: "cell", label, rows, path: meaning.path, type: meaning.type };
    case "foreign":
      return { kind: "problem", problem: unreadableColumn(context, path, meaning) };
    case "unknown":
    case "problem":
      return { kind: "problem", problem: meaning.problem };
  }
}

/** The part of `label.a.b` behind the label as a path with spans of its own. */
function pathAfterLabel(context: CheckContext, word: WordValue, label: string): Path {
  let at = word.span.start + label.length + 1;
  const parts = word.raw.slice(label.length + 1).split(".");
  const segments = parts.map((text): Name => {
    const span = spanIn(context.source, at, at + text.length);
    at += text.length + 1;
    return { kind: "Name", text, span };
  });
  const span = spanIn(context.source, word.span.start + label.length + 1, word.span.end);
  return { kind: "Path", segments, span };
}

/** A word as a path of columns, its first so many parts left out; null if nothing is left or it is no path. */
export function wordPath(context: CheckContext, word: WordValue, skipped: number): Path | null {
  const parts = word.raw.split(".");
  if (parts.length <= skipped || !parts.every((part) => /^\w+(?:-\w+)*$/.test(part))) return null;
  let at = word.span.start;
  const segments = parts.map((text) => {
    const span = spanIn(context.source, at, at + text.length);
    at += text.length + 1;
    return { kind: "Name", text, span } as const;
  });
  const kept = segments.slice(skipped);
  const start = kept[0]?.span.start ?? word.span.start;
  return { kind: "Path", segments: kept, span: spanIn(context.source, start, word.span.end) };
}

/** `_.price` where `price`, written alone, is a column of the row a `=>` is at; null elsewhere. */
export function cursorColumn(context: CheckContext, word: string): string | null {
  const rows = context.cursor?.rows.type;
  if (rows === undefined || !NAME.test(word)) return null;
  const span = spanIn(context.source, 0, 0);
  const path: Path = { kind: "Path", segments: [{ kind: "Name", text: word, span }], span };
  return resolvePath(context, rows, path).kind === "column" ? `${CURSOR}.${word}` : null;
}

function noteNearLabel(context: CheckContext, word: string, first: string, dotted: boolean): void {
  if (!dotted) return;
  const near = context.labels.names.find((label) => editDistance(first, label, 1) === 1);
  if (near === undefined) return;
  addNote(context, "text_not_binding", `${word} is text; the label near it is ${near}`, "info");
}
