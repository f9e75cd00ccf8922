import { sharedKey } from "./credential-help.ts";
import type { CredentialOwner, SharedWith, StoredCredential } from "./credential-records.ts";

interface SharedFiles {
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

/** See {@link CredentialFiles.share}. */
export async function shareIn(
  files: SharedFiles,
  { changing, refreshing }: Turns,
  {
    owner,
    by,
    change,
  }: { readonly owner: CredentialOwner; readonly by: string; readonly change: ChangeOfUsers },
): Promise<StoredCredential | null> {
  const { tenant, principal } = owner;
  const to = { key: sharedKey(owner.key), tenant, principal: null };
  const isMoved = to.key !== owner.key;
  if (tenant === null) throw new ShareError("What all tenants use is shared by none of them.");
  // A refresh under way would be written back to what is gone.
  const done = await refreshing(owner, () =>
    changing(async () => {
      const value = files.read(owner);
      const standing = files.storedOf(to);
      if (value === undefined) return { stored: null };
      if (isMoved && standing !== null)
        throw new ShareError("Another account is shared under this label already.");
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
