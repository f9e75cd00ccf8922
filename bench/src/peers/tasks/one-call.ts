import { github, type PeerTask, quay } from "../peer-task.ts";
import { first, type WireBoat, type WireIssue, type WirePage } from "./answers.ts";
import { CRANE, isPlainOpen, SEEDED, QUAY } from "./places.ts";

const ISSUES = "/repos/{owner}/{repo}/issues";

/** One request answers it. */
export const ONE_CALL: readonly PeerTask[] = [
  {
    name: "one issue",
    kind: "one call",
    question: "title and state of issue 42 of the repository harbour/quay",
    oracle: ({ repository }) =>
      repository("harbour/quay")
        .issues.filter(({ number }) => number === 42)
        .map(({ title, state }) => [title, state]),
    plasm: {
      seeds: [["github", "Issue"]],
      program: "Issue(owner=harbour, repo=quay, number=42)[title,state]",
    },
    operations: [`GET ${ISSUES}/{issue_number}`],
    code: `async () => {
  const { title, state } = await codemode.request({ method: "GET", path: "/repos/harbour/quay/issues/42" });
  return { title, state };
}`,
    *rest() {
      const call = github(`GET ${ISSUES}/{issue_number}`, { ...QUAY, issue_number: 42 });
      const { title, state } = first<WireIssue>(yield [call]);
      return { title, state };
    },
  },
  {
    name: "ten open bugs",
    kind: "one call",
    question: "number and title of the ten newest open issues labelled bug in harbour/quay",
    oracle: ({ repository }) =>
      repository("harbour/quay")
        .issues.filter((issue) => isPlainOpen(issue) && issue.labels.includes("bug"))
        .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
        .slice(0, 10)
        .map(({ number, title }) => [String(number), title]),
    plasm: {
      seeds: [["github", "Issue"]],
      program: "Issue{owner=harbour, repo=quay, state=open, labels=[bug]}.limit(10)[number,title]",
    },
    operations: [`GET ${ISSUES}`],
    code: `async () => {
  const issues = await codemode.request({ method: "GET", path: "/repos/harbour/quay/issues", query: { state: "open", labels: "bug", per_page: 10 } });
  return issues.map(({ number, title }) => ({ number, title }));
}`,
    *rest() {
      const query = { state: "open", labels: "bug", per_page: 10 };
      const issues = first<readonly WireIssue[]>(yield [github(`GET ${ISSUES}`, QUAY, { query })]);
      return issues.map(({ number, title }) => ({ number, title }));
    },
  },
  {
    name: "open issues counted",
    kind: "one call",
    question: "how many issues are open in harbour/crane, pull requests left out",
    oracle: ({ repository }) => [
      [String(repository("harbour/crane").issues.filter(isPlainOpen).length)],
    ],
    plasm: {
      seeds: [["github", "Issue"]],
      program: "Issue{owner=harbour, repo=crane, state=open, pull_request=null}.aggregate(n=count)",
    },
    operations: ["GET /search/issues"],
    code: `async () => {
  const found = await codemode.request({ method: "GET", path: "/search/issues", query: { q: "repo:harbour/crane is:issue is:open", per_page: 1 } });
  return found.total_count;
}`,
    *rest() {
      const query = { q: "repo:harbour/crane is:issue is:open", per_page: 1 };
      const found = first<{ readonly total_count: number }>(
        yield [github("GET /search/issues", {}, { query })],
      );
      return found.total_count;
    },
  },
  {
    name: "a repository",
    kind: "one call",
    question: "main language and number of stars of the repository harbour/crane",
    oracle: ({ repository }) => {
      const { language, stars } = repository("harbour/crane");
      return [[language ?? "", String(stars)]];
    },
    plasm: {
      seeds: [["github", "Repository"]],
      program: "Repository(owner=harbour, repo=crane)[language,stargazers_count]",
    },
    operations: ["GET /repos/{owner}/{repo}"],
    code: `async () => {
  const { language, stargazers_count } = await codemode.request({ method: "GET", path: "/repos/harbour/crane" });
  return { language, stargazers_count };
}`,
    *rest() {
      const found = first<{ readonly language: string; readonly stargazers_count: number }>(
        yield [github("GET /repos/{owner}/{repo}", CRANE)],
      );
      return { language: found.language, stars: found.stargazers_count };
    },
  },
  {
    name: "releases",
    kind: "one call",
    question: "tag and date of publication of each release of harbour/quay",
    oracle: ({ repository }) =>
      repository("harbour/quay").releases.map(({ tag, publishedAt }) => [tag, publishedAt ?? ""]),
    plasm: {
      seeds: [["github", "Release"]],
      program: "Release{owner=harbour, repo=quay}[tag,published_at]",
    },
    operations: ["GET /repos/{owner}/{repo}/releases"],
    code: `async () => {
  const releases = await codemode.request({ method: "GET", path: "/repos/harbour/quay/releases" });
  return releases.map(({ tag_name, published_at }) => ({ tag_name, published_at }));
}`,
    *rest() {
      const releases = first<
        readonly { readonly tag_name: string; readonly published_at: string }[]
      >(yield [github("GET /repos/{owner}/{repo}/releases", QUAY)]);
      return releases.map((release) => ({ tag: release.tag_name, at: release.published_at }));
    },
  },
  {
    name: "labels",
    kind: "one call",
    question: "names of the labels of harbour/quay",
    oracle: ({ repository }) => repository("harbour/quay").labels.map(({ name }) => [name]),
    plasm: { seeds: [["github", "Label"]], program: "Label{owner=harbour, repo=quay}[name]" },
    operations: ["GET /repos/{owner}/{repo}/labels"],
    code: `async () => {
  const labels = await codemode.request({ method: "GET", path: "/repos/harbour/quay/labels" });
  return labels.map(({ name }) => ({ name }));
}`,
    *rest() {
      const labels = first<readonly { readonly name: string }[]>(
        yield [github("GET /repos/{owner}/{repo}/labels", QUAY)],
      );
      return labels.map(({ name }) => ({ name }));
    },
  },
  {
    name: "a new issue",
    kind: "one call",
    question: "open an issue in harbour/crane titled Rope frays, labelled bug",
    oracle: () => [["Rope frays", "bug"]],
    after: ({ repository }) =>
      repository("harbour/crane")
        .issues.slice(SEEDED.crane)
        .map(({ title, labels }) => [title, labels.join()]),
    plasm: {
      seeds: [["github", "Issue"]],
      program: 'Issue.create(owner=harbour, repo=crane, title="Rope frays", labels=[bug])[number]',
    },
    operations: [`POST ${ISSUES}`],
    code: `async () => {
  const { number } = await codemode.request({ method: "POST", path: "/repos/harbour/crane/issues", body: { title: "Rope frays", labels: ["bug"] } });
  return { number };
}`,
    *rest() {
      const body = { title: "Rope frays", labels: ["bug"] };
      yield [github(`POST ${ISSUES}`, CRANE, { body })];
      return null;
    },
  },
  {
    name: "lost boats",
    kind: "one call",
    question: "name and owner of the boats that are lost",
    oracle: async (world) => {
      const page = (await world.quay("/boats?state=lost&per_page=100")) as WirePage<WireBoat>;
      return page.items.map(({ name, owner }) => [name, owner ?? ""]);
    },
    plasm: { seeds: [["quay", "Boat"]], program: "Boat{state=lost}[name,owner]" },
    operations: ["GET /quay/boats"],
    code: `async () => {
  const { items } = await codemode.request({ method: "GET", path: "/quay/boats", query: { state: "lost", per_page: 100 } });
  return items.map(({ name, owner }) => ({ name, owner }));
}`,
    *rest() {
      const query = { state: "lost", per_page: 100 };
      const { items } = first<WirePage<WireBoat>>(yield [quay("GET /boats", {}, { query })]);
      return items.map(({ name, owner }) => ({ name, owner }));
    },
  },
];
