/** A person or an organisation; both own repositories. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: "User" | "Organization";
  readonly name: string | null;
  readonly company: string | null;
  readonly location: string | null;
  readonly email: string | null;
  readonly bio: string | null;
  readonly createdAt: string;
  /** logins; empty for people */
  readonly members: string[];
}

export interface Team {
  readonly id: number;
  readonly org: string;
  readonly slug: string;
  name: string;
  description: string | null;
  privacy: "secret" | "closed";
  /** logins */
  readonly members: string[];
  /** full names */
  readonly repositories: string[];
}
