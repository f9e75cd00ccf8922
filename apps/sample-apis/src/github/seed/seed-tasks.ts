import type { Data } from "../data/data.ts";
import type { Issue } from "../data/issue.ts";
import type { Repository } from "../data/repository.ts";
import { seedData } from "./seed-data.ts";
import { day } from "./seed-repository.ts";

const FIRST = 262;
const COUNT = 120;

/** Pull requests that a machine opens: some were touched long ago, some are drafts. */
function machinePulls(repository: Repository): Issue[] {
  const main = repository.branches.find(({ name }) => name === "main")?.sha ?? "";
  const head = repository.branches.find(({ name }) => name === "spare-berth");
  const [commit = ""] = repository.commits.slice(-1).map(({ sha }) => sha);
  return Array.from({ length: COUNT }, (_none, at) => {
    const number = FIRST + at;
    const made = day(14 + Math.floor(at / 3));
    return {
      id: repository.id * 10_000 + number,
      number,
      author: "dmitri",
      title: `Bump part ${at + 1}`,
      body: null,
      state: "open",
      stateReason: null,
      assignees: at % 20 === 0 ? ["carla"] : [],
      labels: at % 6 === 0 ? ["docs"] : [],
      milestone: null,
      locked: false,
      createdAt: made,
      // Each fifth was not looked at since it was opened.
      updatedAt: at % 5 === 0 ? made : day(56 + (at % 4)),
      closedAt: null,
      closedBy: null,
      pull: {
        draft: at % 8 === 7,
        head: { ref: `bump-${at + 1}`, sha: head?.sha ?? commit },
        base: { ref: "main", sha: main },
        mergedAt: null,
        mergedBy: null,
        mergeSha: null,
        requestedReviewers: at % 10 === 0 ? ["ann"] : [],
        commits: [commit],
      },
    };
  });
}

/** A draft, which is not published, and what is published before the release of the same name. */
function addReleases(repository: Repository): void {
  const shared = { author: "ann", target: "main", body: null };
  const id = repository.id * 100 + 15;
  repository.releases.push(
    {
      ...shared,
      id,
      tag: "v1.2.0-rc.1",
      name: "Candidate of 1.2",
      draft: false,
      prerelease: true,
      createdAt: day(40),
      publishedAt: day(40),
    },
    {
      ...shared,
      id: id + 1,
      tag: "v1.2.0",
      name: "1.2",
      draft: false,
      prerelease: false,
      createdAt: day(47),
      publishedAt: day(47),
    },
    {
      ...shared,
      id: id + 2,
      tag: "v1.3.0",
      name: "1.3, in the making",
      draft: true,
      prerelease: false,
      createdAt: day(52),
      publishedAt: null,
    },
  );
}

/** The data of tasks: `seedData`, with more pull requests than a page has, drafts of releases, and a second look of a reviewer. */
export function seedTasks(): Data {
  const data = seedData();
  const [quay] = data.repositories;
  if (quay === undefined) throw new Error("there is no repository");
  quay.issues.push(...machinePulls(quay));
  for (const issue of quay.issues)
    if (issue.pull === null && issue.number % 35 === 0) issue.assignees.push("carla");
  addReleases(quay);
  const first = quay.reviews.find(({ author, number }) => author === "carla" && number === 259);
  if (first !== undefined)
    quay.reviews.push({
      ...first,
      id: first.id + 5,
      state: "COMMENTED",
      body: "One more thing.",
      submittedAt: day(44),
    });
  return data;
}
