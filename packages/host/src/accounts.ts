import type { Caller } from "@plasm/agent-core";
import { type AuditFacts, fail, userOf } from "@plasm/agent-core/internal";
import type { Catalog } from "@plasm/core";
import {
  accountKey,
  type CredentialFiles,
  type CredentialOwner,
  type CredentialScope,
  defaultHostedKey,
  isAccountLabel,
  isEnvelope,
  isSharedLabel,
  offersSignIn,
  revokeEnvelope,
  ShareError,
  SignInError,
  type SignInSetting,
  type StoredCredential,
  StoredSecretError,
} from "@plasm/runtime";
import type { Connect } from "./connect.ts";

/** An account of a catalog that a caller's calls may use, without its secret (RUN-186). */
export interface UsableAccount {
  readonly entry_id: string;
  /** null for the default */
  readonly account: string | null;
  readonly changed_at: string;
  /** the caller's own; the tenant's; or that of all callers */
  readonly whose: "caller" | "tenant" | "everyone";
  /** whether the caller may share and revoke it */
  readonly may_change: boolean;
  /** who shares it, and who may use it; null where it is not shared by a list */
  readonly shared: { readonly by: string | null; readonly users: readonly string[] } | null;
}

/** A catalog to which a caller can sign in, or use an account. */
export interface AccountsOfCatalog {
  readonly entry_id: string;
  /** whether the caller can sign in to it here */
  readonly signs_in: boolean;
  readonly accounts: readonly UsableAccount[];
}

type Owned = CredentialOwner & Pick<StoredCredential, "shared">;

interface Named {
  readonly entryId: string;
  readonly account: string | null;
}

/** The accounts of callers, as each of them sees and changes their own (RUN-186). What is another's is nothing. */
export interface Accounts {
  /** those of the catalogs named, in that order */
  list(caller: Caller, entryIds: readonly string[]): readonly AccountsOfCatalog[];
  /** Where a person's browser goes to sign in, and the cookie that it keeps meanwhile. */
  signIn(caller: Caller, named: Named): Promise<{ readonly url: string; readonly cookie: string }>;
  /** Says who may use an account from now on, beside the caller; it is shared from then on. */
  share(caller: Caller, named: Named, users: readonly string[]): Promise<UsableAccount>;
  /** Forgets an account; true where its provider has ended its tokens. */
  revoke(caller: Caller, named: Named): Promise<boolean>;
}

interface AccountsSetting {
  readonly files: CredentialFiles;
  readonly connect: Pick<Connect, "begin">;
  /** whose credentials a caller's calls use */
  readonly credentialsOf: (caller: Caller) => CredentialScope;
  readonly catalog: (entryId: string) => Catalog | null;
  readonly setting: (catalog: Catalog) => SignInSetting;
  /** whether all callers are one person */
  readonly isAlone: boolean;
  /** tells a tenant's audit log of a change of accounts */
  readonly note: (
    tenant: string,
    facts: Pick<AuditFacts, "kind" | "subject" | "entry_id" | "target" | "detail">,
  ) => Promise<void>;
}

const keyOf = ({ entryId, account }: Named): string =>
  account === null ? defaultHostedKey(entryId) : accountKey(entryId, account);

/** Whether a caller may share and revoke what is stored: their own, and what they share; or all, where there is nobody else. */
function mayChange(
  { shared, tenant, principal }: StoredCredential,
  { principal: user }: CredentialScope,
  isAlone: boolean,
): boolean {
  if (user === undefined) return isAlone && tenant === null;
  return shared === undefined ? principal === user : shared.by === user;
}

const isFurtherKey = (one: StoredCredential, { key, tenant, principal, shared }: Owned): boolean =>
  one.tenant === tenant &&
  one.principal === principal &&
  one.shared?.by === shared?.by &&
  one.key.startsWith(`${key}:`);

const shownTo = (
  { entryId, account }: Named,
  { changedAt, tenant, principal, shared }: StoredCredential,
  mayBeChanged: boolean,
): UsableAccount => ({
  entry_id: entryId,
  account,
  changed_at: new Date(changedAt).toISOString(),
  whose: principal !== null ? "caller" : tenant === null ? "everyone" : "tenant",
  may_change: mayBeChanged,
  shared: shared ?? null,
});

/** The accounts of a host's callers. */
export function accountsOf(setting: AccountsSetting): Accounts {
  const { files, connect, credentialsOf, isAlone } = setting;
  const shown = (named: Named, stored: StoredCredential, credentials: CredentialScope) =>
    shownTo(named, stored, mayChange(stored, credentials, isAlone));
  const catalogOf = (entryId: string): Catalog => {
    const catalog = setting.catalog(entryId);
    if (catalog === null) throw fail("plasm-unknown-catalog", `There is no catalog ${entryId}.`);
    return catalog;
  };
  const find = (named: Named, credentials: CredentialScope): StoredCredential | null => {
    // Nobody's own where a caller stands for no user.
    if (credentials.delegated === true && credentials.principal === undefined) return null;
    const key = keyOf(named);
    const all = files.usable(credentials).filter((one) => one.key === key);
    return all.find(({ tenant }) => tenant !== null) ?? all[0] ?? null;
  };
  const own = (caller: Caller, named: Named): Owned => {
    const credentials = credentialsOf(caller);
    const stored = find(named, credentials);
    const name =
      named.account === null ? named.entryId : `${named.entryId} account ${named.account}`;
    if (stored === null)
      throw fail(
        "plasm-bad-request",
        `You have no ${name} here. GET /v1/accounts lists what you have.`,
      );
    if (!mayChange(stored, credentials, isAlone))
      throw fail(
        "plasm-policy-denied",
        `${name} is not yours to change: whoever shares it does, or an operator with plasm auth on the server.`,
      );
    const { key, tenant, principal, shared } = stored;
    return { key, tenant, principal, ...(shared === undefined ? {} : { shared }) };
  };
  return Object.freeze({
    list(caller: Caller, entryIds: readonly string[]) {
      const credentials = credentialsOf(caller);
      const isNobody = credentials.delegated === true && credentials.principal === undefined;
      return entryIds.flatMap((entryId) => {
        const catalog = setting.catalog(entryId);
        if (catalog === null) return [];
        const labels = isNobody ? [] : [null, ...files.accounts(entryId, credentials)];
        const accounts = labels.flatMap((account) => {
          const stored = find({ entryId, account }, credentials);
          return stored === null ? [] : [shown({ entryId, account }, stored, credentials)];
        });
        const signsIn =
          offersSignIn(catalog, setting.setting(catalog).env) &&
          (credentials.principal !== undefined || (isAlone && !isNobody));
        return signsIn || accounts.length > 0
          ? [{ entry_id: entryId, signs_in: signsIn, accounts }]
          : [];
      });
    },
    async signIn(caller: Caller, { entryId, account }: Named) {
      const catalog = catalogOf(entryId);
      refuseLabel(account);
      if (!offersSignIn(catalog, setting.setting(catalog).env))
        throw fail("plasm-bad-request", `${entryId} does not say how people sign in to it.`);
      const led = await telling(() =>
        connect.begin(caller, credentialsOf(caller), { catalog, account }),
      );
      if (led !== null) return led;
      throw fail(
        "plasm-policy-denied",
        `Calls of ${entryId} use credentials that callers share here: an operator stores them with plasm auth on the server.`,
      );
    },
    async share(caller: Caller, named: Named, users: readonly string[]) {
      catalogOf(named.entryId);
      if (named.account === null)
        throw fail("plasm-bad-request", "Name an account: what has no label is not shared.");
      const owner = own(caller, named);
      const user = userOf(caller);
      const stored = await telling(() =>
        files.share(owner, user ?? "plasm", () => [...(user === null ? [] : [user]), ...users]),
      );
      if (stored === null)
        throw fail("plasm-bad-request", "It is gone. GET /v1/accounts lists what there is.");
      const account = stored.key.slice(stored.key.indexOf("@") + 1);
      await setting.note(caller.scope, {
        kind: "account_shared",
        subject: user,
        entry_id: named.entryId,
        target: account,
        detail: `with ${stored.shared?.users.join(", ") ?? ""}`,
      });
      return shown({ entryId: named.entryId, account }, stored, credentialsOf(caller));
    },
    revoke: async (caller: Caller, named: Named) =>
      revokeAt(setting, caller, named, {
        catalog: catalogOf(named.entryId),
        owner: own(caller, named),
      }),
  });
}

/** Ends an account at its provider where that can be, and forgets it with its further keys. */
async function revokeAt(
  { files, setting, note, credentialsOf }: AccountsSetting,
  caller: Caller,
  { entryId, account }: Named,
  { catalog, owner }: { readonly catalog: Catalog; readonly owner: Owned },
): Promise<boolean> {
  const subject = userOf(caller);
  const by = subject ?? "plasm";
  const further = files.usable(credentialsOf(caller)).filter((one) => isFurtherKey(one, owner));
  const end = async (value: string) => {
    const revoked = isEnvelope(value) && (await revokeEnvelope(setting(catalog), value));
    // Before the account itself: whoever revokes again after a kill finds that where it was.
    for (const one of further) await files.remove(one, by);
    return { revoked };
  };
  const done = await telling(() => files.revoke(owner, by, end));
  const revoked = done?.revoked === true;
  await note(caller.scope, {
    kind: "account_revoked",
    subject,
    entry_id: entryId,
    target: account,
    detail: revoked ? "its provider has ended its tokens" : "it is forgotten here alone",
  });
  return revoked;
}

function refuseLabel(account: string | null): void {
  if (account === null || (isAccountLabel(account) && !isSharedLabel(account))) return;
  throw fail(
    "plasm-bad-request",
    `account ${JSON.stringify(account)} is no label: small letters, digits, dot, - and _, at most 32, a letter or digit first.`,
  );
}

/** Does work on what is stored; what callers can be told is told. */
async function telling<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof SignInError) throw fail("plasm-upstream-error", thrown.message);
    if (thrown instanceof ShareError) throw fail("plasm-bad-request", thrown.message);
    if (thrown instanceof StoredSecretError)
      throw fail(
        "plasm-upstream-auth",
        `The server cannot keep or read tokens now (${thrown.brief}); its operator finds out why with plasm auth list.`,
      );
    throw thrown;
  }
}
