import type { TextRange } from "../../source/span.ts";

/** What keeps a text from being a catalog file: a construct of CAT-012 or a limit of CAT-013. */
export interface YamlProblem {
  readonly code: "CAT012" | "CAT013";
  readonly at: TextRange;
  /** The construct or the limit, as a message names it. */
  readonly what: string;
  readonly instead: string;
  /** Whether the text is no YAML at all. */
  readonly syntax?: true;
}
