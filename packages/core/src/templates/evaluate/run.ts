import type { TextRange } from "../../base/span.ts";
import { NULL, type TemplateValue } from "./value.ts";

/** What one evaluation may use up (RUN-101, LANG-082). */
export interface TemplateLimits {
  /** A step is a tag, a loop turn, an operator, a filter, a list item, eight members, or 64 characters worked on. */
  readonly steps: number;
  /** Characters (UTF-16 units) of the output, and of any text on the way to it. */
  readonly output: number;
}

/** Why an evaluation failed, at which offsets of the template. */
export interface TemplateFailure extends TextRange {
  readonly message: string;
  /** What it went beyond; null if the template asked for what is not there, or not allowed. */
  readonly limit: keyof TemplateLimits | null;
  /** The index of the item of the outermost loop it happened at, from 0; null outside loops. */
  readonly row: number | null;
}

const CHARACTERS_PER_STEP = 64;
/** A few milliseconds of work. */
const STEPS_BETWEEN_PAUSES = 2_048;

/**
 * One evaluation: what is left of its limits, and its first failure. After a failure everything is null
 * and loops stop, so that evaluation runs out by itself.
 */
export class Run {
  readonly limits: TemplateLimits;
  /** whether null, too, is what `default` stands in for */
  readonly nullHasDefault: boolean;
  failure: TemplateFailure | null = null;
  /** The index of the item of the outermost loop. */
  row: number | null = null;
  #steps = 0;
  #pausedAt = 0;

  constructor(limits: TemplateLimits, nullHasDefault: boolean) {
    this.limits = limits;
    this.nullHasDefault = nullHasDefault;
  }

  fail(at: TextRange, message: string, limit: keyof TemplateLimits | null = null): TemplateValue {
    this.failure ??= { message, start: at.start, end: at.end, row: this.row, limit };
    return NULL;
  }

  /** Counts steps; false once there are too many, or after any other failure. */
  spend(at: TextRange, steps = 1): boolean {
    this.#steps += steps;
    if (Math.floor(this.#steps) > this.limits.steps) {
      this.fail(at, `The template takes more than ${this.limits.steps} steps.`, "steps");
    }
    return this.failure === null;
  }

  /** Whether so much was done since the last pause that others should have their turn. */
  isLong(): boolean {
    return this.#steps - this.#pausedAt >= STEPS_BETWEEN_PAUSES;
  }

  /** How many steps were taken since this was last asked, at a pause. */
  stepsSince(): number {
    const steps = this.#steps - this.#pausedAt;
    this.#pausedAt = this.#steps;
    return steps;
  }

  /** Counts the steps of work on so many characters. */
  spendOn(at: TextRange, characters: number): boolean {
    return this.spend(at, Math.floor(characters / CHARACTERS_PER_STEP));
  }

  /** Whether a text of so many characters may be made; counts the work. */
  mayMake(at: TextRange, characters: number): boolean {
    if (characters > this.limits.output) {
      this.fail(at, `The text is longer than ${this.limits.output} characters.`, "output");
    }
    return this.spendOn(at, characters);
  }

  /** A text as a value, if it may be made. */
  text(at: TextRange, text: string): TemplateValue {
    return this.mayMake(at, text.length) ? { kind: "text", value: text } : NULL;
  }
}
