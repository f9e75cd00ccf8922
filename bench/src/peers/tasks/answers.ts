/** Members of the APIs' answers that scripts read, as a model would see them. */
export interface WireIssue {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly user: { readonly login: string };
}

export interface WireComment {
  readonly body: string;
  readonly user: { readonly login: string };
}

export interface WireUser {
  readonly login: string;
  readonly name: string | null;
  readonly location: string | null;
}

export interface WireCommit {
  readonly sha: string;
  readonly commit: { readonly message: string };
  readonly author: { readonly login: string };
  readonly stats: { readonly additions: number };
}

export interface WireBoat {
  readonly id: string;
  readonly name: string;
  readonly owner: string | null;
  readonly length: number | string | null;
  readonly note: string | null;
  readonly papers: { readonly id: string } | null;
}

export interface WirePerson {
  readonly login: string;
  readonly name: string;
  readonly boats: number;
}

export interface WireVisit {
  readonly boat: string;
  readonly day: string;
  readonly fee: number | string | null;
}

export interface WirePage<Row> {
  readonly items: readonly Row[];
  readonly total: number;
}

/** The first answer of a turn; the script knows what it asked for. */
export const first = <Answer>(answers: readonly unknown[]): Answer => answers[0] as Answer;

/** All answers of a turn. */
export const all = <Answer>(answers: readonly unknown[]): readonly Answer[] =>
  answers as readonly Answer[];
