import type { CheckContext } from "../check/check-context.ts";
import { diagnose } from "../diagnostics/messages.ts";
import { valueMessages } from "../diagnostics/value-messages.ts";
import type { Continuation, ContinuationOp, Program } from "../language/ast.ts";

/** A program that goes on with an earlier run (LANG-011): what to do, its handle, and a page length. */
export interface ContinuationProgram {
  readonly kind: "continuation";
  readonly op: ContinuationOp;
  readonly handle: string;
  readonly limit: number | null;
}

/** The continuation a program consists of, or null if it is none or one in error, reported. */
export function readContinuation(
  context: CheckContext,
  program: Program,
): ContinuationProgram | null {
  const [statement] = program.statements;
  if (statement?.kind !== "Continuation") return null;
  const handle = readHandle(context, statement);
  const limit = statement.limit?.kind === "NumberValue" ? Number(statement.limit.raw) : null;
  if (statement.limit?.kind === "PlaceholderValue") {
    report(context, statement.limit, "limit", "int", "20");
  }
  return handle === null ? null : { kind: "continuation", op: statement.op, handle, limit };
}

function readHandle(context: CheckContext, statement: Continuation): string | null {
  const { handle, op } = statement;
  switch (handle.kind) {
    case "WordValue":
      return handle.raw;
    case "StringValue":
      return handle.text;
    case "PlaceholderValue":
      report(context, handle, "handle", "a handle", op === "page" ? "s0_pg1" : "s0_o1");
      return "";
    case "Bad":
      return "";
  }
}

function report(
  context: CheckContext,
  at: { readonly raw: string; readonly span: Continuation["span"] },
  slot: string,
  type: string,
  sample: string,
): void {
  const args = { raw: at.raw, slot, type, sample };
  context.found.add(diagnose(valueMessages.placeholder, at.span, args));
}
