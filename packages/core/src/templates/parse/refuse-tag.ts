import { nearestName } from "../../diagnostics/nearest-name.ts";
import type { TagReader } from "./tag-reader.ts";
import { describeToken } from "./token.ts";

const TAGS = ["set", "if", "elif", "else", "endif", "for", "endfor"];

/** Parts of blocks, with the blocks they belong to. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ["elif", "if"],
  ["else", "if or for"],
  ["endif", "if"],
  ["endfor", "for"],
]);

/** Whether a tag of this word goes on with an open block, or ends it. */
export function isBlockPart(word: string): boolean {
  return PARTS.has(word);
}

/** Reports a tag that is none of RUN-101, or stands where it cannot. `refused`: ends told with their tags. */
export function refuseTag(tag: TagReader, refused: Set<string>): void {
  const first = tag.peek();
  const block = PARTS.get(first.text);
  if (first.kind !== "word") {
    tag.fail(first, `Found ${describeToken(first)}. Allowed tags: ${TAGS.join(", ")}.`);
  } else if (block !== undefined) {
    tag.fail(
      first,
      `Found ${first.text} without an open ${block}. Allowed: ${first.text} inside one.`,
    );
  } else if (!refused.has(first.text)) {
    refused.add(`end${first.text}`);
    const nearest = nearestName(first.text, TAGS);
    const hint = nearest === null ? "" : ` (nearest: ${nearest})`;
    tag.fail(first, `There is no tag ${first.text}${hint}. Allowed: ${TAGS.join(", ")}.`);
  }
}
