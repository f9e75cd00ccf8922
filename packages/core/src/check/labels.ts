import type { Rows } from "./typed-program.ts";

/** What a name means as a label at one place of the program. */
export type LabelMeaning =
  | { readonly kind: "rows"; readonly rows: Rows }
  /** bound above, but its line is in error (ERR-005) */
  | { readonly kind: "bad" }
  /** bound by the line that is being read */
  | { readonly kind: "own"; readonly line: number }
  /** bound further down */
  | { readonly kind: "later"; readonly line: number }
  | { readonly kind: "none" };

/** The labels of one program while its statements are read from top to bottom (LANG-020, LANG-022). */
export class Labels {
  readonly #lines: ReadonlyMap<string, number>;
  readonly #bound = new Map<string, Rows | null>();
  readonly #used = new Set<string>();
  #own: string | null = null;

  /** `lines` holds every label of the program with the line of its first binding. */
  constructor(lines: ReadonlyMap<string, number>) {
    this.#lines = lines;
  }

  /** Begins the statement that binds `label`. */
  begin(label: string): void {
    this.#own = label;
  }

  /** Ends that statement; `rows` is null if it is in error. A second binding changes nothing. */
  bind(rows: Rows | null): void {
    if (this.#own !== null && !this.#bound.has(this.#own)) this.#bound.set(this.#own, rows);
    this.#own = null;
  }

  meaning(name: string): LabelMeaning {
    const rows = this.#bound.get(name);
    if (rows !== undefined) {
      this.#used.add(name);
      return rows === null ? { kind: "bad" } : { kind: "rows", rows };
    }
    const line = this.#lines.get(name);
    if (line === undefined) return { kind: "none" };
    return name === this.#own ? { kind: "own", line } : { kind: "later", line };
  }

  /** The rows of a label bound so far, without using it; null for any other name. */
  peek(name: string): Rows | null {
    return this.#bound.get(name) ?? null;
  }

  /** Whether some later statement refers to a label, be it in error or not. */
  isUsed(label: string): boolean {
    return this.#used.has(label);
  }

  /** The line of the first binding of a label; 0 if there is none. */
  lineOf(label: string): number {
    return this.#lines.get(label) ?? 0;
  }

  /** Labels bound so far, in order. */
  get names(): readonly string[] {
    return [...this.#bound.keys()];
  }

  /** Gives, whenever it is asked, the labels that are bound now. */
  namesHere(): () => readonly string[] {
    const bound = this.#bound.size;
    return () => this.names.slice(0, bound);
  }
}

/** A label that occurs nowhere in a program, made from `base`. */
export function freeLabel(text: string, base: string): string {
  const taken = new Set(text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []);
  const lower = base.charAt(0).toLowerCase() + base.slice(1);
  for (let number = 2; ; number++) {
    const label = `${lower}_${number}`;
    if (!taken.has(label)) return label;
  }
}
