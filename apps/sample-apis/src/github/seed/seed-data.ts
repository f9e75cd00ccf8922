import type { Account, Team } from "../data/account.ts";
import type { Data } from "../data/data.ts";
import { seedIssues } from "./seed-issues.ts";
import { seedRepository } from "./seed-repository.ts";

const CREATED = "2024-01-08T09:00:00Z";

interface Person {
  readonly login: string;
  readonly name: string;
  readonly location: string | null;
}

const PEOPLE: readonly Person[] = [
  { login: "ann", name: "Ann Aalto", location: "Turku" },
  { login: "bjorn", name: "Björn Berg", location: "Bergen" },
  { login: "carla", name: "Carla Costa", location: null },
  { login: "dmitri", name: "Dmitri Dahl", location: "Dalen" },
];

const account = (
  id: number,
  over: Partial<Account> & Pick<Account, "login" | "type">,
): Account => ({
  id,
  name: null,
  company: null,
  location: null,
  email: null,
  bio: null,
  createdAt: CREATED,
  members: [],
  ...over,
});

function seedAccounts(): Account[] {
  const people = PEOPLE.map((person, at) => account(at + 1, { ...person, type: "User" }));
  const members = PEOPLE.map(({ login }) => login);
  const harbour = account(9, {
    login: "harbour",
    type: "Organization",
    name: "Harbour Works",
    bio: "Software for small harbours",
    location: "Turku",
    members,
  });
  return [...people, harbour];
}

const TEAMS: readonly Omit<Team, "id">[] = [
  {
    org: "harbour",
    slug: "pilots",
    name: "Pilots",
    description: "They review what goes out",
    privacy: "closed",
    members: ["ann", "bjorn"],
    repositories: ["harbour/quay"],
  },
  {
    org: "harbour",
    slug: "crane-crew",
    name: "Crane crew",
    description: null,
    privacy: "closed",
    members: ["carla", "dmitri"],
    repositories: ["harbour/crane"],
  },
];

const copy = (team: Omit<Team, "id">, at: number): Team => ({
  ...team,
  id: 20 + at,
  members: [...team.members],
  repositories: [...team.repositories],
});

/**
 * Four people of one organisation, its three repositories (one with 262 issues and pull requests, one
 * private), and a repository of one of them. The same at every call, and nothing of it is shared.
 */
export function seedData(): Data {
  const data: Data = {
    accounts: seedAccounts(),
    teams: TEAMS.map(copy),
    repositories: [
      seedRepository(101, { owner: "harbour", name: "quay", language: "TypeScript", stars: 120 }),
      seedRepository(102, { owner: "harbour", name: "crane", language: "Rust", stars: 45 }),
      seedRepository(103, {
        owner: "harbour",
        name: "vault",
        language: "Go",
        stars: 0,
        private: true,
      }),
      seedRepository(104, { owner: "ann", name: "dotfiles", language: "Shell", stars: 3 }),
    ],
    tokens: Object.fromEntries(PEOPLE.map(({ login }) => [`token-of-${login}`, login])),
    nextId: 100_000,
  };
  for (const repository of data.repositories) seedIssues(repository);
  return data;
}
