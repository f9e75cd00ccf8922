import { fail } from "../errors/failure.ts";
import { principalOf } from "./caller.ts";
import type { Keys } from "./keys.ts";

/** Who decides on plans that wait in a tenant (OPS-36). */
export interface Operator {
  /** the tenant scope */
  readonly scope: string;
  readonly subject: string;
}

/** An operator as the principal that it is, to tell it from the principal of a ref. */
export const principalOfOperator = ({ scope, subject }: Operator): string =>
  principalOf({ scope, subject, connection: null });

const HOW = "Send an operator's key as X-API-Key, or as Authorization: Bearer.";

/**
 * The operator of a credential (OPS-36, SURF-23). Throws plasm-unauthenticated without a known key, and
 * plasm-policy-denied for the key of anybody else.
 */
export async function operatorOf(
  keys: Pick<Keys, "recordOf">,
  credential: string | null,
): Promise<Operator> {
  if (credential === null)
    throw fail("plasm-unauthenticated", `Only an operator may do this. ${HOW}`);
  const record = await keys.recordOf(credential);
  if (record === null) throw fail("plasm-unauthenticated", `This key is not known here. ${HOW}`);
  if (record.role !== "operator") {
    throw fail("plasm-policy-denied", `Only an operator may do this; this key is none's. ${HOW}`);
  }
  return { scope: record.tenant, subject: record.subject };
}
