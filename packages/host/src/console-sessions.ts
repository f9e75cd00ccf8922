import { createHash } from "node:crypto";
import type { KeyRole, Store } from "@plasm/agent-core";
import { hashOf, newSecret, opened, sealed } from "./connect-waiting.ts";
import type { SignedInPerson } from "./console-providers.ts";

/** A credential of a sign-in as it is kept: a key or token, that of whoever holds the terminal, or that of a person. */
export type KeptCredential = { readonly subject: string } & (
  | { readonly kind: "key"; readonly text: string }
  | { readonly kind: "terminal" }
  | {
      readonly kind: "person";
      readonly text: string;
      readonly person: SignedInPerson;
      /** how people of the provider were read then */
      readonly reading: string;
    }
);

/** A browser that somebody has signed in with. */
export interface KeptSession {
  readonly tenant: string;
  readonly credentials: ReadonlyMap<KeyRole, KeptCredential>;
  /** hash of what the page sends with each call */
  readonly page: string;
  /** in ms by the store's clock */
  readonly until: number;
}

/** Sessions are known from their cookie alone, before anybody knows of which tenant they are. */
const NO_SCOPE = "";
const KIND = "consoleSession";
/** Sessions of one person at a time: the oldest goes first. */
const MOST_OF_PERSON = 10;
const COOKIE = /^([0-9a-f]{16})\.([\w-]{43})$/;

/** Whose a session is: of one person only so many are kept. */
function ownerOf({ tenant, credentials }: Pick<KeptSession, "tenant" | "credentials">): string {
  const whose = [tenant, ...[...credentials].map(([role, { subject }]) => [role, subject])];
  return createHash("sha256").update(JSON.stringify(whose)).digest("hex").slice(0, 16);
}

/** Where a cookie's session is kept, and with what it is opened; null for what is no cookie of this server. */
function placeOf(cookie: string): { readonly id: string; readonly secret: string } | null {
  const [, owner, secret] = COOKIE.exec(cookie) ?? [];
  return owner === undefined || secret === undefined
    ? null
    : { id: `${owner}/${hashOf(secret)}`, secret };
}

type Sealed = Pick<KeptSession, "tenant" | "until"> & {
  readonly id: string;
  readonly credentials: readonly (readonly [KeyRole, KeptCredential])[];
};

/**
 * The sign-ins of a console, in the store that replicas share: they outlast a restart, and each replica knows them. Their credentials
 * are sealed with the secret in the cookie, so that no copy of a store opens one.
 */
export class KeptSessions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  now(): number {
    return this.#store.now();
  }

  /** Keeps a session, and returns what its cookie holds: 256 random bits that no browser has had before. */
  async add(session: KeptSession): Promise<string> {
    const [owner, secret] = [ownerOf(session), newSecret()];
    const { tenant, page, until, credentials } = session;
    const id = `${owner}/${hashOf(secret)}`;
    const content: Sealed = { id, tenant, until, credentials: [...credentials] };
    const kept = { tenant, page, until, sealed: await sealed(secret, { ...content }) };
    await this.#store.transaction(async (tx) => {
      const own = await tx.list(KIND, NO_SCOPE, `${owner}/`);
      const over = own.filter(({ value }) => value.until <= tx.now());
      const good = own.filter(({ value }) => value.until > tx.now());
      const oldest = good.slice(0, Math.max(0, good.length + 1 - MOST_OF_PERSON));
      for (const one of [...over, ...oldest]) await tx.delete(KIND, NO_SCOPE, one.id);
      await tx.insert(KIND, NO_SCOPE, id, kept);
    });
    return `${owner}.${secret}`;
  }

  /** Returns the session of a cookie whose page brings this token; null for one that has ended, or is of another page. */
  async find(
    cookie: string,
    token: string,
  ): Promise<(KeptSession & { readonly id: string }) | null> {
    const place = placeOf(cookie);
    if (place === null) return null;
    const { id, secret } = place;
    const record = (await this.#store.get(KIND, NO_SCOPE, id))?.value;
    // Cookies go to every port of a host. What the page knows does not.
    if (record === undefined || record.until <= this.now() || record.page !== hashOf(token))
      return null;
    const content = await opened<Sealed>(secret, record.sealed);
    if (content === null || content.id !== id) return null;
    const { tenant, until } = content;
    if (tenant !== record.tenant || until !== record.until) return null;
    return { id, tenant, until, page: record.page, credentials: new Map(content.credentials) };
  }

  /** Ends a session in every process. */
  async end(id: string): Promise<void> {
    await this.#store.delete(KIND, NO_SCOPE, id);
  }
}
