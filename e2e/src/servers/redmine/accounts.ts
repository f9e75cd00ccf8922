import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ACCOUNTS_FILE = join(import.meta.dirname, "accounts.json");

const ADMIN = "admin";

/** The API key of a seeded account: 40 hex digits, the same that seed.rb stores. */
export const apiKey = (login: string): string =>
  createHash("sha1").update(`redmine key of ${login}`).digest("hex");

/** Keys of the seeded accounts: the administrator's, and the others' by login. */
export function seededKeys(): {
  readonly adminKey: string;
  readonly userKeys: Readonly<Record<string, string>>;
} {
  const accounts = JSON.parse(readFileSync(ACCOUNTS_FILE, "utf8")) as readonly { login: string }[];
  const others = accounts.map((account) => account.login).filter((login) => login !== ADMIN);
  return {
    adminKey: apiKey(ADMIN),
    userKeys: Object.fromEntries(others.map((login) => [login, apiKey(login)])),
  };
}
