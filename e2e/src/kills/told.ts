import { eachEffect } from "@plasm/testkit";

/** How an answer says that an effect ended. */
export type Ending = "done" | "failed" | "in doubt" | "not started";

/** One effect as an answer tells of it. */
export interface Told {
  readonly ending: Ending;
  /** `ping b1`; null where it has not started, since its target may not exist yet */
  readonly what: string | null;
}

/** A node that has one effect per row: one line tells of all while their rows are not known. */
export interface PerRow {
  readonly node: string;
  readonly effects: number;
}

/**
 * `done n4[1] update quay.Boat 15` of a failure, `done update quay.Boat 15` of a success; not the head of a
 * failure, `failed at n4: interrupted`.
 */
const LINE =
  /^(done|failed|in doubt|not started) (?!at n\d+:)(?:(n\d+)(\[\d+\])? )?(\w+) ?(?:quay\.Boat)?(.*)$/;

/** The lines of an answer that tell of effects, in order (OPS-29, SURF-15). */
export function effectsTold(text: string, perRow: PerRow | null): readonly Told[] {
  return text
    .split("\n")
    .flatMap(eachEffect)
    .flatMap((line): readonly Told[] => {
      const [, ending, node, row, verb = "", target = ""] = LINE.exec(line) ?? [];
      if (ending === undefined) return [];
      if (ending !== "not started") {
        // What a create made is not known while it is in doubt, and no request to create names it.
        const what = verb === "create" ? verb : `${verb}${target}`;
        return [{ ending: ending as Ending, what }];
      }
      const all = row === undefined && perRow !== null && node === perRow.node;
      return Array.from({ length: all ? perRow.effects : 1 }, () => ({ ending, what: null }));
    });
}
