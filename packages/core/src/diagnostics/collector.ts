import type { Diagnostic } from "./diagnostic.ts";

/** Gathers the mistakes of one program; the same code at the same place counts once (ERR-005). */
export class DiagnosticCollector {
  readonly #found: Diagnostic[] = [];
  readonly #places = new Set<string>();

  add(diagnostic: Diagnostic): void {
    const place = `${diagnostic.code} ${diagnostic.span.start}`;
    if (this.#places.has(place)) return;
    this.#places.add(place);
    this.#found.push(diagnostic);
  }

  /** All mistakes in the order of their start; of equal ones the first reported comes first. */
  sorted(): readonly Diagnostic[] {
    return this.#found.toSorted((a, b) => a.span.start - b.span.start);
  }
}
