import type { LogLine } from "../records.ts";
import { Link } from "../router.tsx";

/** What a line of the audit log tells of, in words. */
export const WHAT: Readonly<Record<string, string>> = {
  effect_started: "Effect started",
  effect_ended: "Effect ended",
  effect_withdrawn: "Effect withdrawn",
  approval_requested: "Approval asked for",
  approval_given: "Plan approved",
  approval_rejected: "Plan rejected",
  refused: "Refused",
  signed_in: "Signed in",
  account_shared: "Account shared",
  account_revoked: "Account revoked",
  key_added: "Key added",
  key_rotated: "Key changed",
  key_removed: "Key removed",
  policy_set: "Policy set",
  catalog_imported: "Catalog imported",
  catalog_withdrawn: "Catalog withdrawn",
  operation_retried: "Operation let go on",
  operation_cancelled: "Operation cancelled",
  program_saved: "Program saved",
  program_removed: "Saved program removed",
  schedule_set: "Schedule set",
  schedule_removed: "Schedule removed",
};

/** What a line was done to; plans lead to their page. */
export function Target({ line }: { readonly line: LogLine }) {
  if (line.target === null) return null;
  return line.kind.startsWith("approval_") ? (
    <Link to={`/approvals/${line.target}`}>plan {line.plan_commit_ref ?? ""}</Link>
  ) : (
    <span class="value">{line.target}</span>
  );
}
