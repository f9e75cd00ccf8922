import { sharedKey } from "./credential-help.ts";
import { signInIn } from "./envelope.ts";
import type { CredentialOwner, SharedWith, StoredCredential } from "./credential-records.ts";

interface SharedFiles {
  owners(): readonly (CredentialOwner & { readonly shared?: SharedWith })[];
  read(owner: CredentialOwner): string | undefined;
  storedOf(owner: CredentialOwner): StoredCredential | null;
  write(
    owner: CredentialOwner,
    value: string,
    how: "shared",
    by: string,
    shared: SharedWith,
  ): Promise<void>;
  remove(owner: CredentialOwner, by: string): Promise<boolean>;
}

interface Turns {
  changing<T>(change: () => Promise<T>): Promise<T>;
  refreshing<T>(owner: CredentialOwner, work: () => Promise<T>): Promise<T | null>;
}

/** Who may use an account from now on, of those who may so far. */
export type ChangeOfUsers = (users: readonly string[]) => readonly string[];

/** Why an account is not shared. */
export class ShareError extends Error {
  override readonly name = "ShareError";
}

interface Sharing {
  readonly owner: CredentialOwner;
  readonly by: string;
  readonly change: ChangeOfUsers;
}

const targetOf = ({ key, tenant }: CredentialOwner): CredentialOwner => ({
  key: sharedKey(key),
  tenant,
  principal: null,
});

/** What stands for one sign-in however often it is refreshed: its id, else the secret itself. */
const identityOf = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : (signInIn(value) ?? value);

/** Throws where another account is shared under the label that this one would have. */
function refuseTaken(files: SharedFiles, owner: CredentialOwner): void {
  const to = targetOf(owner);
  const standing = to.key === owner.key ? null : files.storedOf(to);
  if (standing === null) return;
  // A process that died before it removed the one leaves both.
  const isHalfMoved =
    standing.shared?.by === owner.principal &&
    identityOf(files.read(to)) === identityOf(files.read(owner));
  if (!isHalfMoved) throw new ShareError("Another account is shared under this label already.");
}

/** One key of an account. */
async function shareKey(
  files: SharedFiles,
  { changing, refreshing }: Turns,
  { owner, by, change }: Sharing,
): Promise<StoredCredential | null> {
  const { principal } = owner;
  const to = targetOf(owner);
  const isMoved = to.key !== owner.key;
  // A refresh under way would be written back to what is gone.
  const done = await refreshing(owner, () =>
    changing(async () => {
      const value = files.read(owner);
      if (value === undefined) return { stored: null };
      refuseTaken(files, owner);
      const standing = files.storedOf(to);
      const users = [...new Set(change(standing?.shared?.users ?? []))].toSorted();
      await files.write(to, value, "shared", by, {
        by: standing?.shared?.by ?? principal,
        users,
      });
      if (isMoved) await files.remove(owner, by);
      return { stored: files.storedOf(to) };
    }),
  );
  if (done === null) throw new Error("another process is refreshing it, and has not ended in time");
  return done.stored;
}

/** See {@link CredentialFiles.share}. */
export async function shareIn(
  files: SharedFiles,
  turns: Turns,
  { owner, by, change }: Sharing,
): Promise<StoredCredential | null> {
  const { key, tenant, principal } = owner;
  if (tenant === null) throw new ShareError("What all tenants use is shared by none of them.");
  const own = files.storedOf(owner);
  if (own === null) return null;
  // Before anything is moved.
  refuseTaken(files, owner);
  const further = files
    .owners()
    .filter(
      (one) =>
        one.tenant === tenant &&
        one.principal === principal &&
        one.shared?.by === own.shared?.by &&
        one.key.startsWith(`${key}:`),
    );
  // Before the account itself: whoever shares again after a kill finds that where it was.
  for (const one of further) await shareKey(files, turns, { owner: one, by, change });
  return shareKey(files, turns, { owner, by, change });
}
