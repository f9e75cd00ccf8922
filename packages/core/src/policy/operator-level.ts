import type { Capability } from "../schema/capability.ts";
import { effectKind } from "./may-use.ts";
import type { Policy } from "./policy.ts";

/**
 * Whether a plan that holds this capability runs only after an operator has approved it: its kind of
 * effect or its name stands in `approval.operator`, or that is `all` (SURF-25, OPS-36). Reads never do.
 */
export function demandsOperator(
  policy: Policy,
  entryId: string,
  capability: Pick<Capability, "name" | "kind">,
): boolean {
  const kind = effectKind(capability.kind);
  const apis = policy.apis ?? {};
  const api = Object.hasOwn(apis, entryId) ? apis[entryId] : undefined;
  const operator = api?.approval?.operator;
  if (kind === null || operator === undefined) return false;
  if (operator === "all") return true;
  return operator.some((named) => named === "all" || named === kind || named === capability.name);
}

/** Whether a policy demands an operator for anything (OPS-36). */
export const namesOperator = (policy: Policy): boolean =>
  Object.values(policy.apis ?? {}).some(({ approval }) => {
    const operator = approval?.operator ?? [];
    return operator.length > 0;
  });
