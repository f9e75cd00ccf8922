import { fail } from "../errors/failure.ts";
import type { SessionAddress } from "../session/locate.ts";
import type { ToolArguments } from "./tool.ts";

/** The session a program tool names; a call without one is told to open one (SURF-2). */
export function sessionAddress(args: ToolArguments): SessionAddress {
  const ref = args["logical_session_ref"];
  if (typeof ref === "string") return { kind: "ref", ref };
  throw fail(
    "plasm-bad-request",
    "logical_session_ref is missing. Call plasm_context first with intent and seeds.",
  );
}
