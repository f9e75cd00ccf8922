import { encode as cl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as o200k } from "gpt-tokenizer/encoding/o200k_base";
import type { Phase, Transcript } from "./transcript.ts";

/** The tokenizers that everything is counted with. */
export const TOKENIZERS = Object.freeze({
  o200k: (text: string): number => o200k(text).length,
  cl100k: (text: string): number => cl100k(text).length,
});

export type Tokenizer = keyof typeof TOKENIZERS;

/** Tokens of one task on one side. */
export interface TaskTokens {
  /** what stands before the conversation, the same for every task: the prefix that stays stable */
  readonly definitions: number;
  /** calls and answers by which the model learns what it can call */
  readonly learn: number;
  /** calls and answers that do the work */
  readonly work: number;
  /** of learn and work what the model writes */
  readonly wrote: number;
  /** definitions, learn and work: a conversation that begins with this task */
  readonly cold: number;
  /** input of all turns added up, the whole conversation each time, the one of the final answer too */
  readonly input: number;
}

/** Counts a transcript behind its definitions. */
export function countTokens(
  { exchanges }: Transcript,
  definitions: number,
  count: (text: string) => number,
): TaskTokens {
  const sizes = exchanges.map(({ phase, turn, call, text }) => {
    return { phase, turn, wrote: count(call), read: count(text) };
  });
  const of = (wanted: Phase): number =>
    sizes
      .filter(({ phase }) => phase === wanted)
      .reduce((sum, { wrote, read }) => sum + wrote + read, 0);
  const wrote = sizes.reduce((sum, size) => sum + size.wrote, 0);
  const turns = new Set(sizes.map(({ turn }) => turn)).size;
  // What a turn adds is read again by every turn after it; the first reads the definitions alone.
  const again = sizes.reduce(
    (sum, size) => sum + (size.wrote + size.read) * (turns - size.turn),
    0,
  );
  const learn = of("learn");
  const work = of("work");
  return {
    definitions,
    learn,
    work,
    wrote,
    cold: definitions + learn + work,
    input: definitions * (turns + 1) + again,
  };
}

/** Model turns of a transcript; the one that tells the user the answer is not among them. */
export const turnsOf = ({ exchanges }: Transcript): number =>
  new Set(exchanges.map(({ turn }) => turn)).size;
