import { tokenCounter } from "@plasm/agent-core/internal";
import { type Model, ModelError, type Turn } from "./models.ts";
import type { Trial, TrialAttempt } from "./trial.ts";

/** A trial without what it is a trial of. */
export type TrialOutcome = Pick<Trial, "attempts" | "tokens" | "turns" | "fault">;

/** A model that is asked turn by turn: each with all that was said before, which is what is counted. */
export class Conversation {
  readonly turns: Turn[] = [];
  readonly tokens = { in: 0, out: 0 };
  readonly #count: (text: string) => number;
  readonly #model: Model;
  readonly #signal: AbortSignal;

  private constructor(count: (text: string) => number, model: Model, signal: AbortSignal) {
    this.#count = count;
    this.#model = model;
    this.#signal = signal;
  }

  static async open(model: Model, signal: AbortSignal): Promise<Conversation> {
    return new Conversation(await tokenCounter(), model, signal);
  }

  /** What the model says to a text. Throws ModelError where it gives no answer. */
  async ask(text: string): Promise<string> {
    this.turns.push({ role: "user", text });
    const sent = this.turns.reduce((sum, turn) => sum + this.#count(turn.text), 0);
    const said = await this.#model.answer(this.turns, this.#signal);
    this.tokens.in += said.tokensIn ?? sent;
    this.tokens.out += said.tokensOut ?? this.#count(said.text);
    this.turns.push({ role: "assistant", text: said.text });
    return said.text;
  }

  /** What became of it, with what has been tried: a model that gives no answer is a fault, all else is thrown on. */
  async outcome(
    attempts: readonly TrialAttempt[],
    talk: () => Promise<readonly TrialAttempt[] | void>,
  ): Promise<TrialOutcome> {
    const { tokens, turns } = this;
    try {
      return { attempts: (await talk()) ?? attempts, tokens, turns, fault: null };
    } catch (thrown) {
      this.#signal.throwIfAborted();
      if (!(thrown instanceof ModelError)) throw thrown;
      return { attempts, tokens, turns, fault: thrown.message };
    }
  }
}

const FENCE = /```[a-z]*\n([^`]*)```/g;

/** The program in what a model said: what stands in its last fence, else all of it. */
const programIn = (said: string): string => ([...said.matchAll(FENCE)].at(-1)?.[1] ?? said).trim();

const again = (told: string): string =>
  `It was run, and this came of it:\n\n${told}\n\nAnswer with the program that does the task now, and nothing else.`;

const isOver = ({ verdict }: TrialAttempt): boolean => verdict === "right" || verdict === "wrong";

/** Asks for a program, tries it, and has the model mend what it was told is wrong, as often as it may. */
export async function tryPrograms(
  conversation: Conversation,
  first: string,
  corrections: number,
  attempt: (program: string) => Promise<TrialAttempt>,
): Promise<TrialOutcome> {
  const attempts: TrialAttempt[] = [];
  return conversation.outcome(attempts, async () => {
    let text = first;
    while (attempts.length <= corrections) {
      const done = await attempt(programIn(await conversation.ask(text)));
      attempts.push(done);
      if (isOver(done)) break;
      text = again(done.told);
    }
  });
}
