import { expect, test } from "vitest";
import { refused } from "./data/world.ts";
import type { Garden } from "./seed.ts";
import { useGithubProjects } from "./use-github-projects.ts";
import type { Fault } from "./start-github-graphql.ts";

const github = useGithubProjects();

const itemsOf = ({ roadmap }: Garden): string => `Project("${roadmap.id}").items`;

/** Makes the first operation of that name end so; all others are answered. */
function once(name: string, fault: Fault): void {
  let done = false;
  github().server.befall((asked) => {
    if (done || asked.name !== name) return null;
    done = true;
    return fault;
  });
}

const askedFor = (name: string) => github().server.asked.filter((asked) => asked.name === name);

test("RUN-072 cursors go from page to page, and every item comes once and in order", async () => {
  const { garden, run } = github();
  const { results } = await run(`${itemsOf(garden)}.sort(created_at)[id]`);
  expect(results[0]?.rows.map(({ id }) => id)).toEqual(garden.items.map(({ id }) => id));
  const pages = askedFor("ProjectitemQuery").map(({ variables }) => variables);
  expect(pages).toEqual([
    { project: garden.roadmap.id, first: 50 },
    { project: garden.roadmap.id, first: 50, after: expect.any(String) },
    { project: garden.roadmap.id, first: 50, after: expect.any(String) },
  ]);
  expect(pages[1]).not.toEqual(pages[2]);
});

test("RUN-076 limit reads as many pages as it needs; a handle goes on where the page ended", async () => {
  const { garden, run, server } = github();
  const limited = await run(`${itemsOf(garden)}.limit(60)[id]`);
  expect([limited.results[0]?.rows.length, server.asked.length]).toEqual([60, 2]);
  server.asked.splice(0);
  const first = await run(`ProjectItem{project=Project("${garden.roadmap.id}")}[id]`);
  expect([first.results[0]?.rows.length, server.asked.length]).toEqual([50, 1]);
  const [paging] = first.meta["paging"] as readonly { readonly next_page_handle: string }[];
  const second = await run(`page(${paging?.next_page_handle})`);
  const ids = [...(first.results[0]?.rows ?? []), ...(second.results[0]?.rows ?? [])];
  expect(ids.map(({ id }) => id)).toEqual(garden.items.slice(0, 100).map(({ id }) => id));
  expect(server.asked).toHaveLength(2);
});

test("RUN-057 a list costs one request a page, whatever of its columns are wanted", async () => {
  const { garden, run, server } = github();
  await run(
    `${itemsOf(garden)}.limit(20)[title, status, assignees, labels, repository, milestone]`,
  );
  expect(server.asked.map(({ name }) => name)).toEqual(["ProjectitemQuery"]);
});

test("RUN-041 errors without data fail in GitHub's words", async () => {
  const { run, server } = github();
  const { problem } = await run('Project("PVT_none")');
  expect(problem?.errors[0]).toMatchObject({
    code: "upstream_error",
    request: { method: "POST", pathTemplate: "/graphql", status: 200 },
  });
  expect(problem?.text).toContain("Could not resolve to a node with the global id of 'PVT_none'");
  expect(server.asked).toHaveLength(1);
});

test("RUN-031 the id of an object of another kind is not found", async () => {
  const { garden, run } = github();
  const { problem } = await run(`Project("${garden.items[0]?.id}")`);
  expect(problem?.errors[0]?.code).toBe("not_found");
});

test("RUN-041 errors beside data are rows, a diagnostic and partial", async () => {
  const { garden, run } = github();
  const hidden = garden.items[1];
  if (hidden === undefined) throw new Error("no item");
  Object.assign(hidden, {
    type: "REDACTED",
    content: () => {
      throw refused("Resource not accessible by personal access token", "FORBIDDEN");
    },
  });
  const { results, meta, problem } = await run(`${itemsOf(garden)}.limit(3)[id, title, type]`);
  expect(problem).toBeNull();
  expect(results[0]?.rows).toMatchObject([
    { title: "Bed 1" },
    { id: hidden.id, title: null, type: "REDACTED" },
    { title: "Bed 3" },
  ]);
  expect(meta["steps"]).toMatchObject([{ partial: "graphql_errors" }]);
  expect(JSON.stringify(meta["diagnostics"])).toContain("Resource not accessible");
});

test.each<[string, Fault]>([
  [
    "the hourly limit under 200",
    {
      kind: "answer",
      json: {
        errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded for user ID 1." }],
      },
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(4_102_444_800) },
    },
  ],
  [
    "the secondary limit",
    {
      kind: "answer",
      status: 403,
      json: { message: "API rate limit exceeded: you have exceeded a secondary rate limit." },
      headers: { "retry-after": "900" },
    },
  ],
])(
  "RUN-025 %s is rate_limited: when to come again, and nothing is sent until then",
  async (_, fault) => {
    const { run, server } = github();
    server.befall(() => fault);
    const { problem } = await run("Owner.current()");
    expect(problem?.errors[0]).toMatchObject({ code: "rate_limited", retryable: true });
    expect(problem?.retryAfter).toBeGreaterThan(600);
    expect(problem?.text).toContain("API rate limit exceeded");
    expect(server.asked).toHaveLength(1);
  },
);

test("RUN-025 a short limit under 200 is waited out", async () => {
  const { run } = github();
  const json = { errors: [{ type: "RATE_LIMITED", message: "too fast" }] };
  once("OwnerCurrent", { kind: "answer", json, headers: { "retry-after": "2" } });
  const { results } = await run("Owner.current()[login]");
  expect(results[0]?.rows).toEqual([{ login: "ann" }]);
  expect(askedFor("OwnerCurrent")).toHaveLength(2);
});

test("RUN-025 a read whose answer is lost is sent again, though it is a POST", async () => {
  const { run } = github();
  once("OwnerCurrent", { kind: "lost" });
  expect((await run("Owner.current()[login]")).results[0]?.rows).toEqual([{ login: "ann" }]);
  expect(askedFor("OwnerCurrent")).toHaveLength(2);
});

test("RUN-025 PLAN-073 a mutation whose answer is lost is in doubt, and never sent twice", async () => {
  const { garden, run } = github();
  once("ProjectitemAddDraft", { kind: "lost" });
  const { problem } = await run(
    `ProjectItem.add-draft(project=Project("${garden.roadmap.id}"), title="Once")`,
  );
  expect(problem?.errors[0]?.code).toBe("effect_in_doubt");
  expect(askedFor("ProjectitemAddDraft")).toHaveLength(1);
  const titles = garden.world.items.map(({ content }) => content?.title);
  expect(titles.filter((title) => title === "Once")).toHaveLength(1);
});

test("RUN-041 a refused mutation failed, and the server has what it had", async () => {
  const { garden, run } = github();
  const [first] = garden.items;
  const field = garden.roadmap.field({ name: "Status" });
  const { problem } = await run(
    `ProjectItem("${first?.id}").set-value(project=Project("${garden.roadmap.id}"), field=ProjectField("${field?.id}"), option_id="none")`,
  );
  expect(problem?.errors[0]?.code).toBe("upstream_error");
  expect(problem?.text).toContain("option Id does not belong to the field");
  expect(problem?.text).toContain("effects: 1 failed");
  expect(first?.values.size).toBe(0);
});

test("RUN-041 a refused mutation that answers nothing failed, too", async () => {
  const { garden, run } = github();
  const own = garden.world.projects.at(-1);
  const { problem } = await run(`Project("${own?.id}").mark-template()`);
  expect(problem?.text).toContain("Only organizations have templates");
  expect(problem?.text).toContain("effects: 1 failed");
  expect(own?.template).toBe(false);
});

test("the dry run of reads and effects asks nothing", async () => {
  const { garden, plan, server } = github();
  const text = await plan(
    `i = ${itemsOf(garden)}{status="Todo"}\ni => ProjectItem(_.id).archive(project=_.project)`,
  );
  expect(text).toContain("archive");
  expect(server.asked).toEqual([]);
});
