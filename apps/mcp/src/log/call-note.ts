import type { Problem, ToolName } from "@plasm/agent-core";

/** What one INFO record of SURF-28 is named; `refused` is one of whoever got no further than the door. */
export type CallName = ToolName | "list_registry" | "refused";

/** What is known of a call while it runs; whoever answers it fills this in. */
export interface CallNote {
  name: CallName | null;
  ref: string | null;
  outcome: string;
  /** method and route of what was refused */
  asked?: string;
  text: string;
}

/** 401 and 403: who sent it is not known, or may not do this. */
const isRefusal = ({ status }: Problem): boolean => status === 401 || status === 403;

/**
 * Notes that a call came to a problem. A refusal of what has no name in the log leaves a record all the same, with
 * `asked`: method and route, and nothing that was sent there (SURF-27).
 */
export function noteProblem(note: CallNote, problem: Problem, asked: string): void {
  note.outcome = problem.code;
  note.text = problem.text;
  if (note.name !== null || !isRefusal(problem)) return;
  note.name = "refused";
  note.asked = asked;
}
