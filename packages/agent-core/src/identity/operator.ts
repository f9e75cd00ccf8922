import { fail } from "../errors/failure.ts";
import type { KeyRecord, KeyRole } from "../records/key-record.ts";
import { principalOf } from "./caller.ts";
import type { Keys } from "./keys.ts";
import { tenantForm } from "./tenant-scope.ts";

/** Who decides on plans that wait in a tenant (OPS-36). */
export interface Operator {
  /** the tenant scope */
  readonly scope: string;
  readonly subject: string;
}

/** An operator as the principal that it is, to tell it from the principal of a ref. */
export const principalOfOperator = ({ scope, subject }: Operator): string =>
  principalOf({ scope, subject, connection: null });

const folded = (name: string): string => name.normalize("NFKC").trim().toLowerCase();

/**
 * Whether two names may be those of one person. An identity provider and whoever makes keys need not write them alike,
 * and a decision that a namesake is refused costs less than one on a plan of one's own.
 */
export const isSameName = (one: string, other: string): boolean => folded(one) === folded(other);

const how = (role: KeyRole): string =>
  `Send an ${role}'s key as X-API-Key, or as Authorization: Bearer.`;

/** The record of a key of this role; who else sends one, or none, is refused. */
async function recordFor(
  role: KeyRole,
  keys: Pick<Keys, "recordOf">,
  credential: string | null,
): Promise<KeyRecord> {
  const only = `Only an ${role} may do this`;
  if (credential === null) throw fail("plasm-unauthenticated", `${only}. ${how(role)}`);
  const record = await keys.recordOf(credential);
  if (record === null) {
    throw fail("plasm-unauthenticated", `This key is not known here. ${how(role)}`);
  }
  if (record.role !== role) {
    throw fail("plasm-policy-denied", `${only}; this key is none's. ${how(role)}`);
  }
  return record;
}

/**
 * The operator of a credential (OPS-36, SURF-23). Throws plasm-unauthenticated without a known key, and
 * plasm-policy-denied for the key of anybody else.
 */
export async function operatorOf(
  keys: Pick<Keys, "recordOf">,
  credential: string | null,
): Promise<Operator> {
  const { tenant, subject } = await recordFor("operator", keys, credential);
  return { scope: tenantForm(tenant), subject };
}

/** The name of the administrator of a credential (SURF-16, SURF-23). Throws as operatorOf does. */
export const adminOf = async (
  keys: Pick<Keys, "recordOf">,
  credential: string | null,
): Promise<string> => (await recordFor("admin", keys, credential)).subject;
