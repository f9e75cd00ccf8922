/** What a page makes happen, in the order it stands there. */
export type Move =
  | { readonly kind: "call"; readonly call: Call }
  /** the sample APIs keep requests waiting whose path with query matches */
  | { readonly kind: "hold"; readonly target: RegExp }
  | { readonly kind: "release" }
  /** what an operation's line is before the page goes on */
  | { readonly kind: "until"; readonly line: string };

/** A call of a tool, as the page shows it. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call with what came back: its text without what differs from run to run. */
export interface Told {
  readonly text: string;
  /** o200k tokens of the arguments and of the text */
  readonly sent: number;
  readonly read: number;
}

const CALL =
  /^`(\w+)`(?: with `(\{.*\})`)? · (?:\d+|\?) tokens written\n\n```(json|plasm)\n([^]*?)\n```\n\n(?:\d+|\?) tokens read\n\n(`{3,})text\n[^]*?\n\5$/;
const DIRECTIVE = /^<!-- (api holds|api answers|until)(?: (.*))? -->$/;
const PART = new RegExp(`(?:${CALL.source})|(?:${DIRECTIVE.source})`, "gm");

/** Programs are of the one session of the page. */
function callOf(tool = "", options: string | undefined, language = "", body = ""): Call {
  if (language === "json") return { tool, args: JSON.parse(body) as Call["args"] };
  const more = options === undefined ? {} : (JSON.parse(options) as Call["args"]);
  return { tool, args: { logical_session_ref: "s0", program: body, ...more } };
}

function moveOf([
  ,
  tool,
  options,
  language,
  body,
  ,
  directive,
  argument = "",
]: RegExpMatchArray): Move {
  switch (directive) {
    case undefined:
      return { kind: "call", call: callOf(tool, options, language, body) };
    case "api holds":
      return { kind: "hold", target: new RegExp(argument) };
    case "api answers":
      return { kind: "release" };
    default:
      return { kind: "until", line: argument };
  }
}

/** The calls and directives of a page. */
export const movesOf = (page: string): readonly Move[] => [...page.matchAll(PART)].map(moveOf);

/** A fence longer than any in the text. */
function fenced(text: string): string {
  const runs = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${fence}text\n${text.trimEnd()}\n${fence}`;
}

const TOTALS =
  /Together: (?:\d+|\?) tokens written, (?:\d+|\?) tokens read, and (?:\d+|\?) tokens of tools/;

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/** The page with what was told in place of what it says, call by call; `fixed` is what every session has. */
export function pageWith(page: string, told: readonly Told[], fixed: number): string {
  let at = 0;
  const withAnswers = page.replaceAll(new RegExp(CALL.source, "gm"), (whole) => {
    const answer = told[at];
    at += 1;
    if (answer === undefined) throw new Error(`Nothing was told for: ${whole}`);
    const [head = ""] = whole.split(/^(?:\d+|\?) tokens read$/m);
    return [
      head.replace(/· (?:\d+|\?) tokens written/, `· ${answer.sent} tokens written`),
      `${answer.read} tokens read\n\n`,
      fenced(answer.text),
    ].join("");
  });
  const sent = sum(told.map((one) => one.sent));
  const read = sum(told.map((one) => one.read));
  return withAnswers.replace(
    TOTALS,
    `Together: ${sent} tokens written, ${read} tokens read, and ${fixed} tokens of tools`,
  );
}

/** How many calls a page claims to have: each must be one that `movesOf` finds. */
export const callsClaimed = (page: string): number =>
  [...page.matchAll(/tokens written$/gm)].length;
