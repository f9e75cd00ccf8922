/**
 * A browser that somebody has signed in with to the console (SURF-32). Its id is whose it is, a slash, and the SHA-256 of the secret
 * in its cookie.
 */
export interface ConsoleSessionRecord {
  readonly tenant: string;
  /** SHA-256 of what its page sends with each call */
  readonly page: string;
  /** the credentials of the sign-in, sealed with a key that only the secret in the cookie gives */
  readonly sealed: string;
  /** in ms by the store's clock */
  readonly until: number;
}
