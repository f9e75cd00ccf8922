import type { Caller } from "@plasm/agent-core";
import { principalOf } from "@plasm/agent-core/internal";
import type { Place } from "./place.ts";

/** Someone who calls, as credentials tell. */
type Person = Omit<Caller, "scope" | "connection"> & { readonly connected: boolean };

const ann = { subject: "ann", connected: false };
const bob = { subject: "bob", connected: false };

/** People of a tenant whose calls use the deployment's credentials. */
const SHARING: readonly Person[] = [
  { ...ann, connected: true },
  { ...bob, connected: true },
  ann,
  bob,
];

/**
 * People of a tenant whose calls use their own: one of them may act for another, who never calls, and one stands for
 * nobody (SURF-24).
 */
const DELEGATING: readonly Person[] = [
  { ...ann, connected: true },
  { subject: "eve", connected: true },
  { ...ann, actAs: ["bob"] },
  { subject: "desk", connected: true, service: true, actAs: ["ann", "bob"] },
];

/** Users whose sessions there are, each with its own where calls are delegated; contexts may name them. */
export const USERS = ["ann", "bob", "eve"] as const;

/** How many call in one world. */
export const CLIENTS = SHARING.length + DELEGATING.length;

/** The clients of one world, which no other meets. */
export const clientsOf = (world: number): readonly Caller[] =>
  [...SHARING, ...DELEGATING].map(({ connected, ...person }, at) => ({
    ...person,
    scope: `w${world}-${at < SHARING.length ? "a" : "b"}`,
    connection: connected ? `w${world}-c${at}` : null,
  }));

export const isDelegated = ({ scope }: Pick<Caller, "scope">): boolean => scope.endsWith("-b");

/** Whom a caller may act for (SURF-24). */
const usersOf = ({ subject, service = false, actAs = [] }: Caller): readonly string[] => [
  ...(service || subject === null ? [] : [subject]),
  ...actAs,
];

/** Whose calls a context's are, or the code that it is refused with (SURF-24). */
export function userOfContext(
  caller: Caller,
  named: string | null,
): { readonly user: string | null } | { readonly refused: string } {
  const users = usersOf(caller);
  if (named !== null && !users.includes(named)) return { refused: "plasm-policy-denied" };
  if (!isDelegated(caller)) return { user: null };
  const user = named ?? (caller.service === true ? null : caller.subject);
  return user === null ? { refused: "plasm-principal-required" } : { user };
}

/**
 * Whether a session is one that a caller may come to have: of its tenant, of a user it may act for, and where it has no
 * intent, its own (SESS-38, SURF-24).
 */
export const reaches = (
  caller: Caller,
  { scope, user, opener }: Pick<Place, "scope" | "user" | "opener">,
): boolean =>
  caller.scope === scope &&
  (user === null || usersOf(caller).includes(user)) &&
  (opener === null || opener === principalOf(caller));

/** Whose account a user's calls are on at an API; null is whoever shares the deployment's. */
export const accountName = (user: string | null): string => user ?? "everyone";

/** The secret of an account, which no answer shows. */
export const credentialOf = (user: string | null): string => `credential-of-${accountName(user)}`;

/** Whose account a request is on by the header that it carries. */
export const accountOf = (authorization: string | null): string =>
  authorization?.replace(/^Bearer credential-of-/, "") ?? "nobody";
