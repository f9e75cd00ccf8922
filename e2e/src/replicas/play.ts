import { Recorder } from "./recorder.ts";
import { speakerBy, type Way } from "./speaker.ts";
import type { Stage } from "./stage.ts";
import { transcript } from "./transcript.ts";
import { wholeSession } from "./whole-session.ts";

/** What is done to replicas before a call: `call` counts from 0, `next` is who will serve it. */
export type BeforeCall = (call: number, next: number) => Promise<void>;

const nothing: BeforeCall = async () => undefined;

let plays = 0;

/** A whole session, each of whose calls goes to the next replica, as a transcript. */
export async function playSession(
  stage: Stage,
  way: Way,
  before: BeforeCall = nothing,
): Promise<readonly string[]> {
  // An intent of its own: no session meets what another one left.
  const intent = `whole ${(plays += 1)}: ${way}`;
  let calls = 0;
  const recorder = new Recorder(async () => {
    const next = calls % stage.count;
    await before(calls, next);
    calls += 1;
    return stage.url(next);
  });
  const speaker = await speakerBy(way, recorder);
  try {
    await wholeSession(speaker, intent, () => void recorder.answers.pop());
  } finally {
    await speaker.close();
  }
  return transcript(recorder.answers);
}
