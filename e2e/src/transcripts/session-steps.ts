/** A call of a tool. */
export interface Step {
  readonly what: string;
  readonly tool: string;
  readonly args: object;
}

const program = "Boat{length>12}[id, name, length]";
const session = { logical_session_ref: "s0" };

/** One whole session; `docs/transcripts/session.sh` sends the same. */
export const STEPS: readonly Step[] = [
  { what: "Discover", tool: "discover_capabilities", args: { intent: "long boats at the quay" } },
  {
    what: "Context",
    tool: "plasm_context",
    args: { intent: "long boats", seeds: [{ api: "quay", entity: "Boat" }] },
  },
  { what: "Plan", tool: "plasm", args: { ...session, program } },
  { what: "Run", tool: "plasm_run", args: { ...session, plan_commit_ref: "pc0", wait: false } },
  { what: "Wait", tool: "plasm_run", args: { ...session, program: "wait(s0_o1)", wait: true } },
];
