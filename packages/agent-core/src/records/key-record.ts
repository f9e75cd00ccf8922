/**
 * What a key's bearer may do: decide on plans that wait, change policies, or call as its subject
 * (OPS-36, SURF-16, SURF-23).
 */
export type KeyRole = "operator" | "admin" | "agent";

/** A key that this deployment gave out; the key itself is kept nowhere (SURF-23). Times in ms. */
export interface KeyRecord {
  /** 16 hex digits, which the key itself begins with */
  readonly id: string;
  /** SHA-256 of the key, in hex */
  readonly hash: string;
  readonly tenant: string;
  readonly subject: string;
  readonly role: KeyRole;
  /** other users that its bearer may act for (SURF-24) */
  readonly actAs?: readonly string[];
  /** it stands for no user (SURF-24) */
  readonly service?: boolean;
  readonly createdAt: number;
  /** when it got the text that is valid now, if that is not its first */
  readonly rotatedAt?: number;
}
