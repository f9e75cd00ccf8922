import { wasInterrupted } from "./relay-signals.mjs";

/** A failure the user can act on: printed as one message, without a stack. */
export class BootError extends Error {
  /**
   * @param {string} message what went wrong, one sentence
   * @param {string[]} hints what to do about it, one line each
   * @param {number} exitCode passed on; after Ctrl-C and the like nothing is printed
   */
  constructor(message, hints, exitCode = 1) {
    super(message);
    this.hints = hints;
    this.exitCode = exitCode;
  }

  report() {
    if (wasInterrupted(this.exitCode)) return "plasm: interrupted.";
    return [`\nplasm: ${this.message}`, ...this.hints.map((hint) => `  ${hint}`)].join("\n");
  }
}
