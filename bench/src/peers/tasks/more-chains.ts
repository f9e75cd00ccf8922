import { github, type PeerTask, quay } from "../peer-task.ts";
import {
  all,
  first,
  type WireBoat,
  type WireCommit,
  type WireIssue,
  type WirePage,
  type WirePerson,
  type WireUser,
} from "./answers.ts";
import { CRANE, isPlainOpen, QUAY } from "./places.ts";

const REPO = "/repos/{owner}/{repo}";

interface WireRun {
  readonly workflow_runs: readonly { readonly head_sha: string }[];
}

/** Each request follows from the one before it. */
export const MORE_CHAINS: readonly PeerTask[] = [
  {
    name: "owners of two lost boats",
    kind: "chain of three",
    question:
      "of the first two boats that are lost, by name: how many boats does each owner, a person, own",
    oracle: async (world) => {
      const { items } = (await world.quay("/boats?state=lost&per_page=100")) as WirePage<WireBoat>;
      const two = items.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, 2);
      const people = two.map(({ owner }) => world.quay(`/people/${owner}`));
      return (await Promise.all(people)).map((each) => {
        const { login, boats } = each as WirePerson;
        return [login, String(boats)];
      });
    },
    plasm: {
      seeds: [
        ["quay", "Boat"],
        ["quay", "Person"],
      ],
      program: "Boat{state=lost}.sort(name).limit(2).owner[login,boats]",
    },
    operations: ["GET /quay/boats", "GET /quay/people/{login}"],
    code: `async () => {
  const get = (path, query) => codemode.request({ method: "GET", path: \`/quay/\${path}\`, query });
  const { items } = await get("boats", { state: "lost", per_page: 100 });
  const two = items.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, 2);
  const people = await Promise.all(two.map((b) => get(\`people/\${b.owner}\`)));
  return people.map(({ login, boats }) => ({ login, boats }));
}`,
    *rest() {
      const query = { state: "lost", per_page: 100 };
      const { items } = first<WirePage<WireBoat>>(yield [quay("GET /boats", {}, { query })]);
      const two = items.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, 2);
      const people = all<WirePerson>(
        yield two.map(({ owner }) => quay("GET /people/{login}", { login: owner ?? "" })),
      );
      return people.map(({ login, boats }) => ({ login, boats }));
    },
  },
  {
    name: "answered and closed",
    kind: "chain of three",
    question:
      "comment Looking into it. on the oldest open issue labelled tide in harbour/crane, then close it as not planned",
    oracle: (world) => {
      const issue = world
        .repository("harbour/crane")
        .issues.find((each) => isPlainOpen(each) && each.labels.includes("tide"));
      return [[String(issue?.number), "closed", "not_planned", "Looking into it."]];
    },
    after: ({ repository }) => {
      const { comments, issues } = repository("harbour/crane");
      return issues
        .filter(({ stateReason }) => stateReason === "not_planned")
        .map(({ number, state, stateReason }) => [
          String(number),
          state,
          stateReason ?? "",
          comments.findLast((comment) => comment.number === number)?.body ?? "",
        ]);
    },
    plasm: {
      seeds: [["github", "Issue"]],
      program: `i = Issue{owner=harbour, repo=crane, state=open, labels=[tide], sort=created, direction=asc}.limit(1)
c = i => Issue(_).comment(body="Looking into it.")
d = i => Issue(_).close(reason=not_planned)`,
    },
    operations: [
      `GET ${REPO}/issues`,
      `POST ${REPO}/issues/{issue_number}/comments`,
      `PATCH ${REPO}/issues/{issue_number}`,
    ],
    code: `async () => {
  const [issue] = await codemode.request({ method: "GET", path: "/repos/harbour/crane/issues", query: { state: "open", labels: "tide", sort: "created", direction: "asc", per_page: 1 } });
  const path = \`/repos/harbour/crane/issues/\${issue.number}\`;
  await codemode.request({ method: "POST", path: path + "/comments", body: { body: "Looking into it." } });
  await codemode.request({ method: "PATCH", path, body: { state: "closed", state_reason: "not_planned" } });
  return { number: issue.number };
}`,
    *rest() {
      const query = {
        state: "open",
        labels: "tide",
        sort: "created",
        direction: "asc",
        per_page: 1,
      };
      const [issue] = first<readonly WireIssue[]>(
        yield [github(`GET ${REPO}/issues`, CRANE, { query })],
      );
      const of = { ...CRANE, issue_number: issue?.number ?? 0 };
      const said = { body: "Looking into it." };
      yield [github(`POST ${REPO}/issues/{issue_number}/comments`, of, { body: said })];
      const body = { state: "closed", state_reason: "not_planned" };
      yield [github(`PATCH ${REPO}/issues/{issue_number}`, of, { body })];
      return null;
    },
  },
  {
    name: "who has the milestone's work",
    kind: "chain of three",
    question:
      "names of the users assigned to the open issues of the closed milestone of harbour/crane",
    oracle: (world) => {
      const { issues, milestones } = world.repository("harbour/crane");
      const closed = milestones.find(({ state }) => state === "closed");
      const assigned = issues
        .filter((issue) => isPlainOpen(issue) && issue.milestone === closed?.number)
        .flatMap(({ assignees }) => assignees);
      return assigned.map((login) => [
        world.github.data.accounts.find((each) => each.login === login)?.name ?? "",
      ]);
    },
    plasm: {
      seeds: [
        ["github", "Milestone"],
        ["github", "Issue"],
        ["github", "User"],
      ],
      program: `m = Milestone{owner=harbour, repo=crane, state=closed}.limit(1)
Issue{owner=harbour, repo=crane, state=open, milestone=m.number}.limit(20).assignee[name]`,
    },
    operations: [`GET ${REPO}/milestones`, `GET ${REPO}/issues`, "GET /users/{username}"],
    code: `async () => {
  const get = (path, query) => codemode.request({ method: "GET", path, query });
  const [milestone] = await get("/repos/harbour/crane/milestones", { state: "closed" });
  const issues = await get("/repos/harbour/crane/issues", { state: "open", milestone: milestone.number });
  const users = await Promise.all(issues.filter((i) => i.assignee).map((i) => get(\`/users/\${i.assignee.login}\`)));
  return users.map(({ name }) => ({ name }));
}`,
    *rest() {
      const closed = { query: { state: "closed" } };
      const [milestone] = first<readonly WireIssue[]>(
        yield [github(`GET ${REPO}/milestones`, CRANE, closed)],
      );
      const query = { state: "open", milestone: String(milestone?.number) };
      const issues = first<readonly { readonly assignee: WireUser | null }[]>(
        yield [github(`GET ${REPO}/issues`, CRANE, { query })],
      );
      const logins = issues.flatMap(({ assignee }) => (assignee === null ? [] : [assignee.login]));
      const users = logins.map((username) => github("GET /users/{username}", { username }));
      return all<WireUser>(yield users).map(({ name }) => ({ name }));
    },
  },
  {
    name: "who broke the build",
    kind: "chain of three",
    question:
      "name of the user who wrote the commit of the newest failed workflow run of harbour/quay",
    oracle: (world) => {
      const { runs, commits } = world.repository("harbour/quay");
      const failed = runs.findLast(({ conclusion }) => conclusion === "failure");
      const author = commits.find(({ sha }) => sha === failed?.sha)?.author;
      return [[world.github.data.accounts.find(({ login }) => login === author)?.name ?? ""]];
    },
    plasm: {
      seeds: [
        ["github", "WorkflowRun"],
        ["github", "Commit"],
        ["github", "User"],
      ],
      program: `w = WorkflowRun{owner=harbour, repo=quay, status=failure}.limit(1)
Commit(owner=harbour, repo=quay, sha=w.head_sha).author[name]`,
    },
    operations: [`GET ${REPO}/actions/runs`, `GET ${REPO}/commits/{ref}`, "GET /users/{username}"],
    code: `async () => {
  const get = (path, query) => codemode.request({ method: "GET", path, query });
  const { workflow_runs: [run] } = await get("/repos/harbour/quay/actions/runs", { status: "failure", per_page: 1 });
  const { author } = await get(\`/repos/harbour/quay/commits/\${run.head_sha}\`);
  const { name } = await get(\`/users/\${author.login}\`);
  return { name };
}`,
    *rest() {
      const query = { status: "failure", per_page: 1 };
      const runs = first<WireRun>(yield [github(`GET ${REPO}/actions/runs`, QUAY, { query })]);
      const at = { ...QUAY, ref: runs.workflow_runs[0]?.head_sha ?? "" };
      const commit = first<WireCommit>(yield [github(`GET ${REPO}/commits/{ref}`, at)]);
      const username = commit.author.login;
      return { name: first<WireUser>(yield [github("GET /users/{username}", { username })]).name };
    },
  },
];
