import { github, type PeerTask, quay } from "../peer-task.ts";
import type { PeersWorld } from "../peers-world.ts";
import { all, first, type WireBoat, type WirePage, type WireUser } from "./answers.ts";
import { CRANE, QUAY, SEEDED } from "./places.ts";

const REPO = "/repos/{owner}/{repo}";

const boatsOf = async (world: PeersWorld, path: string): Promise<WirePage<WireBoat>> =>
  (await world.quay(path)) as WirePage<WireBoat>;

/** What one vendor knows is asked of, or told to, the other. */
export const MORE_VENDORS: readonly PeerTask[] = [
  {
    name: "a release and a fleet",
    kind: "two vendors",
    question:
      "tag of the latest release of harbour/quay, and how many boats of the register are sailing",
    oracle: async (world) => {
      const { releases } = world.repository("harbour/quay");
      const { total } = await boatsOf(world, "/boats?state=sailing");
      return [[releases.at(-1)?.tag ?? ""], [String(total)]];
    },
    plasm: {
      seeds: [
        ["github", "Release"],
        ["quay", "Boat"],
      ],
      program: `Release.latest(owner=harbour, repo=quay)[tag]
Boat{state=sailing}.aggregate(n=count)`,
    },
    operations: [`GET ${REPO}/releases/latest`, "GET /quay/boats"],
    code: `async () => {
  const { tag_name } = await codemode.request({ method: "GET", path: "/repos/harbour/quay/releases/latest" });
  const { total } = await codemode.request({ method: "GET", path: "/quay/boats", query: { state: "sailing", per_page: 1 } });
  return [tag_name, total];
}`,
    *rest() {
      const [release, page] = (yield [
        github(`GET ${REPO}/releases/latest`, QUAY),
        quay("GET /boats", {}, { query: { state: "sailing", per_page: 1 } }),
      ]) as readonly [{ readonly tag_name: string }, WirePage<WireBoat>];
      return [release.tag_name, page.total];
    },
  },
  {
    name: "an issue for each of bob's lost boats",
    kind: "two vendors",
    question: "open an issue in harbour/crane for each lost boat that bob owns, its name as title",
    oracle: async (world) =>
      (await boatsOf(world, "/owners/bob/boats?state=lost&per_page=100")).items.map(({ name }) => [
        name,
      ]),
    after: ({ repository }) =>
      repository("harbour/crane")
        .issues.slice(SEEDED.crane)
        .map(({ title }) => [title]),
    plasm: {
      seeds: [
        ["github", "Issue"],
        ["quay", "Boat"],
      ],
      program: `b = Boat{owner=bob, state=lost}
i = b => Issue.create(owner=harbour, repo=crane, title=_.name)`,
    },
    operations: ["GET /quay/owners/{login}/boats", `POST ${REPO}/issues`],
    code: `async () => {
  const { items } = await codemode.request({ method: "GET", path: "/quay/owners/bob/boats", query: { state: "lost", per_page: 100 } });
  for (const { name } of items) await codemode.request({ method: "POST", path: "/repos/harbour/crane/issues", body: { title: name } });
  return items.length;
}`,
    *rest() {
      const query = { state: "lost", per_page: 100 };
      const { items } = first<WirePage<WireBoat>>(
        yield [quay("GET /owners/{login}/boats", { login: "bob" }, { query })],
      );
      yield items.map(({ name }) =>
        github(`POST ${REPO}/issues`, CRANE, { body: { title: name } }),
      );
      return null;
    },
  },
  {
    name: "lost boats of each member",
    kind: "two vendors",
    question:
      "name and owner of the lost boats in the register that users in the organization harbour own",
    oracle: async (world) => {
      const members = world.github.data.accounts.find(({ login }) => login === "harbour")?.members;
      const lists = (members ?? []).map((login) =>
        boatsOf(world, `/owners/${login}/boats?state=lost`),
      );
      return (await Promise.all(lists)).flatMap(({ items }) =>
        items.map(({ name, owner }) => [name, owner ?? ""]),
      );
    },
    plasm: {
      seeds: [
        ["github", "User"],
        ["quay", "Boat"],
      ],
      program: `m = User{organization=harbour}.limit(20)
Boat{owner in m.login, state=lost}[name,owner]`,
    },
    operations: ["GET /orgs/{org}/members", "GET /quay/owners/{login}/boats"],
    code: `async () => {
  const members = await codemode.request({ method: "GET", path: "/orgs/harbour/members" });
  const lists = await Promise.all(members.map(({ login }) => codemode.request({ method: "GET", path: \`/quay/owners/\${login}/boats\`, query: { state: "lost", per_page: 100 } })));
  return lists.flatMap(({ items }) => items.map(({ name, owner }) => ({ name, owner })));
}`,
    *rest() {
      const members = first<readonly WireUser[]>(
        yield [github("GET /orgs/{org}/members", { org: "harbour" })],
      );
      const query = { state: "lost", per_page: 100 };
      const lists = all<WirePage<WireBoat>>(
        yield members.map(({ login }) => quay("GET /owners/{login}/boats", { login }, { query })),
      );
      return lists.flatMap(({ items }) => items.map(({ name, owner }) => ({ name, owner })));
    },
  },
];
