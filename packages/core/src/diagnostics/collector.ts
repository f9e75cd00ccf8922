import { nameCodes, runCodes, textCodes } from "./codes.ts";
import type { Diagnostic } from "./diagnostic.ts";

const CODES: ReadonlyMap<string, number> = new Map(
  [...textCodes, ...nameCodes, ...runCodes].map((code, at) => [code, at]),
);

/** Gathers the mistakes of one program; the same code at the same place counts once (ERR-005). */
export class DiagnosticCollector {
  readonly #found: Diagnostic[] = [];
  readonly #places = new Set<number>();

  add(diagnostic: Diagnostic): void {
    const place = diagnostic.span.start * CODES.size + (CODES.get(diagnostic.code) ?? 0);
    if (this.#places.has(place)) return;
    this.#places.add(place);
    this.#found.push(diagnostic);
  }

  get size(): number {
    return this.#found.length;
  }

  /** All mistakes in the order of their start; of equal ones the first reported comes first. */
  sorted(): readonly Diagnostic[] {
    return this.#found.toSorted((a, b) => a.span.start - b.span.start);
  }
}
