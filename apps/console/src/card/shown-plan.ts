import { showable } from "../api.ts";
import type { BillFigure, ExplainedView } from "../records.ts";

/** An effect as `_meta.plasm.explained` has it. */
export interface ShownEffect extends ExplainedView {
  readonly catalog: string;
  readonly capability: string;
  readonly kind: "create" | "update" | "delete" | "action";
  readonly args: Readonly<Record<string, unknown>>;
}

/** A plan as the answer of `plasm_show` tells it. */
export interface ShownPlan {
  readonly ref: string;
  readonly expiresAt: string;
  readonly effects: readonly ShownEffect[];
  readonly program: string;
  readonly bill: { readonly requests: BillFigure; readonly rows: BillFigure } | null;
  /** why its reads were not made to the end; null where they were */
  readonly stopped: string | null;
  /** the answer as the model has it */
  readonly text: string;
}

interface Answer {
  readonly isError?: boolean | undefined;
  readonly content?: readonly { readonly type: string; readonly text?: string }[] | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

interface Told {
  readonly plan_commit_ref?: string;
  readonly plan_commit_expires_at?: string;
  readonly explained?: readonly ShownEffect[];
  readonly program?: string;
  readonly plan?: { readonly bill?: ShownPlan["bill"] };
}

/** As the first line of an explanation says that a budget, or a cancel, ended its reads. */
const STOPPED = /^explain [^\n]* · stopped: ([^\n]+)/;

/** What an answer shows, without characters that hide or turn others. One that is a problem has its text alone. */
export function planIn(answer: Answer): ShownPlan {
  const { isError = false, content = [], _meta: meta = {} } = showable(answer) as Answer;
  const told = (isError ? {} : (meta["plasm"] ?? {})) as Told;
  const text = content
    .flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []))
    .join("\n");
  return {
    ref: told.plan_commit_ref ?? "",
    expiresAt: told.plan_commit_expires_at ?? "",
    effects: told.explained ?? [],
    program: told.program ?? "",
    bill: told.plan?.bill ?? null,
    stopped: STOPPED.exec(text)?.[1] ?? null,
    text,
  };
}
