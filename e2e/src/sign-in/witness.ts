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

/** The text of an answer, whichever surface gave it as JSON. */
function answerIn(told: string): string {
  const value = JSON.parse(told) as {
    readonly text?: string;
    readonly detail?: string;
    readonly content?: readonly { readonly text?: string }[];
  };
  return value.text ?? value.detail ?? value.content?.[0]?.text ?? "";
}

/** The rows of the tables of an answer, a list of cells by their columns each. */
function rowsIn(answer: string): readonly ReadonlyMap<string, string>[] {
  return [...answer.matchAll(/^```tsv\n([^]*?)\n```$/gm)].flatMap(([, table = ""]) => {
    const [columns = [], ...rows] = table.split("\n").map((line) => line.split("\t"));
    return rows.map((cells) => new Map(cells.map((cell, n) => [columns[n] ?? "", cell])));
  });
}

/** Whether an answer is this very boat, of the account's own person, and nothing else; of an effect also that it was done. */
export function isRightAnswer(
  told: string,
  { person, label }: Account,
  boat: string,
  isEffect: boolean,
): boolean {
  const answer = answerIn(told);
  const rows = rowsIn(answer);
  const [row] = rows;
  if (rows.length !== 1 || row?.get("id") !== boat || row.get("name") !== person) return false;
  const lines = answer.split("\n");
  return (
    !isEffect ||
    [`done update quay.Boat ${boat}`, `accounts: quay as ${label}`].every((line) =>
      lines.includes(line),
    )
  );
}

/**
 * Whether a program did nothing for want of a token: a kill has cost a refresh token that was spent and not kept, its person has signed in
 * anew meanwhile, or a token ended again before it was used. It may be run again, as such an answer says of effects.
 */
export const hasLostSignIn = (told: string): boolean => {
  const answer = answerIn(told);
  return /^failed at n1: auth_(?:refused|missing)/.test(answer) && !/^done /m.test(answer);
};
