import type { ApiCall } from "@plasm/testkit/servers";

/** A person's account with the API, whose sign-in a program uses: the name that the API knows. */
export interface Account {
  readonly principal: string;
  readonly label: string;
  readonly person: string;
}

/** What a program asks of the API: one boat of its own, whose id says whose token may fetch it. */
export const boatOf = ({ person }: Account, n: number): string => `${person}.${n}`;

/** Requests that went out with a token that is not of whom the program is of; nothing where all are right. */
export const wrongTokens = (calls: readonly ApiCall[]): readonly ApiCall[] =>
  calls.filter(({ path, person }) => {
    const [, owner] = /^\/boats\/([^/?]+)\.\d+(?:[/?]|$)/.exec(path) ?? [];
    // Without a good token nothing is shown, and nobody is taken for another.
    return person !== null && person !== owner;
  });

/** What a program was told that is of another account than its own: rows say whose token fetched them. */
export const foreignRows = (
  text: string,
  { person }: Account,
  all: readonly Account[],
): readonly string[] =>
  all.flatMap((other) =>
    other.person !== person && text.includes(other.person) ? [other.person] : [],
  );
