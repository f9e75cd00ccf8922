import { github, type PeerTask, quay } from "../peer-task.ts";
import type { PeersWorld } from "../peers-world.ts";
import {
  all,
  first,
  type WireBoat,
  type WireComment,
  type WireCommit,
  type WireIssue,
  type WireUser,
} from "./answers.ts";
import { isPlainOpen, QUAY } from "./places.ts";

const REPO = "/repos/{owner}/{repo}";

/** Who somebody is, as the server knows. */
const person = ({ github: server }: PeersWorld, login: string | undefined) =>
  server.data.accounts.find((account) => account.login === login);

const nameOf = (world: PeersWorld, login: string | undefined): string =>
  person(world, login)?.name ?? "";

/** Each request follows from the one before it. */
export const CHAINS: readonly PeerTask[] = [
  {
    name: "the last comment's author",
    kind: "chain of three",
    question:
      "name and location of the user who wrote the last comment on the newest open issue labelled tide and feature in harbour/quay",
    oracle: (world) => {
      const { issues, comments } = world.repository("harbour/quay");
      const newest = issues
        .filter(
          (issue) =>
            isPlainOpen(issue) && ["tide", "feature"].every((l) => issue.labels.includes(l)),
        )
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
      const last = comments.findLast(({ number }) => number === newest?.number);
      const { name, location } = person(world, last?.author) ?? {};
      return [[name ?? "", location ?? ""]];
    },
    plasm: {
      seeds: [
        ["github", "Issue"],
        ["github", "Comment"],
        ["github", "User"],
      ],
      program: `i = Issue{owner=harbour, repo=quay, state=open, labels=[tide, feature]}.limit(1)
i.comments.sort(created_at desc).limit(1).author[name,location]`,
    },
    operations: [
      `GET ${REPO}/issues`,
      `GET ${REPO}/issues/{issue_number}/comments`,
      "GET /users/{username}",
    ],
    code: `async () => {
  const get = (path, query) => codemode.request({ method: "GET", path, query });
  const [issue] = await get("/repos/harbour/quay/issues", { state: "open", labels: "tide,feature", per_page: 1 });
  const comments = await get(\`/repos/harbour/quay/issues/\${issue.number}/comments\`);
  const { name, location } = await get(\`/users/\${comments.at(-1).user.login}\`);
  return { name, location };
}`,
    *rest() {
      const query = { state: "open", labels: "tide,feature", per_page: 1 };
      const [issue] = first<readonly WireIssue[]>(
        yield [github(`GET ${REPO}/issues`, QUAY, { query })],
      );
      const of = { ...QUAY, issue_number: issue?.number ?? 0 };
      const comments = first<readonly WireComment[]>(
        yield [github(`GET ${REPO}/issues/{issue_number}/comments`, of)],
      );
      const username = comments.at(-1)?.user.login ?? "";
      const { name, location } = first<WireUser>(
        yield [github("GET /users/{username}", { username })],
      );
      return { name, location };
    },
  },
  {
    name: "who wrote the released commit",
    kind: "chain of three",
    question:
      "name of the user who wrote the commit that the latest release of harbour/quay is made of",
    oracle: (world) => {
      const { releases, tags, commits } = world.repository("harbour/quay");
      const latest = releases.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
      const sha = tags.find(({ name }) => name === latest?.tag)?.sha;
      return [[nameOf(world, commits.find((commit) => commit.sha === sha)?.author)]];
    },
    plasm: {
      seeds: [
        ["github", "Release"],
        ["github", "Commit"],
        ["github", "User"],
      ],
      program: `r = Release.latest(owner=harbour, repo=quay)
Commit(owner=harbour, repo=quay, sha=r.tag).author[name]`,
    },
    operations: [
      `GET ${REPO}/releases/latest`,
      `GET ${REPO}/commits/{ref}`,
      "GET /users/{username}",
    ],
    code: `async () => {
  const get = (path) => codemode.request({ method: "GET", path });
  const { tag_name } = await get("/repos/harbour/quay/releases/latest");
  const { author } = await get(\`/repos/harbour/quay/commits/\${tag_name}\`);
  const { name } = await get(\`/users/\${author.login}\`);
  return { name };
}`,
    *rest() {
      const release = first<{ readonly tag_name: string }>(
        yield [github(`GET ${REPO}/releases/latest`, QUAY)],
      );
      const at = { ...QUAY, ref: release.tag_name };
      const commit = first<WireCommit>(yield [github(`GET ${REPO}/commits/{ref}`, at)]);
      const username = commit.author.login;
      return { name: first<WireUser>(yield [github("GET /users/{username}", { username })]).name };
    },
  },
  {
    name: "reviewers by name",
    kind: "chain of three",
    question: "names of the users who reviewed the newest open pull request of harbour/quay",
    oracle: (world) => {
      const { issues, reviews } = world.repository("harbour/quay");
      const pull = issues
        .filter((issue) => issue.state === "open" && issue.pull !== null)
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];
      return reviews
        .filter(({ number }) => number === pull?.number)
        .map(({ author }) => [nameOf(world, author)]);
    },
    plasm: {
      seeds: [
        ["github", "PullRequest"],
        ["github", "Review"],
        ["github", "User"],
      ],
      program: `p = PullRequest{owner=harbour, repo=quay, state=open}.limit(1)
p.reviews.limit(20).author[name]`,
    },
    operations: [
      `GET ${REPO}/pulls`,
      `GET ${REPO}/pulls/{pull_number}/reviews`,
      "GET /users/{username}",
    ],
    code: `async () => {
  const get = (path, query) => codemode.request({ method: "GET", path, query });
  const [pull] = await get("/repos/harbour/quay/pulls", { state: "open", per_page: 1 });
  const reviews = await get(\`/repos/harbour/quay/pulls/\${pull.number}/reviews\`);
  const users = await Promise.all(reviews.map((r) => get(\`/users/\${r.user.login}\`)));
  return users.map(({ name }) => ({ name }));
}`,
    *rest() {
      const query = { state: "open", per_page: 1 };
      const [pull] = first<readonly WireIssue[]>(
        yield [github(`GET ${REPO}/pulls`, QUAY, { query })],
      );
      const of = { ...QUAY, pull_number: pull?.number ?? 0 };
      const reviews = first<readonly WireComment[]>(
        yield [github(`GET ${REPO}/pulls/{pull_number}/reviews`, of)],
      );
      const users = reviews.map(({ user }) =>
        github("GET /users/{username}", { username: user.login }),
      );
      return all<WireUser>(yield users).map(({ name }) => ({ name }));
    },
  },
  {
    name: "where a boat is registered",
    kind: "chain of three",
    question: "city of the office that issued the registration paper of boat b1",
    oracle: async (world) => {
      const boat = (await world.quay("/boats/b1")) as WireBoat;
      const paper = (await world.quay(`/papers/${boat.papers?.id}`)) as { readonly office: string };
      const office = (await world.quay(`/offices/${paper.office}`)) as { readonly city: string };
      return [[office.city]];
    },
    plasm: {
      seeds: [
        ["quay", "Boat"],
        ["quay", "Paper"],
        ["quay", "Office"],
      ],
      program: 'Boat("b1").papers.office[city]',
    },
    operations: ["GET /quay/boats/{id}", "GET /quay/papers/{id}", "GET /quay/offices/{id}"],
    code: `async () => {
  const get = (path) => codemode.request({ method: "GET", path: \`/quay/\${path}\` });
  const { papers } = await get("boats/b1");
  const { office } = await get(\`papers/\${papers.id}\`);
  const { city } = await get(\`offices/\${office}\`);
  return { city };
}`,
    *rest() {
      const boat = first<WireBoat>(yield [quay("GET /boats/{id}", { id: "b1" })]);
      const paper = first<{ readonly office: string }>(
        yield [quay("GET /papers/{id}", { id: boat.papers?.id ?? "" })],
      );
      const office = first<{ readonly city: string }>(
        yield [quay("GET /offices/{id}", { id: paper.office })],
      );
      return { city: office.city };
    },
  },
];
