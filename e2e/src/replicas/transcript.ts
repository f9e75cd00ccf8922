import type { Answer } from "./recorder.ts";

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/;
/** Random ids and digests: what a digest is of stands in other answers, or holds the port of an API. */
const ID = new RegExp(`${UUID.source}|[0-9a-f]{64}|(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])`, "g");
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const AGE = /\bran \d+ s ago/g;
const MILLISECONDS = /("(?:ms|duration_ms|elapsed_ms)":)\d+/g;
/** A line's number in an operation counts what was told of it on the way. */
const LINE_NUMBER = /("op":\{"n":)\d+/g;
const BACKEND = /http:\/\/127\.0\.0\.1:\d+/g;

/** A slot is the lowest that was free (SESS-3). */
const SLOT = /\bs\d+(?=_(?:o|pg)\d|\b)/g;
/** The boat that an API made: the next one. */
const MADE = /done create quay\.Boat (b\d+)/;

/** Names what it meets by its number in order of first appearance. */
function numbering(what: string): (found: string) => string {
  const known = new Map<string, string>();
  return (found) => {
    const name = known.get(found) ?? `<${what} ${known.size}>`;
    known.set(found, name);
    return name;
  };
}

/**
 * The answer alone: how much of an operation's progress is pushed on the way depends on when it was asked for,
 * and whether there is a stream depends on that.
 */
function withoutNews(answer: Answer): Answer {
  if (!answer.request.endsWith(" /mcp")) return answer;
  const { type, body } = answer;
  const messages = type.startsWith("text/event-stream")
    ? body.split("\n").flatMap((line) => (line.startsWith("data: {") ? [line.slice(6)] : []))
    : [body];
  const answers = messages.filter((text) => !text.includes('"method":"notifications/'));
  return { ...answer, type: "", body: answers.join("\n") };
}

/**
 * Answers as lines that are equal if the answers are: ids and slots are replaced by their number in
 * order of first appearance, so that what was one stays one, and times are left out.
 */
export function transcript(answers: readonly Answer[]): readonly string[] {
  const [id, slot] = [numbering("id"), numbering("slot")];
  const [, made = "none"] = answers.map(({ body }) => MADE.exec(body)).find(Boolean) ?? [];
  return answers.map((answer) =>
    JSON.stringify(withoutNews(answer))
      .replaceAll('\\"', '"')
      .replaceAll(TIME, "<time>")
      .replaceAll(AGE, "ran <n> s ago")
      .replaceAll(MILLISECONDS, "$1<ms>")
      .replaceAll(LINE_NUMBER, "$1<n>")
      .replaceAll(BACKEND, "<origin>")
      .replaceAll(ID, id)
      .replaceAll(SLOT, slot)
      .replaceAll(new RegExp(`${made}(?!\\d)`, "g"), "<made>"),
  );
}
