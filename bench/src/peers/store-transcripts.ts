import type { Played } from "./play-tasks.ts";
import type { Exchange } from "./transcript.ts";

/** How much of an answer is kept. */
const KEPT = 400;

/** How many calls of one turn are kept. */
const SHOWN = 2;

const shortened = (text: string): string =>
  text.length <= KEPT ? text : `${text.slice(0, KEPT)}… (${text.length} characters)`;

/** Exchanges of which turns of many calls show the first ones. */
function shown(exchanges: readonly Exchange[]): readonly object[] {
  const turns = [...new Set(exchanges.map(({ turn }) => turn))];
  return turns.flatMap((number) => {
    const turn = exchanges.filter((each) => each.turn === number);
    const kept = turn
      .slice(0, SHOWN)
      .map(({ phase, call, text }) => ({ phase, call, text: shortened(text) }));
    return turn.length <= SHOWN ? kept : [...kept, { more: turn.length - SHOWN }];
  });
}

/** Transcripts to look at: calls in full, the beginnings of answers, turns of many calls shortened. */
export const storedTranscripts = (played: readonly Played[]): readonly object[] =>
  played.map(({ task, side, transcript }) => ({
    task: task.name,
    side: side.name,
    question: task.question,
    exchanges: shown(transcript.exchanges),
  }));
