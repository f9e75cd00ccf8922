import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { noteAudit } from "../audit/audit-log.ts";
import type { AuditKind } from "../records/audit.ts";
import type { Store, Stored, StoreOps } from "../store-port.ts";
import type { KeyRecord, KeyRole, KeyScope } from "../records/sessions.ts";
import { tenantForm, tenantOfScope } from "./tenant-scope.ts";
import { fail } from "../errors/problem.ts";
import { principalOf } from "./caller.ts";

/** Whose a key is is known from its record alone, so that keys are of no scope. */
const NO_SCOPE = "";

const KEY = /^plasm_([0-9a-f]{16})_[\w-]{43}$/;

/** A key holds 256 random bits, so that one round of a hash hides it. */
const hashOf = (key: string): Buffer => createHash("sha256").update(key).digest();

/** A new text for the key of an id. */
function newText(id: string): { readonly key: string; readonly hash: string } {
  const key = `plasm_${id}_${randomBytes(32).toString("base64url")}`;
  return { key, hash: hashOf(key).toString("hex") };
}

/** To whom a key is given, and what for. */
export interface KeyOwner {
  readonly tenant: string;
  readonly subject: string;
  readonly role: KeyRole;
  /** other users that its bearer may act for (SURF-24) */
  readonly actAs?: readonly string[];
  /** it stands for no user (SURF-24) */
  readonly service?: boolean;
  /** what an agent may do with it; all without it */
  readonly scopes?: readonly KeyScope[];
  /** when it ends, by the store's clock in ms; never without it */
  readonly expiresAt?: number;
}

/** Whose a credential of an operator or administrator is, and what it is for. */
export interface RoleHolder {
  readonly tenant: string;
  readonly subject: string;
  readonly role: KeyRole;
  /** all roles of a token that has several */
  readonly roles?: readonly KeyRole[];
}

/** What knows operators and administrators by what they send: the keys of a deployment, or those and its issuers' tokens. */
export interface RoleHolders {
  recordOf(credential: string): Promise<RoleHolder | null>;
}

/** A key as it is shown, once, to who asked for it; its text is kept nowhere. */
export interface MadeKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** The keys of a deployment (SURF-23). */
export interface KeyRing {
  add(owner: KeyOwner): Promise<MadeKey>;
  /** All keys, or those of a tenant, in the order they were made. */
  list(tenant?: string): Promise<readonly KeyRecord[]>;
  /** Gives a key another text, and refuses the one before from then on; null if there is no such id. */
  rotate(id: string): Promise<MadeKey | null>;
  /** Forgets a key by its id; false if there is none. */
  remove(id: string): Promise<boolean>;
  /** The record of a key by its text; null for anything that is no key of this deployment. */
  recordOf(key: string): Promise<KeyRecord | null>;
}

/** Whether a text has the form of a key, valid or not. */
export const looksLikeKey = (text: string): boolean => KEY.test(text);

/** Notes a change of a key in the audit log of its tenant (OPS-40). */
const noteKey = (
  tx: StoreOps,
  kind: AuditKind,
  { id, tenant, subject, role }: KeyRecord,
  by: string | null,
): Promise<void> =>
  noteAudit(tx, tenantOfScope(tenant), {
    kind,
    subject: by,
    target: id,
    detail: `key of ${role} ${subject}`,
  });

const rotate = (store: Store, id: string, by: string | null): Promise<MadeKey | null> =>
  store.transaction(async (tx) => {
    const found = await tx.get("key", NO_SCOPE, id);
    if (found === null) return null;
    if (isExpiredKey(found.value, tx.now())) {
      throw fail(
        "plasm-bad-request",
        `The key ${id} has ended, and another text would end with it. Add a new one.`,
      );
    }
    const { key, hash } = newText(id);
    const record: KeyRecord = { ...found.value, hash, rotatedAt: tx.now() };
    if (!(await tx.cas("key", NO_SCOPE, id, found.version, record))) {
      throw fail("plasm-busy", "The key changed meanwhile. Send the same call again.");
    }
    await noteKey(tx, "key_rotated", record, by);
    return { key, record };
  });

const add = (store: Store, owner: KeyOwner, by: string | null): Promise<MadeKey> =>
  store.transaction(async (tx) => {
    const id = randomBytes(8).toString("hex");
    const { key, hash } = newText(id);
    const tenant = tenantForm(owner.tenant);
    const record: KeyRecord = { id, hash, ...owner, tenant, createdAt: tx.now() };
    if (!(await tx.insert("key", NO_SCOPE, id, record))) throw new Error("An id came twice");
    await noteKey(tx, "key_added", record, by);
    return { key, record };
  });

const remove = (store: Store, id: string, by: string | null): Promise<boolean> =>
  store.transaction(async (tx) => {
    const found = await tx.get("key", NO_SCOPE, id);
    if (found === null) return false;
    await tx.delete("key", NO_SCOPE, id);
    await noteKey(tx, "key_removed", found.value, by);
    return true;
  });

/** Whether a key is good no more. */
export const isExpiredKey = ({ expiresAt = Infinity }: KeyRecord, now: number): boolean =>
  expiresAt <= now;

/** The record of a key by its id; null where it was removed, or has ended. */
export async function keyById(store: StoreOps, id: string): Promise<KeyRecord | null> {
  const found = await store.get("key", NO_SCOPE, id);
  return found === null || isExpiredKey(found.value, store.now()) ? null : found.value;
}

/** A key that is used all the time is written once in so long. */
const NOTED_EVERY_MS = 60_000;

/** Notes that a key was used now. Where that fails, or another call does so at the same time, nobody is refused for it. */
async function noteUsed(store: StoreOps, { id, version, value }: Stored<KeyRecord>): Promise<void> {
  const now = store.now();
  if (Math.abs(now - (value.lastUsedAt ?? -Infinity)) < NOTED_EVERY_MS) return;
  await store
    .cas("key", NO_SCOPE, id, version, { ...value, lastUsedAt: now })
    .catch(() => undefined);
}

/**
 * The keys in a store, hashed, compared in constant time (SURF-23). `by` is who changes them, as the audit log tells it;
 * null where nobody does.
 */
export const keysIn = (store: Store, by: string | null = null): KeyRing => ({
  add: (owner) => add(store, owner, by),
  list: async (tenant) => {
    const all = (await store.list("key", NO_SCOPE, "")).map(({ value }) => value);
    if (tenant === undefined) return all;
    const form = tenantForm(tenant);
    return all.filter((one) => tenantForm(one.tenant) === form);
  },
  rotate: (id) => rotate(store, id, by),
  remove: (id) => remove(store, id, by),
  recordOf: async (key) => {
    const [, id] = KEY.exec(key) ?? [];
    if (id === undefined) return null;
    const found = await store.get("key", NO_SCOPE, id);
    if (found === null) return null;
    const same = timingSafeEqual(hashOf(key), Buffer.from(found.value.hash, "hex"));
    if (!same || isExpiredKey(found.value, store.now())) return null;
    await noteUsed(store, found);
    return found.value;
  },
});

/** Who decides on plans that wait in a tenant (OPS-36). */
export interface Operator {
  /** the tenant scope */
  readonly scope: string;
  readonly subject: string;
  /** the request that it decides by */
  readonly requestId?: string;
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

const ARTICLES: Readonly<Record<KeyRole, string>> = {
  operator: "an operator",
  admin: "an admin",
  agent: "an agent",
  monitor: "a monitor",
};

const how = (role: KeyRole): string =>
  `Send ${ARTICLES[role]}'s key as X-API-Key, or as Authorization: Bearer.`;

/** Whose a credential of this role is; who else sends one, or none, is refused. */
async function recordFor(
  role: KeyRole,
  keys: RoleHolders,
  credential: string | null,
): Promise<RoleHolder> {
  const only = `Only ${ARTICLES[role]} may do this`;
  if (credential === null) throw fail("plasm-unauthenticated", `${only}. ${how(role)}`);
  const record = await keys.recordOf(credential);
  if (record === null) {
    throw fail("plasm-unauthenticated", `This key is not known here. ${how(role)}`);
  }
  if (!(record.roles ?? [record.role]).includes(role)) {
    throw fail("plasm-policy-denied", `${only}; this key is none's. ${how(role)}`);
  }
  return record;
}

/**
 * The operator of a credential (OPS-36, SURF-23). Throws plasm-unauthenticated without a known key, and
 * plasm-policy-denied for the key of anybody else.
 */
export async function operatorOf(keys: RoleHolders, credential: string | null): Promise<Operator> {
  const { tenant, subject } = await recordFor("operator", keys, credential);
  return { scope: tenantForm(tenant), subject };
}

/** Refuses a credential that may not read the figures of a process (OPS-44). Throws as operatorOf does. */
export async function mayMonitor(keys: RoleHolders, credential: string | null): Promise<void> {
  await recordFor("monitor", keys, credential);
}

/**
 * The administrator of a credential, for one tenant, or for the whole deployment where `of` is null (SURF-16, SURF-23). Whoever is one by
 * the claims of a token is one of its own tenant: an issuer may serve many, each of which says itself who its administrators are. Throws as
 * operatorOf does.
 */
export async function adminOf(
  keys: RoleHolders,
  credential: string | null,
  of: string | null,
): Promise<{ readonly tenant: string; readonly subject: string }> {
  const { tenant, subject, roles } = await recordFor("admin", keys, credential);
  const own = tenantForm(tenant);
  if (roles !== undefined && (of === null || tenantForm(of) !== own)) {
    throw fail(
      "plasm-policy-denied",
      `A token makes an administrator of its own tenant alone, ${own}. For this s${how("admin").slice(1)}`,
    );
  }
  return { tenant: own, subject };
}
