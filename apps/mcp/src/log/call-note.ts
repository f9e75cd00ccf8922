import type { ToolName } from "@plasm/agent-core";

/** What one INFO record of SURF-28 is named. */
export type CallName = ToolName | "list_registry";

/** What is known of a call while it runs; whoever answers it fills this in. */
export interface CallNote {
  name: CallName | null;
  ref: string | null;
  outcome: string;
  text: string;
}
