import { nameCodes, runCodes, textCodes } from "./codes.ts";
import type { Diagnostic } from "./diagnostic.ts";

const CODES: ReadonlyMap<string, number> = new Map(
  [...textCodes, ...nameCodes, ...runCodes].map((code, at) => [code, at]),
);

/** So many mistakes are kept, far more than are shown or mended: a long program may have 100,000. */
const KEPT = 1_000;

const byStart = (a: Diagnostic, b: Diagnostic): number => a.span.start - b.span.start;

/**
 * Gathers the mistakes of one program; the same code at the same place counts once (ERR-005). All are counted,
 * the first thousand by place are kept.
 */
export class DiagnosticCollector {
  #found: Diagnostic[] = [];
  readonly #places = new Set<number>();
  /** nothing that starts behind it is kept */
  #last = Number.POSITIVE_INFINITY;

  add(diagnostic: Diagnostic): void {
    const place = diagnostic.span.start * CODES.size + (CODES.get(diagnostic.code) ?? 0);
    if (this.#places.has(place)) return;
    this.#places.add(place);
    if (diagnostic.span.start > this.#last) return;
    this.#found.push(diagnostic);
    if (this.#found.length < 2 * KEPT) return;
    this.#found = this.#found.toSorted(byStart).slice(0, KEPT);
    this.#last = this.#found.at(-1)?.span.start ?? this.#last;
  }

  /** How many mistakes there are. */
  get size(): number {
    return this.#places.size;
  }

  /** The first mistakes in the order of their start; of equal ones the first reported comes first. */
  sorted(): readonly Diagnostic[] {
    return this.#found.toSorted(byStart);
  }

  /** How many mistakes there are beyond the first ones. */
  get more(): number {
    return this.size - this.#found.length;
  }
}
