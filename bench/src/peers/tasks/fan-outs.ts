import { github, type PeerTask, quay } from "../peer-task.ts";
import type { PeersWorld } from "../peers-world.ts";
import {
  all,
  first,
  type WireBoat,
  type WireComment,
  type WireCommit,
  type WireIssue,
  type WirePage,
  type WireVisit,
} from "./answers.ts";
import { isPlainOpen, QUAY } from "./places.ts";

const REPO = "/repos/{owner}/{repo}";
const TWENTY = { query: { per_page: 20 } };

/** The first page of boats: twenty. */
async function boatsOf(world: PeersWorld): Promise<readonly WireBoat[]> {
  return ((await world.quay("/boats")) as WirePage<WireBoat>).items;
}

const newest = (world: PeersWorld, label: string) =>
  world
    .repository("harbour/quay")
    .issues.filter((issue) => isPlainOpen(issue) && issue.labels.includes(label))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, 20);

/** One list, then a request for each of its twenty rows. */
export const FAN_OUTS: readonly PeerTask[] = [
  {
    name: "who commented",
    kind: "fan-out of 20",
    question:
      "number of the issue and author of every comment on the 20 newest open issues labelled feature in harbour/quay",
    oracle: (world) => {
      const numbers = newest(world, "feature").map(({ number }) => number);
      return world
        .repository("harbour/quay")
        .comments.filter(({ number }) => numbers.includes(number))
        .map(({ number, author }) => [String(number), author]);
    },
    plasm: {
      seeds: [
        ["github", "Issue"],
        ["github", "Comment"],
      ],
      program: `i = Issue{owner=harbour, repo=quay, state=open, labels=[feature]}.limit(20)
i.comments[number,author]`,
    },
    operations: [`GET ${REPO}/issues`, `GET ${REPO}/issues/{issue_number}/comments`],
    code: `async () => {
  const path = "/repos/harbour/quay/issues";
  const issues = await codemode.request({ method: "GET", path, query: { state: "open", labels: "feature", per_page: 20 } });
  const comments = await Promise.all(issues.map(async ({ number }) =>
    (await codemode.request({ method: "GET", path: \`\${path}/\${number}/comments\` })).map((c) => ({ number, author: c.user.login }))));
  return comments.flat();
}`,
    *rest() {
      const query = { state: "open", labels: "feature", per_page: 20 };
      const issues = first<readonly WireIssue[]>(
        yield [github(`GET ${REPO}/issues`, QUAY, { query })],
      );
      const of = issues.map(({ number }) => ({ ...QUAY, issue_number: number }));
      const lists = all<readonly WireComment[]>(
        yield of.map((path) => github(`GET ${REPO}/issues/{issue_number}/comments`, path)),
      );
      return lists.flatMap((list, at) =>
        list.map(({ user }) => ({ number: issues[at]?.number, author: user.login })),
      );
    },
  },
  {
    name: "lines of each commit",
    kind: "fan-out of 20",
    question: "message and number of additions of the 20 newest commits of harbour/quay",
    oracle: (world) => {
      const { commits } = world.repository("harbour/quay");
      const main = commits.slice(0, 36).toReversed().slice(0, 20);
      return main.map(({ message, files }) => [
        message,
        String(files.reduce((sum, { additions }) => sum + additions, 0)),
      ]);
    },
    plasm: {
      seeds: [["github", "Commit"]],
      program: "Commit{owner=harbour, repo=quay}.limit(20)[message,additions]",
    },
    operations: [`GET ${REPO}/commits`, `GET ${REPO}/commits/{ref}`],
    code: `async () => {
  const path = "/repos/harbour/quay/commits";
  const list = await codemode.request({ method: "GET", path, query: { per_page: 20 } });
  const commits = await Promise.all(list.map(({ sha }) => codemode.request({ method: "GET", path: \`\${path}/\${sha}\` })));
  return commits.map(({ commit, stats }) => ({ message: commit.message, additions: stats.additions }));
}`,
    *rest() {
      const list = first<readonly WireCommit[]>(
        yield [github(`GET ${REPO}/commits`, QUAY, TWENTY)],
      );
      const each = list.map(({ sha }) =>
        github(`GET ${REPO}/commits/{ref}`, { ...QUAY, ref: sha }),
      );
      return all<WireCommit>(yield each).map(({ commit, stats }) => ({
        message: commit.message,
        additions: stats.additions,
      }));
    },
  },
  {
    name: "a label on twenty",
    kind: "fan-out of 20",
    question: "add the label triage to the 20 newest open issues labelled bug in harbour/quay",
    oracle: (world) => newest(world, "bug").map(({ number }) => [String(number)]),
    after: ({ repository }) =>
      repository("harbour/quay")
        .issues.filter(({ labels }) => labels.includes("triage"))
        .map(({ number }) => [String(number)]),
    plasm: {
      seeds: [["github", "Issue"]],
      program: `i = Issue{owner=harbour, repo=quay, state=open, labels=[bug]}.limit(20)
i => Issue(_).add-labels(labels=[triage])`,
    },
    operations: [`GET ${REPO}/issues`, `POST ${REPO}/issues/{issue_number}/labels`],
    code: `async () => {
  const path = "/repos/harbour/quay/issues";
  const issues = await codemode.request({ method: "GET", path, query: { state: "open", labels: "bug", per_page: 20 } });
  for (const { number } of issues) await codemode.request({ method: "POST", path: \`\${path}/\${number}/labels\`, body: { labels: ["triage"] } });
  return issues.length;
}`,
    *rest() {
      const query = { state: "open", labels: "bug", per_page: 20 };
      const issues = first<readonly WireIssue[]>(
        yield [github(`GET ${REPO}/issues`, QUAY, { query })],
      );
      const body = { labels: ["triage"] };
      yield issues.map(({ number }) =>
        github(
          `POST ${REPO}/issues/{issue_number}/labels`,
          { ...QUAY, issue_number: number },
          { body },
        ),
      );
      return null;
    },
  },
  {
    name: "days of twenty boats",
    kind: "fan-out of 20",
    question: "boat and day of every visit of the first 20 boats of the register",
    oracle: async (world) => {
      const boats = await boatsOf(world);
      const lists = boats.map(({ id }) =>
        world.quay(`/boats/${encodeURIComponent(id)}/visits?limit=100`),
      );
      const visits = (await Promise.all(lists)).flatMap(
        (list) => (list as { readonly visits: readonly WireVisit[] }).visits,
      );
      return visits.map(({ boat, day }) => [boat, day]);
    },
    plasm: {
      seeds: [
        ["quay", "Boat"],
        ["quay", "Visit"],
      ],
      program: "b = Boat.limit(20)\nb.visits[boat,day]",
    },
    operations: ["GET /quay/boats", "GET /quay/boats/{id}/visits"],
    code: `async () => {
  const { items } = await codemode.request({ method: "GET", path: "/quay/boats" });
  const lists = await Promise.all(items.map(({ id }) => codemode.request({ method: "GET", path: \`/quay/boats/\${encodeURIComponent(id)}/visits\`, query: { limit: 100 } })));
  return lists.flatMap(({ visits }) => visits.map(({ boat, day }) => ({ boat, day })));
}`,
    *rest() {
      const { items } = first<WirePage<WireBoat>>(yield [quay("GET /boats")]);
      const more = { query: { limit: 100 } };
      const lists = all<{ readonly visits: readonly WireVisit[] }>(
        yield items.map(({ id }) => quay("GET /boats/{id}/visits", { id }, more)),
      );
      return lists.flatMap(({ visits }) => visits.map(({ boat, day }) => ({ boat, day })));
    },
  },
];
