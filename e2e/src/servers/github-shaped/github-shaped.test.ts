import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { mismatches } from "../github-document/mismatches.ts";
import { officialDocument } from "../github-document/official-document.ts";
import { Operations } from "../github-document/operations.ts";
import { type GitHubShaped, secondaryLimit, startGitHubShaped } from "@plasm/sample-apis/github";

const operations = new Operations(officialDocument().document);
const QUAY = "/repos/harbour/quay";
const BRANCH = { head: "spare-berth", base: "main" };

let github: GitHubShaped;
let time = Date.UTC(2026, 2, 2, 10);
beforeAll(async () => {
  github = await startGitHubShaped({ now: () => time, rateLimits: { search: 20 } });
});
afterAll(() => github.close());
beforeEach(() => {
  // Far enough for a new window of every limit.
  time += 3_600_000;
  github.reset();
});

async function ask(method: string, path: string, body?: object, as = "ann"): Promise<Response> {
  return fetch(github.url + path, {
    method,
    headers: { authorization: `Bearer ${github.tokenOf(as)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** In this order: later ones find what earlier ones left. */
const REQUESTS: readonly (readonly [
  method: string,
  path: string,
  status: number,
  body?: object,
])[] = [
  ["GET", QUAY, 200],
  ["GET", "/user/repos", 200],
  ["GET", "/users/ann/repos", 200],
  ["GET", "/orgs/harbour/repos", 200],
  ["POST", "/user/repos", 201, { name: "kit" }],
  ["PATCH", "/repos/ann/kit", 200, { description: "a kit" }],
  ["DELETE", "/repos/ann/kit", 204],
  ["GET", `${QUAY}/contributors`, 200],
  ["GET", `${QUAY}/issues?state=all&per_page=100`, 200],
  ["GET", `${QUAY}/issues/5`, 200],
  ["POST", `${QUAY}/issues`, 201, { title: "Rope", labels: ["new"], assignees: ["ann"] }],
  ["POST", `${QUAY}/issues`, 422, {}],
  ["POST", `${QUAY}/issues`, 422, { title: "Rope", assignees: ["nobody"] }],
  [
    "PATCH",
    `${QUAY}/issues/5`,
    200,
    { state: "closed", state_reason: "not_planned", milestone: 2 },
  ],
  ["PATCH", `${QUAY}/issues/5`, 422, { state: "shut" }],
  ["PUT", `${QUAY}/issues/5/lock`, 204, { lock_reason: "spam" }],
  ["DELETE", `${QUAY}/issues/5/lock`, 204],
  ["GET", `${QUAY}/issues/5/comments`, 200],
  ["POST", `${QUAY}/issues/5/comments`, 201, { body: "Aye." }],
  ["GET", `${QUAY}/issues/comments?per_page=3`, 200],
  ["PATCH", `${QUAY}/issues/comments/1016010`, 200, { body: "Aye, aye." }],
  ["DELETE", `${QUAY}/issues/comments/1016010`, 204],
  ["POST", `${QUAY}/issues/5/labels`, 200, { labels: ["tide"] }],
  ["DELETE", `${QUAY}/issues/5/labels/tide`, 200],
  ["DELETE", `${QUAY}/issues/5/labels/tide`, 404],
  ["POST", `${QUAY}/issues/5/assignees`, 201, { assignees: ["carla"] }],
  ["DELETE", `${QUAY}/issues/5/assignees`, 200, { assignees: ["carla"] }],
  ["GET", `${QUAY}/labels`, 200],
  ["POST", `${QUAY}/labels`, 201, { name: "fog", color: "cccccc" }],
  ["POST", `${QUAY}/labels`, 422, { name: "fog" }],
  ["PATCH", `${QUAY}/labels/fog`, 200, { new_name: "mist" }],
  ["DELETE", `${QUAY}/labels/mist`, 204],
  ["GET", `${QUAY}/milestones?state=all`, 200],
  ["POST", `${QUAY}/milestones`, 201, { title: "2.0", due_on: "2026-05-01T00:00:00Z" }],
  ["PATCH", `${QUAY}/milestones/4`, 200, { state: "closed" }],
  ["DELETE", `${QUAY}/milestones/4`, 204],
  ["GET", `${QUAY}/pulls?state=all`, 200],
  ["GET", `${QUAY}/pulls/260`, 200],
  ["GET", `${QUAY}/pulls/5`, 404],
  ["POST", `${QUAY}/pulls`, 201, { title: "Spare", ...BRANCH }],
  ["POST", `${QUAY}/pulls`, 422, { title: "Again", ...BRANCH }],
  ["POST", `${QUAY}/pulls`, 422, { title: "None", head: "main", base: "main" }],
  ["POST", `${QUAY}/pulls/263/requested_reviewers`, 201, { reviewers: ["bjorn"] }],
  ["POST", `${QUAY}/pulls/263/requested_reviewers`, 422, { reviewers: ["nobody"] }],
  ["GET", `${QUAY}/pulls/263/commits`, 200],
  ["GET", `${QUAY}/pulls/263/files`, 200],
  ["POST", `${QUAY}/pulls/263/reviews`, 422, { event: "APPROVE" }],
  ["POST", `${QUAY}/pulls/260/reviews`, 200, { event: "APPROVE" }],
  ["GET", `${QUAY}/pulls/260/reviews`, 200],
  ["PUT", `${QUAY}/pulls/260/reviews/1015010/dismissals`, 200, { message: "stale" }],
  ["GET", `${QUAY}/pulls/260/comments`, 200],
  ["POST", `${QUAY}/pulls/260/comments/1015012/replies`, 201, { body: "Four, then." }],
  ["PUT", `${QUAY}/pulls/263/merge`, 409, { sha: "0" }],
  ["PUT", `${QUAY}/pulls/263/merge`, 200, {}],
  ["PUT", `${QUAY}/pulls/263/merge`, 405, {}],
  ["GET", `${QUAY}/commits?author=ann`, 200],
  ["GET", `${QUAY}/commits/main`, 200],
  ["GET", `${QUAY}/commits/main/pulls`, 200],
  ["GET", `${QUAY}/commits/night-mode/check-runs`, 200],
  ["GET", `${QUAY}/commits/night-mode/statuses`, 200],
  ["GET", `${QUAY}/commits/none/check-runs`, 404],
  ["GET", `${QUAY}/compare/v1.0.0...main`, 200],
  ["GET", `${QUAY}/compare/main...tide-gauge`, 200],
  ["GET", `${QUAY}/compare/none...main`, 404],
  ["GET", `${QUAY}/branches`, 200],
  ["GET", `${QUAY}/branches/main`, 200],
  ["GET", `${QUAY}/tags`, 200],
  ["GET", `${QUAY}/releases`, 200],
  ["GET", `${QUAY}/releases/latest`, 200],
  ["GET", `${QUAY}/releases/tags/v1.0.0`, 200],
  ["POST", `${QUAY}/releases`, 201, { tag_name: "v2", draft: true }],
  ["POST", `${QUAY}/releases`, 422, { tag_name: "v1.0.0" }],
  ["GET", `${QUAY}/actions/workflows`, 200],
  ["GET", `${QUAY}/actions/workflows/check.yml`, 200],
  ["POST", `${QUAY}/actions/workflows/check.yml/dispatches`, 204, { ref: "main" }],
  ["POST", `${QUAY}/actions/workflows/check.yml/dispatches`, 422, { ref: "none" }],
  ["GET", `${QUAY}/actions/runs?status=failure`, 200],
  ["GET", `${QUAY}/actions/runs/10123/jobs`, 200],
  ["POST", `${QUAY}/actions/runs/10123/rerun`, 201],
  ["POST", `${QUAY}/actions/runs/10123/cancel`, 202],
  ["POST", `${QUAY}/actions/runs/10123/cancel`, 409],
  ["GET", `${QUAY}/contents/src/tide.ts`, 200],
  ["GET", `${QUAY}/contents/none`, 404],
  ["PUT", `${QUAY}/contents/a.md`, 201, { message: "Add", content: "YQ==" }],
  ["PUT", `${QUAY}/contents/a.md`, 422, { message: "Change", content: "Yg==" }],
  ["GET", "/user", 200],
  ["GET", "/users/bjorn", 200],
  ["GET", "/orgs/harbour", 200],
  ["GET", "/orgs/harbour/issues?filter=all&state=open", 200],
  ["GET", "/orgs/harbour/members", 200],
  ["GET", "/orgs/harbour/teams", 200],
  ["GET", "/orgs/harbour/teams/pilots", 200],
  ["GET", "/orgs/harbour/teams/pilots/members", 200],
  ["GET", "/search/issues?q=tide+is:issue", 200],
  ["GET", "/search/issues?q=tide&page=11&per_page=100", 422],
  ["GET", "/search/issues?q=", 422],
  ["GET", "/search/repositories?q=harbour", 200],
  ["GET", "/search/code?q=berths", 200],
  ["GET", "/repos/harbour/none", 404],
  ["GET", `${QUAY}/issues?status=open`, 422],
];

test("answers have GitHub's statuses, and nothing that GitHub's document does not", async () => {
  const wrong: string[] = [];
  for (const [method, path, status, body] of REQUESTS) {
    const answer = await ask(method, path, body);
    const text = await answer.text();
    const name = `${method} ${path}`;
    if (answer.status !== status)
      wrong.push(`${name}: ${answer.status} instead of ${status} ${text}`);
    const operation = operations.ofRequest(method, path.replace(/\?.*/, ""));
    if (operation === undefined) wrong.push(`${name} is no operation`);
    const schema = operation?.answers.get(status)?.[0];
    if (schema === undefined || text === "") continue;
    wrong.push(...mismatches(operations, JSON.parse(text), schema).map((each) => `${name}${each}`));
  }
  expect(wrong).toEqual([]);
});

test("pages by number and by link join to the whole, each row once", async () => {
  const all = github.data.repositories[0]?.issues.map(({ number }) => number) ?? [];
  let next: string | undefined = `${github.url}${QUAY}/issues?state=all&per_page=70`;
  const seen: number[] = [];
  while (next !== undefined) {
    const answer: Response = await ask("GET", next.slice(github.url.length));
    const rows = (await answer.json()) as readonly { readonly number: number }[];
    seen.push(...rows.map(({ number }) => number));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  expect(seen.toSorted((a, b) => a - b)).toEqual(all);
  const past = await ask("GET", `${QUAY}/issues?state=all&page=99`);
  expect(await past.json()).toEqual([]);
});

test("without a token, or with a wrong one, there is nothing", async () => {
  expect((await fetch(`${github.url}/user`)).status).toBe(401);
  const headers = { authorization: "Bearer guess" };
  expect((await fetch(`${github.url}/user`, { headers })).status).toBe(401);
});

test("a private repository is there for those who work on it alone", async () => {
  const vault = github.data.repositories.find(({ name }) => name === "vault");
  vault?.collaborators.splice(0, 4, "ann");
  const harbour = github.data.accounts.find(({ login }) => login === "harbour");
  harbour?.members.splice(0, 4, "ann");
  expect((await ask("GET", "/repos/harbour/vault")).status).toBe(200);
  expect((await ask("GET", "/repos/harbour/vault", undefined, "bjorn")).status).toBe(404);
});

test("searches are counted a minute, and refused beyond", async () => {
  const search = () => ask("GET", "/search/issues?q=tide");
  for (let left = 19; left >= 0; left -= 1) {
    const answer = await search();
    expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toEqual([
      200,
      String(left),
    ]);
  }
  const refused = await search();
  expect(refused.status).toBe(403);
  const reset = Number(refused.headers.get("x-ratelimit-reset")) * 1000;
  expect(reset - time).toBeGreaterThan(58_000);
  expect((await ask("GET", "/user")).status).toBe(200);
  time = reset;
  expect((await search()).status).toBe(200);
});

test("after a reset nothing of a limit is used", async () => {
  const left = async () => (await ask("GET", "/user")).headers.get("x-ratelimit-remaining");
  github.reset();
  expect([await left(), await left()]).toEqual(["4999", "4998"]);
  github.reset();
  expect(await left()).toBe("4999");
});

test("requests are logged with bodies and statuses, and may be answered by somebody else", async () => {
  github.intercept(({ method }) => (method === "POST" ? secondaryLimit(7) : undefined));
  const answer = await ask("POST", `${QUAY}/issues`, { title: "x" });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([403, "7"]);
  await ask("GET", `${QUAY}/pulls?base=main`);
  expect(github.requests).toEqual([
    { method: "POST", path: `${QUAY}/issues`, query: "", body: { title: "x" }, status: 403 },
    {
      method: "GET",
      path: `${QUAY}/pulls`,
      query: "?base=main",
      body: undefined,
      status: 200,
    },
  ]);
});
