import { withoutIds } from "../transcripts/stable.ts";
import { printJson } from "./print-json.ts";

/** Headers that a page shows, where an answer has them. */
const SHOWN = [
  "content-type",
  "location",
  "allow",
  "www-authenticate",
  "x-plasm-next-page",
  "x-plasm-run-id",
  "x-plasm-partial",
] as const;

const written = (name: string): string =>
  name === "www-authenticate" ? "WWW-Authenticate" : capitalized(name);

const capitalized = (name: string): string =>
  name.replaceAll(/(?<=^|-)\w/g, (letter) => letter.toUpperCase());

/** Characters of an event's line before it is cut. */
const MOST_EVENT = 180;

/** The first event of a stream that goes on; all of one that ends. */
async function eventsOf(response: Response, whole: boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // Leaving the loop cancels the stream.
    if (!whole && text.includes("\n\n")) break;
  }
  return withoutIds(text)
    .trimEnd()
    .split("\n")
    .map((line) => (line.length > MOST_EVENT ? `${line.slice(0, MOST_EVENT)}…` : line))
    .join("\n");
}

const isJson = (type: string): boolean => /^application\/(?:problem\+)?json/.test(type);

/** What was answered: its text as it came, and as a page shows it. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly shown: string;
}

/** Reads an answer to its end; of a trace's stream the first event. */
export async function readAnswer(
  response: Response,
  { path, without }: { readonly path: string; readonly without: readonly string[] },
): Promise<Answered> {
  const { status, statusText, headers } = response;
  const type = headers.get("content-type") ?? "";
  const isStream = type.startsWith("text/event-stream");
  const text = isStream
    ? await eventsOf(response, !path.startsWith("/v1/traces/"))
    : await response.text();
  const shownHeaders = SHOWN.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [`${written(name)}: ${value}`];
  });
  const body = isJson(type) && text !== "" ? printJson(JSON.parse(text), without) : text.trimEnd();
  const head = [`HTTP/1.1 ${status} ${statusText}`, ...shownHeaders].join("\n");
  return { status, text, shown: body === "" ? head : `${head}\n\n${body}` };
}
