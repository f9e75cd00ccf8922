import type { Tape } from "./choices.ts";

/** Tapes like this one that are shorter, or have smaller numbers: the boldest first. */
function* smaller(tape: Tape): Generator<Tape> {
  for (let size = tape.length; size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < tape.length; at += size) {
      yield [...tape.slice(0, at), ...tape.slice(at + size)];
    }
  }
  for (const [at, number] of tape.entries()) {
    if (number === 0) continue;
    yield tape.with(at, 0);
    if (number > 1) yield tape.with(at, Math.floor(number / 2));
    if (number > 2) yield tape.with(at, number - 1);
  }
}

/** The smallest tape that still fails, as far as so many attempts find one. */
export async function shrinkTape(
  tape: Tape,
  attempts: number,
  fails: (tape: Tape) => Promise<boolean>,
): Promise<Tape> {
  let best = tape;
  let left = attempts;
  for (let moved = true; moved;) {
    moved = false;
    for (const next of smaller(best)) {
      if (left === 0) return best;
      left -= 1;
      if (!(await fails(next))) continue;
      best = next;
      moved = true;
      break;
    }
  }
  return best;
}
