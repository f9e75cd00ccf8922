import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRedmine } from "./start-redmine.ts";
import type { Redmine } from "./start-redmine.ts";

let dataDir: string;
let redmine: Redmine;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "redmine-"));
  redmine = await startRedmine({ dataDir });
});

afterAll(async () => {
  await redmine?.close();
  await rm(dataDir, { recursive: true, force: true });
});

interface List {
  readonly total_count: number;
  readonly [collection: string]: unknown;
}

const ask = (path: string, key?: string): Promise<Response> =>
  fetch(redmine.url + path, key === undefined ? {} : { headers: { "X-Redmine-API-Key": key } });

async function count(path: string, key = redmine.adminKey): Promise<number> {
  const response = await ask(path, key);
  expect(response.status, path).toBe(200);
  return ((await response.json()) as List).total_count;
}

test("the administrator's key reads at least 120 issues in 3 projects", async () => {
  expect(await count("/projects.json")).toBe(3);
  expect(await count("/issues.json?status_id=*")).toBeGreaterThanOrEqual(120);
  for (const project of [1, 2, 3])
    expect(
      await count(`/issues.json?status_id=*&project_id=${project}&subproject_id=!*`),
    ).toBeGreaterThan(30);
});

test("one project is nested in another", async () => {
  const { projects } = (await (await ask("/projects.json", redmine.adminKey)).json()) as {
    projects: { identifier: string; parent?: { name: string } }[];
  };
  const parents = Object.fromEntries(projects.map((each) => [each.identifier, each.parent?.name]));
  expect(parents).toStrictEqual({
    harbour: undefined,
    workshop: undefined,
    "workshop-mobile": "Workshop",
  });
});

test("a user's key works and shows less than the administrator's", async () => {
  expect(Object.keys(redmine.userKeys)).toHaveLength(6);
  const path = "/issues.json?status_id=*";
  const shown = await count(path, redmine.userKeys["ann"]);
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(await count(path));
});

test.each([undefined, "0".repeat(40)])("key %s is refused with 401", async (key) => {
  expect((await ask("/issues.json", key)).status).toBe(401);
});

test("issues have notes, children, links and watchers; time is booked on them", async () => {
  const path = "/issues/1.json?include=journals,children,watchers";
  const { issue } = (await (await ask(path, redmine.adminKey)).json()) as {
    issue: Record<"journals" | "children" | "watchers", unknown[]>;
  };
  expect(issue.journals.length).toBeGreaterThan(0);
  expect(issue.children).toHaveLength(3);
  expect(issue.watchers.length).toBeGreaterThan(0);
  expect(await count("/time_entries.json")).toBeGreaterThan(60);
});
