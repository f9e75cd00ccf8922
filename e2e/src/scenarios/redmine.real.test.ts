import { beforeAll, describe, expect, test } from "vitest";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { SURFACES } from "../harness/surfaces.ts";
import { taughtSymbols, withSymbols } from "../harness/taught-symbols.ts";
import type { RedmineIssue, RedmineOracle } from "./redmine-oracle.ts";
import { useRedmineWorld } from "./use-redmine-world.ts";

const running = useRedmineWorld();
let oracle: RedmineOracle;
beforeAll(() => {
  oracle = running().oracle;
});

/** Bindings, a condition that is sent and one that is not, sort, limit, projection. */
const STALE = `open = Issue{closed=false}
stale = open{done_ratio<30}
stale.sort(due_date, id, desc).limit(15)[id, subject, project_name, due_date, done_ratio]`;

/** By due date, null last, later ids first where dates are equal (LANG-065). */
function byDueDate(a: RedmineIssue, b: RedmineIssue): number {
  if (a.due_date === b.due_date) return b.id - a.id;
  if (a.due_date === null) return 1;
  if (b.due_date === null) return -1;
  return a.due_date < b.due_date ? -1 : 1;
}

const stale = (issues: readonly RedmineIssue[]): readonly object[] =>
  issues
    .filter(({ done_ratio: done }) => done < 30)
    .toSorted(byDueDate)
    .slice(0, 15)
    .map(({ id, subject, project, due_date, done_ratio }) => {
      return { id, subject, project_name: project.name, due_date, done_ratio };
    });

test("the seeded Redmine holds at least 120 issues in 3 projects", async () => {
  expect((await oracle.issues("status_id=*")).length).toBeGreaterThanOrEqual(120);
  expect(await oracle.projects()).toHaveLength(3);
});

describe.each(SURFACES)("%s, on a real Redmine", (surface) => {
  async function open(what: string) {
    const agent = await running().world.agent(surface);
    const session = await openSession(agent, `${surface}: ${what}`, seedsOf("redmine", "Issue"));
    return { agent, intent: `${surface}: ${what}`, ...session };
  }

  test("a program's rows are what Redmine's own API says", async () => {
    const { agent, ref, text, meta } = await open("stale issues");
    expect(text).toMatch(/^redmine: e1 Issue$/m);
    expect(meta.waves).toMatchObject([{ entry_id: "redmine", entities: ["Issue"] }]);

    const { proxy: count } = running();
    count.forgetRequests();
    const plan = await agent.plan(ref, STALE);
    expect(count.requests).toEqual([]);
    expect(plan.meta.dry_verdict).toBe("ok");
    expect(plan.meta.plan.nodes[0]).toMatchObject({
      catalog: { entry_id: "redmine", entity: "Issue" },
      args: { closed: { lit: false } },
      filter: { op: "<", path: ["done_ratio"], value: { lit: 30 } },
    });

    const issues = await oracle.issues("status_id=open");
    const run = await agent.run(ref, STALE, { plan_commit_ref: plan.meta.plan_commit_ref });
    expect(run.meta.commit).toBe(plan.meta.plan.commit);
    expect(run.results.map(({ rows }) => rows)).toEqual([stale(issues)]);
    expect(run.results[0]?.rows).toHaveLength(15);
    // One request a page, none per row (RUN-057).
    expect(count.requests.length).toBeLessThanOrEqual(Math.ceil(issues.length / 25));
  });

  test("RUN-079 Redmine counts what is only counted, in one request", async () => {
    const { agent, ref, symbols } = await open("how many");
    const { proxy: count } = running();
    const unclosed = await oracle.issues("status_id=open");
    const program = withSymbols("e(redmine.Issue){closed=false}.aggregate(n=count)", symbols);
    const plan = await agent.plan(ref, program);
    expect(plan.text).toContain("the API counts");
    count.forgetRequests();
    const run = await agent.run(ref, program);
    expect(run.results.map(({ rows }) => rows)).toEqual([[{ n: unclosed.length }]]);
    expect(count.requests).toHaveLength(1);
  });

  test("A11 Project comes alone, with the rows that Issue gains; relations lead over several rows", async () => {
    const { agent, intent, ref, text } = await open("projects");
    const second = await agent.context({ intent, seeds: seedsOf("redmine", "Project") });
    expect(second.meta.waves).toMatchObject([{ n: 2, mode: "expand", entities: ["Project"] }]);
    const rows = (of: string) => of.split("\n").filter((line) => /^[ep]\d/.test(line));
    const again = rows(second.text).filter((row) => rows(text).includes(row));
    expect(again).toEqual([]);
    const project = taughtSymbols(text).slots.get("project");
    expect(rows(text)).toContainEqual(expect.stringMatching(/^p\d+\tproject Project\(int\)/));
    expect(rows(second.text)).toContainEqual(expect.stringMatching(`^${project}\tproject e2`));
    expect(rows(second.text)).toContainEqual(
      expect.stringMatching(/^e2\(\$\)\.p\d+\t\[e1\] issues/),
    );

    const projects = await oracle.projects();
    const listed = await agent.run(ref, "p = Project.limit(3)\np, p.issues[id, project]", {
      force: true,
      wait: true,
    });
    expect(listed.results[0]?.rows.map(({ id }) => id)).toEqual(
      expect.arrayContaining(projects.map(({ id }) => id)),
    );
    const owned = await Promise.all(
      projects.map(({ id }) => oracle.issues(`status_id=*&project_id=${id}&subproject_id=!*`)),
    );
    const pairs = owned.flat().map((issue) => JSON.stringify([issue.id, issue.project.id]));
    const found = (listed.results[1]?.rows ?? []).map((row) =>
      JSON.stringify([row["id"], row["project"]]),
    );
    expect(found.toSorted()).toEqual(pairs.toSorted());
    expect(found.length).toBeGreaterThanOrEqual(120);
  });

  test("a reference leads from several issues to their projects, each once", async () => {
    const { agent, intent, ref } = await open("references");
    await agent.context({ intent, seeds: seedsOf("redmine", "Project") });
    const run = await agent.run(ref, "i = Issue.limit(25)\ni[id, project], i.project[id, name]");
    const [issues, projects] = run.results;
    const wanted = new Set(issues?.rows.map(({ project }) => project));
    expect(projects?.rows.map(({ id }) => id)).toEqual([...wanted]);
    const names = new Map((await oracle.projects()).map(({ id, name }) => [id, name]));
    for (const { id, name } of projects?.rows ?? []) expect(name).toBe(names.get(Number(id)));
  });

  test("A37 one session federates redmine, quay and yard; each program's rows are from the right one", async () => {
    const { world: here, proxy: count } = running();
    const agent = await here.agent(surface);
    const seeds = [
      ...seedsOf("yard", "Boat"),
      ...seedsOf("redmine", "Issue"),
      ...seedsOf("quay", "Boat"),
    ];
    const { ref, meta, symbols } = await openSession(agent, `${surface}: three APIs`, seeds);
    expect(meta.catalog_entry_ids).toEqual(["quay", "redmine", "yard"]);
    const [newest] = (await oracle.issues("status_id=*&sort=id:desc")).slice(0, 1);
    const parts = [
      ['e(quay.Boat)("b1")[id, name]', [{ id: "b1", name: "Alma" }]],
      [
        `e(redmine.Issue)(${newest?.id})[id, subject]`,
        [{ id: newest?.id, subject: newest?.subject }],
      ],
      ["e(yard.Boat)(7)[id]", [{ id: 7 }]],
    ] as const;
    for (const [program, rows] of parts) {
      count.forgetRequests();
      here.apis.forgetRequests();
      const run = await agent.run(ref, withSymbols(program, symbols));
      expect(run.results.map((result) => result.rows)).toEqual([rows]);
      const apis = [
        ...here.apis.requests.map(({ api }) => api),
        ...count.requests.map(() => "redmine"),
      ];
      expect(apis).toEqual([/e\((\w+)/.exec(program)?.[1]]);
    }
    const all = withSymbols(parts.map(([program]) => program).join("\n"), symbols);
    const run = await agent.run(ref, all);
    expect(run.results.map((result) => result.rows)).toEqual(parts.map(([, rows]) => rows));
  });
});
