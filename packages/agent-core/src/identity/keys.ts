import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { StoreOps } from "../ports.ts";
import type { KeyRecord, KeyRole } from "../records/key-record.ts";

/** Whose a key is is known from its record alone, so that keys are of no scope. */
const NO_SCOPE = "";

const KEY = /^plasm_([0-9a-f]{16})_[\w-]{43}$/;

/** A key holds 256 random bits, so that one round of a hash hides it. */
const hashOf = (key: string): Buffer => createHash("sha256").update(key).digest();

/** To whom a key is given, and what for. */
export interface KeyOwner {
  readonly tenant: string;
  readonly subject: string;
  readonly role: KeyRole;
}

/** The keys of a deployment (SURF-23). */
export interface Keys {
  /** Makes a key. Its text is known to who asked for it, and kept nowhere. */
  add(owner: KeyOwner): Promise<{ readonly key: string; readonly record: KeyRecord }>;
  /** All keys, in the order they were made. */
  list(): Promise<readonly KeyRecord[]>;
  /** Forgets a key by its id; false if there is none. */
  remove(id: string): Promise<boolean>;
  /** The record of a key by its text; null for anything that is no key of this deployment. */
  recordOf(key: string): Promise<KeyRecord | null>;
}

/** The keys in a store, hashed, compared in constant time (SURF-23). */
export const keysIn = (store: StoreOps): Keys => ({
  add: async (owner) => {
    const id = randomBytes(8).toString("hex");
    const key = `plasm_${id}_${randomBytes(32).toString("base64url")}`;
    const hash = hashOf(key).toString("hex");
    const { tenant, subject, role } = owner;
    const record: KeyRecord = { id, hash, tenant, subject, role, createdAt: store.now() };
    if (!(await store.insert("key", NO_SCOPE, id, record))) throw new Error("An id came twice");
    return { key, record };
  },
  list: async () => (await store.list("key", NO_SCOPE, "")).map(({ value }) => value),
  remove: async (id) => {
    if ((await store.get("key", NO_SCOPE, id)) === null) return false;
    await store.delete("key", NO_SCOPE, id);
    return true;
  },
  recordOf: async (key) => {
    const [, id] = KEY.exec(key) ?? [];
    if (id === undefined) return null;
    const found = await store.get("key", NO_SCOPE, id);
    if (found === null) return null;
    const same = timingSafeEqual(hashOf(key), Buffer.from(found.value.hash, "hex"));
    return same ? found.value : null;
  },
});
