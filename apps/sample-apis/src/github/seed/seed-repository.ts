import { makeSha } from "../data/make-sha.ts";
import type {
  Branch,
  Commit,
  Release,
  Repository,
  Workflow,
  WorkflowRun,
} from "../data/repository.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 5, 8);

/** So many days after the fifth of January 2026, in the morning. */
export const day = (days: number): string =>
  new Date(START + days * DAY_MS).toISOString().replace(/\.\d+Z$/, "Z");

const PEOPLE = ["ann", "bjorn", "carla", "dmitri"] as const;

/** One of the four, in turns. */
export const person = (at: number): string => PEOPLE[at % PEOPLE.length] ?? "ann";

const SUBJECTS = [
  "Add the mooring table",
  "Fix the tide offset",
  "Read wind speed in knots",
  "Draw berths to scale",
  "Warn of low water",
  "Drop the old ledger",
];

type Given = Pick<Repository, "owner" | "name" | "language" | "stars"> & {
  readonly private?: boolean;
};

/** Commits of the main line, oldest first, each on the one before it. */
function mainLine({ owner, name }: Given, count: number): Commit[] {
  const shaAt = (at: number): string => makeSha(`${owner}/${name} main ${at}`);
  return Array.from({ length: count }, (_none, at) => ({
    sha: shaAt(at),
    message: `${SUBJECTS[at % SUBJECTS.length]}${at < SUBJECTS.length ? "" : ` (${at})`}`,
    author: person(at),
    date: day(at),
    parents: at === 0 ? [] : [shaAt(at - 1)],
    files: [
      {
        path: `src/part-${at % 5}.ts`,
        status: "modified" as const,
        additions: at + 1,
        deletions: 1,
      },
    ],
  }));
}

/** A branch of two commits on the main line's last. */
function branchOff({ owner, name }: Given, branch: string, from: Commit): Commit[] {
  const shaAt = (at: number): string => makeSha(`${owner}/${name} ${branch} ${at}`);
  return [0, 1].map((at) => ({
    sha: shaAt(at),
    message: `${branch}: step ${at + 1}`,
    author: person(at + branch.length),
    date: day(40 + at),
    parents: [at === 0 ? from.sha : shaAt(0)],
    files: [{ path: `src/${branch}.ts`, status: "added", additions: 10 + at, deletions: at }],
  }));
}

export const BRANCHES = ["tide-gauge", "night-mode", "radio-log", "spare-berth"] as const;

const FILES = (name: string): readonly (readonly [string, string])[] => [
  ["README.md", `# ${name}\n\nPart of Harbour Works.\n`],
  ["package.json", `{"name":"${name}","version":"1.2.0"}\n`],
  ["docs/mooring.md", "# Mooring\n\nTwo lines, one spring.\n"],
  ["src/tide.ts", "export const tideOffset = (minutes: number): number => minutes + 12;\n"],
  ["src/berth.ts", "export const berths = 40;\n"],
];

function seedBranches(given: Given, last: Commit) {
  const off = BRANCHES.map((name) => ({ name, commits: branchOff(given, name, last) }));
  const branches: Branch[] = off.map(({ name, commits }) => {
    return { name, sha: commits.at(-1)?.sha ?? last.sha, protected: false };
  });
  return {
    branches: [{ name: "main", sha: last.sha, protected: true }, ...branches],
    commits: off.flatMap(({ commits }) => commits),
  };
}

const seedRelease = (id: number, name: string, tag: string, at: number): Release => ({
  id: id * 100 + 10 + at,
  author: "ann",
  tag,
  target: "main",
  name: `${name} ${tag}`,
  body: `What is new in ${tag}.`,
  draft: false,
  prerelease: false,
  createdAt: day(12 + 12 * at),
  publishedAt: day(12 + 12 * at),
});

const seedWorkflow = (id: number, name: string, at: number): Workflow => ({
  id: id * 100 + at,
  name,
  path: `.github/workflows/${name.toLowerCase()}.yml`,
  state: "active",
  createdAt: day(0),
});

/** A build of one commit; every fourth failed. */
const seedRun = (id: number, commit: Commit, at: number): WorkflowRun => ({
  id: id * 100 + 20 + at,
  number: at + 1,
  workflow: id * 100 + (at % 2),
  title: commit.message,
  branch: "main",
  sha: commit.sha,
  event: "push",
  actor: person(at),
  status: "completed",
  conclusion: at % 4 === 3 ? "failure" : "success",
  attempt: 1,
  createdAt: day(at),
  updatedAt: day(at),
});

/** A repository with code, branches, releases and builds, without issues. */
export function seedRepository(id: number, given: Given): Repository {
  const commits = mainLine(given, 36);
  const last = commits.at(-1);
  if (last === undefined) throw new Error("a main line has commits");
  const off = seedBranches(given, last);
  const tags = [12, 24].map((at, index) => {
    return { name: `v1.${index}.0`, sha: commits[at]?.sha ?? last.sha };
  });
  return {
    id,
    description: `${given.name} of Harbour Works`,
    private: false,
    fork: false,
    archived: false,
    topics: ["harbour", given.name],
    forks: 2,
    defaultBranch: "main",
    createdAt: day(0),
    updatedAt: day(50),
    pushedAt: day(41),
    collaborators: [...PEOPLE],
    ...given,
    labels: [],
    milestones: [],
    issues: [],
    comments: [],
    reviews: [],
    reviewComments: [],
    commits: [...commits, ...off.commits],
    branches: off.branches,
    tags,
    releases: tags.map(({ name }, at) => seedRelease(id, given.name, name, at)),
    workflows: ["Check", "Publish"].map((name, at) => seedWorkflow(id, name, at)),
    checks: [],
    runs: commits.slice(0, 12).map((commit, at) => seedRun(id, commit, at)),
    files: new Map(FILES(given.name)),
  };
}
