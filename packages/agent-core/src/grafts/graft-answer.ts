import type { Answer } from "../answer.ts";
import { fail } from "../errors/failure.ts";
import { RESULT_TOKENS } from "../render-text/results-text.ts";
import { tokenCounter } from "../render-text/tokens.ts";
import { chunkOf } from "./chunk.ts";

/** A text that is fetched by chunks: what its header line says, and how it is named. */
export interface Fetched {
  readonly graftId: string;
  /** the header line, but for what is said of chunks */
  readonly title: string;
  readonly mime: string;
  readonly text: string;
  readonly revision: number;
  readonly sha256: string;
  readonly bytes: number;
}

/** Backticks of the fence of a text that holds fewer of them in a row (GRAFT-12). */
const FENCE = 4;

function fenceFor(text: string): string {
  let longest = FENCE - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

/** The word after a fence: the subtype of a media type. */
const languageOf = (mime: string): string => {
  const subtype = /^[^/]*\/(?:x-)?([\w-]+)/.exec(mime)?.[1]?.toLowerCase() ?? "";
  return subtype === "plain" ? "text" : subtype;
};

/** Tokens of header, fences and what joins them: no text of a chunk is as short as that matters. */
const AROUND = 100;

/** What a chunk says of its place in the whole, for a model that goes on (SURF-5). */
function placeOf(offset: number, next: number | null): string {
  const from = offset === 0 ? "" : ` · from ${offset}`;
  return next === null ? from : `${from} · cut, next offset ${next}`;
}

/** A chunk as tool text: one header line, then the body in a fence longer than any run inside (GRAFT-12). */
export async function graftAnswer(fetched: Fetched, offset: number): Promise<Answer> {
  const { graftId, title, mime, text, revision, sha256, bytes } = fetched;
  const count = await tokenCounter();
  const budget = RESULT_TOKENS - AROUND - count(title);
  const chunk = chunkOf(text, offset, budget, count);
  if (chunk === null) {
    throw fail(
      "plasm-bad-request",
      `offset ${offset} is beyond the end: ${graftId} has ${Array.from(text).length} characters.`,
    );
  }
  const fence = fenceFor(chunk.text);
  const head = `${title}${placeOf(offset, chunk.next)}`;
  return {
    text: `${head}\n${fence}${languageOf(mime)}\n${chunk.text}\n${fence}`,
    meta: { graft: { graft_id: graftId, revision, sha256, bytes, next_offset: chunk.next } },
  };
}
