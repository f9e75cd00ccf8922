/** What a key's bearer may do: decide on plans that wait, or call as its subject (OPS-36, SURF-23). */
export type KeyRole = "operator" | "agent";

/** A key that this deployment gave out; the key itself is kept nowhere (SURF-23). Times in ms. */
export interface KeyRecord {
  /** 16 hex digits, which the key itself begins with */
  readonly id: string;
  /** SHA-256 of the key, in hex */
  readonly hash: string;
  readonly tenant: string;
  readonly subject: string;
  readonly role: KeyRole;
  readonly createdAt: number;
}
