import { github, type PeerTask, quay } from "../peer-task.ts";
import type { PeersWorld } from "../peers-world.ts";
import {
  first,
  type WireBoat,
  type WireIssue,
  type WirePage,
  type WirePerson,
  type WireUser,
} from "./answers.ts";
import { CRANE, QUAY, SEEDED } from "./places.ts";

const ISSUES = "/repos/{owner}/{repo}/issues";
const LOST = { query: { state: "lost", per_page: 100 } };
const byName = (a: WireBoat, b: WireBoat): number => (a.name < b.name ? -1 : 1);

const boatsOf = async (world: PeersWorld, path: string): Promise<readonly WireBoat[]> =>
  ((await world.quay(path)) as WirePage<WireBoat>).items;

/** Titles of the issues that were opened in crane. */
const opened = ({ repository }: PeersWorld) =>
  repository("harbour/crane")
    .issues.slice(SEEDED.crane)
    .map(({ title }) => [title]);

/** What one vendor knows is asked of, or told to, the other. */
export const TWO_VENDORS: readonly PeerTask[] = [
  {
    name: "issues for two lost boats",
    kind: "two vendors",
    question:
      "open an issue in harbour/crane for each of the first two lost boats by name, its name as title",
    oracle: async (world) =>
      (await boatsOf(world, "/boats?state=lost&per_page=100"))
        .toSorted(byName)
        .slice(0, 2)
        .map(({ name }) => [name]),
    after: opened,
    plasm: {
      seeds: [
        ["github", "Issue"],
        ["quay", "Boat"],
      ],
      program: `b = Boat{state=lost}.sort(name).limit(2)
i = b => Issue.create(owner=harbour, repo=crane, title=_.name)`,
    },
    operations: ["GET /quay/boats", `POST ${ISSUES}`],
    code: `async () => {
  const { items } = await codemode.request({ method: "GET", path: "/quay/boats", query: { state: "lost", per_page: 100 } });
  const two = items.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, 2);
  for (const { name } of two) await codemode.request({ method: "POST", path: "/repos/harbour/crane/issues", body: { title: name } });
  return two.length;
}`,
    *rest() {
      const { items } = first<WirePage<WireBoat>>(yield [quay("GET /boats", {}, LOST)]);
      const two = items.toSorted(byName).slice(0, 2);
      yield two.map(({ name }) => github(`POST ${ISSUES}`, CRANE, { body: { title: name } }));
      return null;
    },
  },
  {
    name: "members who own boats",
    kind: "two vendors",
    question:
      "login and number of boats of the people of the register who are users in the organization harbour",
    oracle: async (world) => {
      const members = world.github.data.accounts.find(({ login }) => login === "harbour")?.members;
      const people = (await world.quay("/people?per_page=100")) as WirePage<WirePerson>;
      return people.items
        .filter(({ login }) => members?.includes(login))
        .map(({ login, boats }) => [login, String(boats)]);
    },
    plasm: {
      seeds: [
        ["github", "User"],
        ["quay", "Person"],
      ],
      program: `m = User{organization=harbour}
p = Person.limit(100)
p{login in m.login}[login,boats]`,
    },
    operations: ["GET /orgs/{org}/members", "GET /quay/people"],
    code: `async () => {
  const members = await codemode.request({ method: "GET", path: "/orgs/harbour/members" });
  const { items } = await codemode.request({ method: "GET", path: "/quay/people", query: { per_page: 100 } });
  return items.filter((p) => members.some((m) => m.login === p.login)).map(({ login, boats }) => ({ login, boats }));
}`,
    *rest() {
      const [members, people] = (yield [
        github("GET /orgs/{org}/members", { org: "harbour" }),
        quay("GET /people", {}, { query: { per_page: 100 } }),
      ]) as readonly [readonly WireUser[], WirePage<WirePerson>];
      const logins = members.map(({ login }) => login);
      return people.items
        .filter(({ login }) => logins.includes(login))
        .map(({ login, boats }) => ({ login, boats }));
    },
  },
  {
    name: "a count as a comment",
    kind: "two vendors",
    question: "comment on issue 42 of harbour/quay how many boats are lost: N boats are lost.",
    oracle: async (world) => [
      [`${(await boatsOf(world, "/boats?state=lost&per_page=100")).length} boats are lost.`],
    ],
    after: ({ repository }) =>
      repository("harbour/quay")
        .comments.filter(({ number }) => number === 42)
        .map(({ body }) => [body.trim()]),
    plasm: {
      seeds: [
        ["github", "Issue"],
        ["quay", "Boat"],
      ],
      program: `t = Boat{state=lost} <<T
{{ rows|length }} boats are lost.
T
Issue(owner=harbour, repo=quay, number=42).comment(body=t.content)[body]`,
    },
    operations: ["GET /quay/boats", `POST ${ISSUES}/{issue_number}/comments`],
    code: `async () => {
  const { total } = await codemode.request({ method: "GET", path: "/quay/boats", query: { state: "lost", per_page: 1 } });
  await codemode.request({ method: "POST", path: "/repos/harbour/quay/issues/42/comments", body: { body: \`\${total} boats are lost.\` } });
  return total;
}`,
    *rest() {
      const query = { state: "lost", per_page: 1 };
      const { total } = first<WirePage<WireBoat>>(yield [quay("GET /boats", {}, { query })]);
      const of = { ...QUAY, issue_number: 42 };
      const body = { body: `${total} boats are lost.` };
      yield [github(`POST ${ISSUES}/{issue_number}/comments`, of, { body })];
      return null;
    },
  },
  {
    name: "boats of an issue's author",
    kind: "two vendors",
    question:
      "names of the boats in the register whose owner is the author of issue 18 of harbour/quay",
    oracle: async (world) => {
      const issue = world.repository("harbour/quay").issues.find(({ number }) => number === 18);
      const boats = await boatsOf(world, `/owners/${issue?.author}/boats?per_page=100`);
      return boats.map(({ name }) => [name]);
    },
    plasm: {
      seeds: [
        ["github", "Issue"],
        ["quay", "Boat"],
      ],
      program: `i = Issue(owner=harbour, repo=quay, number=18)
Boat{owner=i.author.login}.page_size(100)[name]`,
    },
    operations: [`GET ${ISSUES}/{issue_number}`, "GET /quay/owners/{login}/boats"],
    code: `async () => {
  const { user } = await codemode.request({ method: "GET", path: "/repos/harbour/quay/issues/18" });
  const { items } = await codemode.request({ method: "GET", path: \`/quay/owners/\${user.login}/boats\`, query: { per_page: 100 } });
  return items.map(({ name }) => ({ name }));
}`,
    *rest() {
      const of = { ...QUAY, issue_number: 18 };
      const issue = first<WireIssue>(yield [github(`GET ${ISSUES}/{issue_number}`, of)]);
      const more = { query: { per_page: 100 } };
      const { items } = first<WirePage<WireBoat>>(
        yield [quay("GET /owners/{login}/boats", { login: issue.user.login }, more)],
      );
      return items.map(({ name }) => ({ name }));
    },
  },
];
