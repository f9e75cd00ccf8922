import { github, type PeerTask } from "./peer-task.ts";
import { first, type WireComment, type WireIssue } from "./tasks/answers.ts";
import { QUAY } from "./tasks/places.ts";

const ISSUES = "/repos/{owner}/{repo}/issues";
const PATH = "/repos/harbour/quay/issues";

/** One issue by its number. */
export const ONE_REQUEST: PeerTask = {
  name: "1 request",
  kind: "one call",
  question: "title of issue 42 of harbour/quay",
  oracle: () => [],
  plasm: {
    seeds: [["github", "Issue"]],
    program: "Issue(owner=harbour, repo=quay, number=42)[title]",
  },
  operations: [`GET ${ISSUES}/{issue_number}`],
  code: `async () => {
  const { title } = await codemode.request({ method: "GET", path: "${PATH}/42" });
  return { title };
}`,
  *rest() {
    const of = { ...QUAY, issue_number: 42 };
    return first<WireIssue>(yield [github(`GET ${ISSUES}/{issue_number}`, of)]).title;
  },
};

/** A list of issues as each side asks for it: all rows that match, in one page, so that all sides read the same. */
interface List {
  readonly source: string;
  readonly query: Readonly<Record<string, string | number>>;
}

/** The issues of a milestone, open and closed: nine. */
const MILESTONE: List = {
  source: "Issue{owner=harbour, repo=quay, milestone=2}",
  query: { milestone: "2", state: "all" },
};

/** Nearly a whole page of what is open. */
const OPEN: List = {
  source: "Issue{owner=harbour, repo=quay, state=open}.limit(99)",
  query: { state: "open", per_page: 99 },
};

/** A list, then the comments of each of its rows. */
const many = (requests: number, { source, query }: List): PeerTask => ({
  name: `${requests} requests`,
  kind: "fan-out of 20",
  question: "author of every comment on issues of harbour/quay",
  oracle: () => [],
  plasm: {
    seeds: [
      ["github", "Issue"],
      ["github", "Comment"],
    ],
    program: `i = ${source}\ni.comments[author]`,
    force: true,
  },
  operations: [`GET ${ISSUES}`, `GET ${ISSUES}/{issue_number}/comments`],
  code: `async () => {
  const issues = await codemode.request({ method: "GET", path: "${PATH}", query: ${JSON.stringify(query)} });
  const lists = await Promise.all(issues.map(({ number }) => codemode.request({ method: "GET", path: \`${PATH}/\${number}/comments\` })));
  return lists.flat().map((c) => c.user.login);
}`,
  *rest() {
    const issues = first<readonly WireIssue[]>(yield [github(`GET ${ISSUES}`, QUAY, { query })]);
    const calls = issues.map(({ number }) =>
      github(`GET ${ISSUES}/{issue_number}/comments`, { ...QUAY, issue_number: number }),
    );
    const lists = (yield calls) as readonly (readonly WireComment[])[];
    return lists.flat().map(({ user }) => user.login);
  },
});

/** A piece of work that every side is timed at. */
export interface TimedTask {
  readonly requests: number;
  readonly task: PeerTask;
  /**
   * how often it is timed, after as many times that are not: servers that run for days have warmed up, and compilers of
   * JavaScript take thousands of requests to come to rest
   */
  readonly rounds: number;
}

/** The same work of 1, 10 and 100 requests on every side. */
export const TIMED_TASKS: readonly TimedTask[] = [
  { requests: 1, task: ONE_REQUEST, rounds: 1500 },
  { requests: 10, task: many(10, MILESTONE), rounds: 800 },
  { requests: 100, task: many(100, OPEN), rounds: 250 },
];
