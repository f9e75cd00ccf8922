import type { Account, Team } from "./account.ts";
import type { Repository } from "./repository.ts";

/** All that the server knows. Its routes change it in place. */
export interface Data {
  readonly accounts: Account[];
  readonly teams: Team[];
  readonly repositories: Repository[];
  /** tokens by what they are; each acts as the person of that login */
  readonly tokens: Readonly<Record<string, string>>;
  /** the next id of anything: GitHub's are unique within a kind, these are in all */
  nextId: number;
}

export function takeId(data: Data): number {
  data.nextId += 1;
  return data.nextId - 1;
}
