import type { Diagnostic, Edit } from "../../diagnostics/diagnostic.ts";
import { diagnose } from "../../diagnostics/messages.ts";
import { valueMessages } from "../../diagnostics/value-messages.ts";
import type { EntityKey } from "../../catalog/federation.ts";
import type { Arg, Name } from "../../language/grammar/ast-values.ts";
import { quoteText } from "../../language/grammar/strings.ts";
import type { Span } from "../../base/span.ts";
import { spanIn } from "../../base/source.ts";
import type { ValueType } from "../../values/value-type.ts";
import { usableCapabilities } from "../access.ts";
import type { CheckContext } from "../check-context.ts";
import {
  nameMeaning,
  type NameFormatter,
  speakerLike,
  symbolProblem,
} from "../names/name-formatter.ts";
import { relationForms } from "../relations/relation-problem.ts";
import { callForm } from "../steps/call-form.ts";
import { keyTypes } from "../types.ts";
import type { TypedKey, TypedValue } from "../typed-program.ts";
import { foldObject } from "./scalar-values.ts";
import type { ReadValue } from "./list-value.ts";
import { literalText, UNKNOWN_VALUE, type ValueReading, type ValueSlot } from "./value-reading.ts";
import { sampleValue } from "./slot-problems.ts";

export type TypedKeyPart = readonly [part: string, type: ValueType];

export interface KeyReading {
  readonly key: TypedKey | null;
  readonly problems: readonly Diagnostic[];
}

/**
 * The key between the parentheses of `E(…)` (LANG-028): one value for a one-part key, also by name;
 * every part by name for a compound one; or a row of or reference to E itself.
 */
export function readKeyArgs(
  context: CheckContext,
  entity: EntityKey,
  head: Name,
  args: readonly Arg[],
  span: Span,
  read: ReadValue,
): KeyReading {
  const parts = keyTypes(context.exposure, entity.entryId, entity.entity);
  const reader = { context, entity, head, args, span, read, parts };
  if (parts.length === 0) return refuse(withoutKey(reader));
  const [first] = args;
  if (first === undefined) return refuse(noKey(reader));
  if (args.length === 1 && first.name === undefined) return readPositional(reader, first);
  return readNamed(reader);
}

interface KeyReader {
  readonly context: CheckContext;
  readonly entity: EntityKey;
  readonly head: Name;
  readonly args: readonly Arg[];
  readonly span: Span;
  readonly read: ReadValue;
  readonly parts: readonly TypedKeyPart[];
}

/** A reference to a row: its key value if the key has one part, else all parts. */
export function keyReference(entity: EntityKey, key: TypedKey): TypedValue {
  const [only] = key.values();
  if (key.size === 1 && only !== undefined) return only;
  const folded = foldObject(key);
  return folded.kind === "lit" ? folded : { kind: "ref", entity, key };
}

function readPositional(reader: KeyReader, arg: Arg): KeyReading {
  const { context, entity, parts, read } = reader;
  const [only, ...others] = parts;
  const part = others.length === 0 ? only : undefined;
  const plain = isScalar(arg) || arg.value.kind === "PlaceholderValue";
  if (part === undefined && isScalar(arg)) return refuse(compoundKey(reader, arg));
  const slot = keySlot(entity, part);
  const own = part === undefined ? slot : { ...slot, type: { ...slot.type, type: part[1] } };
  const reading = readRowOrPart(reader, arg, plain ? own : slot, own);
  if (reading.value !== null)
    return { key: keyOf(reading.value, parts), problems: reading.problems };
  const isText = reading.problems.every(({ code }) => code === "argument_invalid");
  if (arg.value.kind !== "WordValue" || !isText) return { key: null, problems: reading.problems };
  // A word that is no reference is text: what is wrong is told of the key, not of a row. Where only
  // the entity of a reference is wrong, that is told.
  if (part === undefined) return refuse(compoundKey(reader, arg));
  const { problems } = read(context, arg.value, own);
  return { key: null, problems: problems.length > 0 ? problems : reading.problems };
}

/** A value read as a row of the entity; where its only part is a reference, also as that (LANG-028). */
function readRowOrPart(
  { context, read }: KeyReader,
  { value }: Arg,
  slot: ValueSlot,
  own: ValueSlot,
): ValueReading {
  const reading = read(context, value, slot);
  if (!reading.problems.some(({ code }) => code === "wrong_entity")) return reading;
  const asPart = read(context, value, own);
  return asPart.problems.length === 0 ? asPart : reading;
}

/** Where a key stands that is given as one value: a row of the entity, or its only part. */
function keySlot(entity: EntityKey, part: TypedKeyPart | undefined) {
  return {
    shown: part === undefined ? entity.entity : part[0],
    type: { entryId: entity.entryId, type: { kind: "entity_ref", target: entity.entity } },
    nullable: false,
    use: "wire",
  } as const;
}

/** Literals; a word counts if it is no reference, which only the reader of values knows. */
function isScalar(arg: Arg): boolean {
  return arg.value.kind !== "WordValue" && literalText(arg.value) !== null;
}

/** The parts of a reference that was read as one value. */
function keyOf(value: TypedValue, parts: readonly TypedKeyPart[]): TypedKey {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return new Map([[only[0], value]]);
  if (value.kind === "ref") return value.key;
  return new Map(parts.map(([part, type]) => [part, partOf(value, part, type)]));
}

function partOf(value: TypedValue, part: string, type: ValueType): TypedValue {
  if (value.kind === "hole" || value.kind === "cursor") {
    const path = [...value.path, part];
    return { ...value, path, type: { entryId: value.type.entryId, type } };
  }
  if (value.kind === "lit" && value.value !== null && typeof value.value === "object") {
    const member = Object.entries(value.value).find(([name]) => name === part);
    return { kind: "lit", value: member?.[1] ?? null };
  }
  return UNKNOWN_VALUE;
}

function readNamed(reader: KeyReader): KeyReading {
  const { context, entity, args, parts, read } = reader;
  const types = new Map(parts);
  const key = new Map<string, TypedValue>();
  const problems: Diagnostic[] = [];
  for (const arg of args) {
    const part = partName(reader, arg, problems);
    const type = part === null ? undefined : types.get(part);
    if (part === null || arg.name === undefined) continue;
    if (type === undefined) problems.push(unknownPart(reader, arg.name, part));
    else if (key.has(part)) problems.push(compoundKey(reader, arg));
    else {
      const shown = arg.name.text;
      const slot = { shown, nullable: false, use: "wire" } as const;
      const reading = read(context, arg.value, {
        ...slot,
        type: { entryId: entity.entryId, type },
      });
      problems.push(...reading.problems);
      key.set(part, reading.value ?? UNKNOWN_VALUE);
    }
  }
  if (problems.length === 0 && key.size < parts.length) problems.push(missingParts(reader));
  if (key.size < parts.length) return { key: null, problems };
  return { key: new Map(parts.map(([part]) => [part, key.get(part) ?? UNKNOWN_VALUE])), problems };
}

function partName(reader: KeyReader, arg: Arg, problems: Diagnostic[]): string | null {
  if (arg.name === undefined) {
    // One mistake, however many parts stand without a name (ERR-005).
    const isFirst = reader.args.find(({ name }) => name === undefined) === arg;
    if (arg.value.kind !== "Bad" && isFirst) problems.push(compoundKey(reader, arg));
    return null;
  }
  const meaning = nameMeaning(reader.context.exposure.symbols, arg.name.text);
  switch (meaning.kind) {
    case "name":
      return meaning.text;
    case "unallocated":
      if (reader.parts.some(([part]) => part === meaning.text)) return meaning.text;
      problems.push(symbolProblem(reader.context, arg.name, "p"));
      return null;
    case "entity":
    case "method":
      problems.push(symbolProblem(reader.context, arg.name, "p"));
      return null;
  }
}

function refuse(problem: Diagnostic): KeyReading {
  return { key: null, problems: [problem] };
}

function keyForm(reader: KeyReader, speaker: NameFormatter): string {
  const { context, entity, head, parts } = reader;
  const values = parts.map(([part, type]) => {
    const sample = sampleValue(context.exposure, { entryId: entity.entryId, type });
    return parts.length === 1 ? sample : `${speaker.code(part)}=${sample}`;
  });
  return `${head.text}(${values.join(", ")})`;
}

function partList(parts: readonly TypedKeyPart[], speaker: NameFormatter): string {
  return parts.map(([part]) => speaker.name(part)).join(", ");
}

/** A positional or surplus value: all parts by name, and the split form of `"a/b"`. */
function compoundKey(reader: KeyReader, arg: Arg): Diagnostic {
  const { context, entity, head, parts } = reader;
  const speaker = speakerLike(context.exposure, head.text);
  const pieces = literalText(arg.value)?.split("/") ?? [];
  const split =
    parts.length === 2 && pieces.length === 2 && reader.args.length === 1
      ? parts.map(([part], at) => `${speaker.code(part)}=${quoteText(pieces[at] ?? "")}`).join(", ")
      : null;
  const args = {
    entity: speaker.entity(entity),
    parts: partList(parts, speaker),
    form:
      split === null
        ? keyForm(reader, speaker) + severalKeys(reader, speaker)
        : `${head.text}(${split})`,
  };
  const edits =
    split === null ? nameParts(reader, speaker) : [{ span: arg.span, replacement: split }];
  return diagnose(valueMessages.badKey, arg.span, args, edits);
}

/** Values for all parts, none with its name: each gets it, in key order. */
function nameParts(
  { args, parts }: KeyReader,
  speaker: NameFormatter,
): readonly Edit[] | undefined {
  if (parts.length < 2 || args.length !== parts.length) return undefined;
  if (args.some(({ name }) => name !== undefined)) return undefined;
  return args.map(({ span: { start } }, at) => {
    return { span: { start, end: start }, replacement: `${speaker.code(parts[at]?.[0] ?? "")}=` };
  });
}

/** `E(a, b)` of an entity whose key is one value: the rows of several keys. */
function severalKeys({ args, head, parts }: KeyReader, speaker: NameFormatter): string {
  const [only] = parts;
  if (parts.length !== 1 || only === undefined || args.length < 2) return "";
  if (args.some(({ name }) => name !== undefined)) return "";
  return `; for several rows ${head.text}{${speaker.code(only[0])} in [a, b]}`;
}

function missingParts(reader: KeyReader): Diagnostic {
  const { context, entity, head, parts, span } = reader;
  const speaker = speakerLike(context.exposure, head.text);
  const args = {
    entity: speaker.entity(entity),
    parts: partList(parts, speaker),
    form: keyForm(reader, speaker),
  };
  const end = Math.max(span.start, span.end - 1);
  return diagnose(valueMessages.badKey, spanIn(context.source, end, end), args);
}

function unknownPart(reader: KeyReader, name: Name, part: string): Diagnostic {
  const { context, entity, head } = reader;
  const speaker = speakerLike(context.exposure, name.text);
  const args = {
    name: speaker.name(part),
    entity: speaker.entity(entity),
    form: keyForm(reader, speakerLike(context.exposure, head.text)),
  };
  return diagnose(valueMessages.badKeyPart, name.span, args);
}

/** `E()`: the key form, and the gets that need none; these alone where no row is read by its key. */
/** A key for rows that stand in others and have none. */
function withoutKey({ context, entity, head }: KeyReader): Diagnostic {
  const speaker = speakerLike(context.exposure, head.text);
  const form = relationForms(context, entity, speaker);
  return diagnose(valueMessages.keyless, head.span, { entity: speaker.entity(entity), form });
}

function noKey(reader: KeyReader): Diagnostic {
  const { context, entity, head, span } = reader;
  const speaker = speakerLike(context.exposure, head.text);
  const gets = usableCapabilities(context, entity).filter(({ kind }) => kind === "get");
  const keyless = gets
    .filter(({ needsIdentity }) => !needsIdentity)
    .map((capability) => {
      const label = speaker.methodCode(entity, capability.label);
      return `${head.text}.${callForm(context, entity, capability, label)}`;
    });
  const isKeyed = keyless.length === 0 || keyless.length < gets.length;
  const without = isKeyed && keyless.length > 0 ? "; without key: " : "";
  const args = {
    entity: speaker.entity(entity),
    form: isKeyed ? keyForm(reader, speaker) : "",
    gets: `${without}${keyless.join(", ")}`,
  };
  const end = Math.max(span.start, span.end - 1);
  return diagnose(valueMessages.noKey, spanIn(context.source, end, end), args);
}
