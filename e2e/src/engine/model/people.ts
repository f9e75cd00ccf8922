import type { Caller } from "@plasm/agent-core";

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

/** People of a tenant whose calls use their own: one may act for another, and one stands for nobody (SURF-24). */
const DELEGATING: readonly Person[] = [
  { ...ann, connected: true },
  { ...bob, connected: true },
  { ...ann, actAs: ["bob"] },
  { subject: "desk", connected: true, service: true, actAs: ["ann", "bob"] },
];

/** Users whose sessions there are, each with its own where calls are delegated. */
export const USERS = ["ann", "bob"] as const;
/** Whom a context may name: the users, and one for whom nobody may act. */
export const NAMED = [...USERS, "eve"] as const;

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
export const usersOf = ({ subject, service = false, actAs = [] }: Caller): readonly string[] => [
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

/** Whether a session is one of a caller: of its tenant, and of a user it may act for (SESS-38, SURF-24). */
export const reaches = (
  caller: Caller,
  { scope, user }: { readonly scope: string; readonly user: string | null },
): boolean => caller.scope === scope && (user === null || usersOf(caller).includes(user));

/** What requests for a user carry; null is whoever shares the deployment's. */
export const credentialOf = (user: string | null): string =>
  user === null ? "of-the-deployment" : `of-${user}`;
