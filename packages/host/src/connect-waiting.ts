import { createHash, hkdfSync, randomBytes } from "node:crypto";

/** Entries of one person to one API at a time: the oldest goes first. */
const MOST_OF_PERSON = 10;
const MOST = 10_000;

export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
export const newSecret = (): string => randomBytes(32).toString("base64url");

/** What opens what was sealed with a secret. A store holds hashes of secrets alone, from which it does not follow. */
const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, "", "plasm console session", 32));

/** Seals content with a secret that whoever keeps it does not have. */
export async function sealed(
  secret: string,
  content: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { EncryptJWT } = await import("jose");
  const header = { alg: "dir", enc: "A256GCM" } as const;
  return new EncryptJWT(content).setProtectedHeader(header).encrypt(keyOf(secret));
}

/** Returns what was sealed with this secret; null for anything else. */
export async function opened<T>(secret: string, text: string): Promise<T | null> {
  const { errors, jwtDecrypt } = await import("jose");
  try {
    return (await jwtDecrypt(text, keyOf(secret))).payload as T;
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return null;
    throw thrown;
  }
}

/** What waits for a person, by a hash of the secret that opens it; in memory only, so that no copy of a store opens one. */
export class Waiting<T extends { readonly until: number }> {
  readonly #entries = new Map<string, T>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(secret: string, entry: T, isSame: (other: T) => boolean): void {
    for (const [key, { until }] of this.#entries)
      if (until <= this.#now()) this.#entries.delete(key);
    const own = [...this.#entries].filter(([, other]) => isSame(other)).map(([key]) => key);
    const [oldest] = this.#entries.keys();
    if (own.length >= MOST_OF_PERSON) this.#entries.delete(own[0] ?? "");
    else if (this.#entries.size >= MOST) this.#entries.delete(oldest ?? "");
    this.#entries.set(hashOf(secret), entry);
  }

  get(secret: string): T | null {
    const found = this.#entries.get(hashOf(secret)) ?? null;
    return found !== null && found.until > this.#now() ? found : null;
  }

  some(is: (entry: T) => boolean): boolean {
    return [...this.#entries.values()].some((entry) => entry.until > this.#now() && is(entry));
  }

  /** Ends it; true for the first who does. */
  end(secret: string): boolean {
    return this.#entries.delete(hashOf(secret));
  }
}
