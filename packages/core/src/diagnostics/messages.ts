import type { Span } from "../base/span.ts";
import { clip, visible } from "../base/text.ts";
import type { ErrorCode } from "./codes.ts";
import type { Diagnostic, Edit } from "./diagnostic.ts";
import { type Example, type ExampleWords, GENERIC_WORDS, worded } from "./examples.ts";

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

type ArgNames<Text extends string> = Text extends `${string}%${infer Name}%${infer Rest}`
  ? Name | ArgNames<Rest>
  : never;

/** The arguments an entry asks for. */
export type MessageArgs<Entry extends MessageEntry> = Readonly<
  Record<ArgNames<Entry["message"]> | ArgNames<Entry["fix"]>, Arg>
>;

/** A name, a text of the program, or an example. */
type Arg = string | number | Example;

/** Freezes a family of entries, keeping their literal types so that arguments are checked. */
export function defineMessages<const Family extends Readonly<Record<string, MessageEntry>>>(
  family: Family,
): Family {
  return Object.freeze(family);
}

/** One mistake in the words of an entry. Its texts are made when they are read. */
export function diagnose<const Entry extends MessageEntry>(
  entry: Entry,
  span: Span,
  args: MessageArgs<Entry>,
  edits?: readonly Edit[],
): Diagnostic {
  const correctionIn = (words: ExampleWords): string => fill(entry.fix, args, words);
  const found: Diagnostic = {
    code: entry.code,
    span,
    get message() {
      return fill(entry.message, args, GENERIC_WORDS);
    },
    get correction() {
      return correctionIn(GENERIC_WORDS);
    },
    correctionIn,
  };
  return edits === undefined ? found : Object.assign(found, { edits });
}

/**
 * One mistake of which nothing but code and place is known before it is shown: `make` is called once at most.
 * Of a program's mistakes ten are shown, so that nothing dear, as the names nearest to an unknown one, is
 * looked for on behalf of all. Checking may be over by then: `make` must not read what checking changes.
 */
export function diagnoseLater(
  { code }: MessageEntry,
  span: Span,
  make: () => Diagnostic,
): Diagnostic {
  let made: Diagnostic | null = null;
  const found = (): Diagnostic => (made ??= make());
  return {
    code,
    span,
    get message() {
      return found().message;
    },
    get correction() {
      return found().correction;
    },
    correctionIn: (words) => found().correctionIn?.(words) ?? found().correction,
    get edits() {
      return found().edits;
    },
    get instead() {
      return found().instead;
    },
    get offers() {
      return found().offers;
    },
  };
}

/** Room for 20 names of 128 characters (ERR-007, LANG-001); an argument quoted from a program may be longer. */
const MAX_ARG = 2_600;

/** What stands for text of a program while the examples around it are filled in: no text has it (LANG-003). */
const HELD = "\u0000";

/**
 * A text of the catalogue with its arguments. Examples have the words of a session; what a program wrote
 * stands as it is, whatever it looks like. An example that the session lacks is left out with its clause, and
 * said in metavariables where it has none.
 */
function fill(template: string, args: Readonly<Record<string, Arg>>, words: ExampleWords): string {
  const quoted: string[] = [];
  const held = template.replaceAll(/%(\w+)%/g, (_, name: string) => {
    const arg = args[name] ?? "";
    if (typeof arg === "object") return arg.example;
    quoted.push(visible(clip(String(arg), MAX_ARG)));
    return `${HELD}${quoted.length - 1}${HELD}`;
  });
  const said = worded(held, words) ?? worded(held, GENERIC_WORDS) ?? held;
  return said
    .split(HELD)
    .map((piece, at) => (at % 2 === 1 ? (quoted[Number(piece)] ?? "") : piece))
    .join("");
}
