import type { Span } from "../source/span.ts";
import { clip } from "../text/clip.ts";
import { visible } from "../text/visible.ts";
import type { ErrorCode } from "./codes.ts";
import type { Diagnostic, Edit } from "./diagnostic.ts";

/**
 * One text of the catalogue. `%name%` in it stands for an argument. A code may have several entries,
 * one per situation; no text appears twice.
 */
export interface MessageEntry {
  readonly code: ErrorCode;
  /** What is wrong, in one sentence. */
  readonly message: string;
  /** What to do; it names what is allowed here (ERR-006). */
  readonly fix: string;
}

type ArgNames<Text extends string> = Text extends `${string}%${infer Arg}%${infer Rest}`
  ? Arg | ArgNames<Rest>
  : never;

/** The arguments an entry asks for. */
export type MessageArgs<Entry extends MessageEntry> = Readonly<
  Record<ArgNames<Entry["message"]> | ArgNames<Entry["fix"]>, string | number>
>;

/** Freezes a family of entries, keeping their literal types so that arguments are checked. */
export function defineMessages<const Family extends Readonly<Record<string, MessageEntry>>>(
  family: Family,
): Family {
  return Object.freeze(family);
}

/** One mistake in the words of an entry. */
export function diagnose<const Entry extends MessageEntry>(
  entry: Entry,
  span: Span,
  args: MessageArgs<Entry>,
  edits?: readonly Edit[],
): Diagnostic {
  const message = fill(entry.message, args);
  const correction = fill(entry.fix, args);
  const found: Diagnostic = { code: entry.code, span, message, correction };
  return edits === undefined ? found : { ...found, edits };
}

/** Room for 20 names of 128 characters (ERR-007, LANG-001); an argument quoted from a program may be longer. */
const MAX_ARG = 2_600;

/** Templates cut at `%`: text and argument names by turns. */
const cut = new Map<string, readonly string[]>();

function fill(template: string, args: Readonly<Record<string, string | number>>): string {
  const pieces = cut.get(template) ?? template.split("%");
  cut.set(template, pieces);
  let text = pieces[0] ?? "";
  for (let at = 1; at < pieces.length; at += 2) {
    const told = visible(clip(String(args[pieces[at] ?? ""]), MAX_ARG));
    text += told + (pieces[at + 1] ?? "");
  }
  return text;
}
