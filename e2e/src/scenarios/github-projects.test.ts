import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import type { AgentRun } from "../harness/answers.ts";
import { seedsOf } from "../harness/open-session.ts";
import { startWorld, type World } from "../harness/world.ts";
import { CATALOG_DIRECTORY } from "../servers/github-graphql/catalog.ts";
import { type Garden, plantGarden } from "../servers/github-graphql/seed.ts";
import {
  type GithubGraphql,
  startGithubGraphql,
  TOKEN,
} from "../servers/github-graphql/start-github-graphql.ts";

let server: GithubGraphql;
let world: World;
let garden: Garden;

beforeAll(async () => {
  server = await startGithubGraphql(plantGarden().world);
  const env = { PLASM_BACKEND_GITHUB_PROJECTS: server.url, GITHUB_TOKEN: TOKEN };
  world = await startWorld({ catalogs: [CATALOG_DIRECTORY], env });
});
afterAll(async () => {
  await world.close();
  await server.close();
});
beforeEach(() => {
  garden = plantGarden();
  server.use(garden.world);
  server.asked.splice(0);
});

/** One session of an agent. */
interface Session {
  /** Runs a program without effects. */
  read(program: string): Promise<AgentRun>;
  /** Plans a program, which asks nothing, and runs what was planned. */
  change(program: string): Promise<AgentRun>;
}

async function open(agent: AgentClient, intent: string, ...entities: string[]): Promise<Session> {
  const seeds = seedsOf("github-projects", ...entities);
  const { meta } = await agent.context({ intent, seeds, notation: "names" });
  const ref = meta.logical_session_ref;
  return {
    read: (program) => agent.run(ref, program, { force: true }),
    change: async (program) => {
      const before = server.asked.length;
      const plan = await agent.plan(ref, program);
      expect(server.asked).toHaveLength(before);
      return agent.run(ref, program, { plan_commit_ref: plan.meta.plan_commit_ref });
    },
  };
}

const rowsOf = (run: AgentRun, at = 0) => run.results[at]?.rows ?? [];
const mutations = (): readonly string[] =>
  server.asked.flatMap(({ kind, name }) => (kind === "mutation" ? [name] : []));

describe.each(["MCP 2026 over HTTP", "HTTP"] as const)("%s", (surface) => {
  test("triage: a project by its number, its fields, and the status of three items", async () => {
    const agent = await world.agent(surface);
    const entities = ["Owner", "Project", "ProjectField", "FieldOption", "ProjectItem"];
    const { read, change } = await open(agent, `${surface}: triage`, ...entities);
    const found = await read(
      'p = Project{owner=Owner("garden-club"), number=1}[id, title, items_count]\np, p.fields{name="Status"}[id, name]',
    );
    expect(rowsOf(found)).toEqual([{ id: garden.roadmap.id, title: "Roadmap", items_count: 120 }]);
    const status = rowsOf(found, 1)[0]?.["id"] as string;
    const options = await read(`FieldOption{field=ProjectField("${status}")}[id, name]`);
    const todo = rowsOf(options).find(({ name }) => name === "Todo")?.["id"] as string;
    const set = await change(
      `open = ProjectItem{project=Project("${garden.roadmap.id}"), type=ISSUE, closed=false, status=null}.limit(3)
open => ProjectItem(_.id).set-value(project=_.project, field=ProjectField("${status}"), option_id="${todo}")`,
    );
    expect(set.text).toContain("done set-value github-projects.ProjectItem");
    const done = garden.items.filter((item) => item.values.get(status)?.["name"] === "Todo");
    const issues = garden.items.filter(
      ({ content }) => content?.__typename === "Issue" && content["closed"] === false,
    );
    expect(done).toEqual(issues.slice(0, 3));
    expect(mutations()).toEqual(Array(3).fill("ProjectitemSetValue"));
    const after = await read(
      `ProjectItem{project=Project("${garden.roadmap.id}"), status="Todo"}.sort(number)[number]`,
    );
    expect(rowsOf(after).map(({ number }) => number)).toEqual(
      done.map(({ content }) => content?.["number"]),
    );
  });

  test("forum: search, read, answer, accept and close a discussion", async () => {
    const agent = await world.agent(surface);
    const entities = ["Repository", "Discussion", "DiscussionComment"];
    const { read, change } = await open(agent, `${surface}: forum`, ...entities);
    const found = await read(
      'd = Discussion~"topic 1"{repository=Repository(owner="garden-club", name="garden")}.sort(comments_count, desc).limit(1)\nd[id, title, answered, comments_count], d.comments.sort(created_at, desc).limit(2)[id, body]',
    );
    const [discussion] = garden.discussions;
    expect(rowsOf(found)).toEqual([
      { id: discussion?.id, title: "Topic 1", answered: false, comments_count: 60 },
    ]);
    expect(rowsOf(found, 1).map(({ body }) => body)).toEqual(["Comment 60", "Comment 59"]);
    const answered = await change(
      `a = DiscussionComment.create(discussion=Discussion("${discussion?.id}"), body="Cover the beds.")
a => DiscussionComment(_.id).mark-answer()
Discussion("${discussion?.id}").close(reason=RESOLVED)[closed, state_reason, answered]`,
    );
    expect(mutations()).toEqual([
      "DiscussioncommentCreate",
      "DiscussioncommentMarkAnswer",
      "DiscussionClose",
    ]);
    expect(answered.results.at(-1)?.rows).toEqual([
      { closed: true, state_reason: "RESOLVED", answered: true },
    ]);
    expect(discussion?.answer?.body).toBe("Cover the beds.");
    const left = await read(
      `Discussion{repository=Repository(owner="garden-club", name="garden"), answered=true}[number, closed]`,
    );
    expect(rowsOf(left)).toEqual([{ number: 1, closed: true }]);
  });

  test("report: count items, write a status update of the counts, add a draft and put it on top", async () => {
    const agent = await world.agent(surface);
    const entities = ["Project", "ProjectItem", "StatusUpdate"];
    const { read, change } = await open(agent, `${surface}: report`, ...entities);
    const items = `Project("${garden.roadmap.id}").items`;
    const counted = await read(`${items}.group_by(type, n=count)`);
    expect(rowsOf(counted)).toEqual([
      { type: "PULL_REQUEST", n: 40 },
      { type: "DRAFT_ISSUE", n: 40 },
      { type: "ISSUE", n: 40 },
    ]);
    expect(server.asked.map(({ name }) => name)).toEqual(Array(3).fill("ProjectitemQuery"));
    await change(
      `n = ${items}.group_by(type, n=count)
text = n <<T
{% for row in rows %}{{ row.type }}: {{ row.n }}
{% endfor %}
T
StatusUpdate.create(project=Project("${garden.roadmap.id}"), status=ON_TRACK, body=text.content)
d = ProjectItem.add-draft(project=Project("${garden.roadmap.id}"), title="Buy seeds")
d => ProjectItem(_.id).move(project=_.project)`,
    );
    expect(mutations()).toEqual(["StatusupdateCreate", "ProjectitemAddDraft", "ProjectitemMove"]);
    expect(garden.roadmap.parts.at(-1)?.["body"]).toContain("DRAFT_ISSUE: 40");
    const top = await read(`${items}.limit(1)[title, type]`);
    expect(rowsOf(top)).toEqual([{ title: "Buy seeds", type: "DRAFT_ISSUE" }]);
  });
});
