import { beforeEach, describe, expect, test } from "vitest";
import type { AgentRun } from "../harness/answers.ts";
import { failureOf } from "../harness/agent-failure.ts";
import { allPages } from "../harness/all-pages.ts";
import { seedsOf } from "../harness/open-session.ts";
import { openGitHub, useGitHubWorld } from "./use-github-world.ts";

const running = useGitHubWorld();
beforeEach(() => {
  running().github.reset();
  running().world.apis.forgetRequests();
});

const QUAY = 'owner="harbour", repo="quay"';
const quay = () => running().repository("harbour/quay");
const rowsOf = (run: AgentRun, at = 0) => run.results[at]?.rows ?? [];
const plain = () => quay().issues.filter(({ pull }) => pull === null);

describe.each(["MCP 2026 over HTTP", "HTTP"] as const)("%s, on GitHub", (surface) => {
  async function open(intent: string, entities: readonly string[], others = seedsOf("quay")) {
    const agent = await running().world.agent(surface);
    return openGitHub(running(), agent, `${surface}: ${intent}`, entities, others);
  }

  test("an issue is found by search, and answered", async () => {
    const { read, change } = await open("answer the tide bug", ["Issue", "Comment"]);
    const found = await read(
      `hits = Issue~"tide table"{${QUAY}, state=open, labels=[bug]}\nhits.sort(number).limit(3)[owner, repo, number, title]`,
    );
    const wanted = plain()
      .filter(({ title, state, labels }) => {
        return title.startsWith("Tide table") && state === "open" && labels.includes("bug");
      })
      .slice(0, 3);
    expect(rowsOf(found)).toEqual(
      wanted.map(({ number, title }) => ({ owner: "harbour", repo: "quay", number, title })),
    );
    expect(running().reads()).toHaveLength(1);

    const [first] = wanted;
    const target = `Issue(${QUAY}, number=${first?.number})`;
    const answered = await change(
      `${target}.comment(body="The offset is set in src/tide.ts.")\n${target}.comments[author, body]`,
    );
    expect(answered.text).toMatch(/^done comment github\.Issue /m);
    expect(rowsOf(answered, 1).at(-1)).toEqual({
      author: "ann",
      body: "The offset is set in src/tide.ts.",
    });
    expect(running().writes()).toEqual([
      `POST /repos/harbour/quay/issues/${first?.number}/comments`,
    ]);
    expect(quay().comments.at(-1)).toMatchObject({ number: first?.number, author: "ann" });
  });

  test("a filtered list is labelled, assigned and closed, row by row", async () => {
    const { change } = await open("clear the deck", ["Issue"]);
    const numbers = plain()
      .filter(({ state }) => state === "open")
      .filter(({ labels }) => labels.includes("tide") && labels.includes("feature"))
      .slice(0, 3)
      .map(({ number }) => number);
    expect(numbers).toHaveLength(3);
    const run =
      await change(`old = Issue{${QUAY}, state=open, labels=[tide, feature], pull_request=null}
few = old.sort(number).limit(3)
few => Issue(_).add-labels(labels=["stale"])
few => Issue(_).assign(assignees=[carla])
few => Issue(_).close(reason=not_planned)`);
    const issues = "/repos/harbour/quay/issues";
    expect(running().writes(), run.text).toEqual([
      ...numbers.map((number) => `POST ${issues}/${number}/labels`),
      ...numbers.map((number) => `POST ${issues}/${number}/assignees`),
      ...numbers.map((number) => `PATCH ${issues}/${number}`),
    ]);
    for (const number of numbers) {
      expect(running().issue(number)).toMatchObject({
        labels: expect.arrayContaining(["tide", "stale"]) as unknown,
        assignees: expect.arrayContaining(["carla"]) as unknown,
        state: "closed",
        stateReason: "not_planned",
        closedBy: "ann",
      });
    }
  });

  test("reviews of the open pull requests come along the relation", async () => {
    const { read } = await open("who approved", ["PullRequest", "Review"]);
    const run = await read(
      `open = PullRequest{${QUAY}, state=open}\nopen[number, title, author], open.reviews[number, author, state]`,
    );
    const open_ = quay().issues.filter(({ pull, state }) => pull !== null && state === "open");
    expect(rowsOf(run)).toEqual(
      open_.toReversed().map(({ number, title, author }) => ({ number, title, author })),
    );
    const reviews = open_
      .toReversed()
      .flatMap(({ number }) => quay().reviews.filter((review) => review.number === number));
    expect(rowsOf(run, 1)).toEqual(
      reviews.map(({ number, author, state }) => ({ number, author, state })),
    );
    // One list, and one of reviews for each of its rows (RUN-050).
    expect(running().reads()).toHaveLength(1 + open_.length);
  });

  test("an issue is made of what a template writes about failed builds", async () => {
    const { change } = await open("report failed builds", ["WorkflowRun", "Issue"]);
    const run = await change(`failed = WorkflowRun{${QUAY}, status=failure}.sort(run_number)
report = failed[run_number, title, branch] <<T
{% for r in rows %}- #{{ r.run_number }} {{ r.title }} on {{ r.branch }}
{% endfor %}
T
Issue.create(${QUAY}, title="Builds fail", body=report.content, labels=[bug])[number, title]`);
    const failed = quay().runs.filter(({ conclusion }) => conclusion === "failure");
    const made = quay().issues.at(-1);
    expect(rowsOf(run)).toEqual([{ number: made?.number, title: "Builds fail" }]);
    expect(made).toMatchObject({ author: "ann", labels: ["bug"] });
    expect(made?.body?.trim().split("\n")).toEqual(
      failed.map(({ number, title, branch }) => `- #${number} ${title} on ${branch}`),
    );
  });

  test("pages of 262 issues and pull requests join to the whole, each once", async () => {
    const agent = await running().world.agent(surface);
    const seeds = seedsOf("github", "Issue");
    const intent = `${surface}: page by page`;
    const { meta } = await agent.context({ intent, seeds, notation: "names" });
    const ref = meta.logical_session_ref;
    const program = `Issue{${QUAY}}.page_size(40)[number]`;
    const first = await agent.run(ref, program, { force: true, wait: true });
    expect(running().reads()).toHaveLength(1);
    const rows = await allPages(agent, ref, first, () => 70);
    expect(rows).toHaveLength(quay().issues.length);
    const numbers = rows.map(({ number }) => Number(number)).toSorted((a, b) => a - b);
    expect(numbers).toEqual(quay().issues.map(({ number }) => number));
    // Three pages of 100, each asked for once: the links of GitHub's own origin lead to this server.
    expect(running().reads()).toHaveLength(3);
  });

  test("a pull request is opened, reviewed by another and merged", async () => {
    const { change, read } = await open("bring in the spare berth", [
      "PullRequest",
      "Review",
      "Commit",
    ]);
    const made = await change(
      `pr = PullRequest.create(${QUAY}, title="Add spare-berth", head="spare-berth", base="main")
PullRequest(pr).request-reviewers(reviewers=[bjorn])
pr[number, head_ref, base, commits]`,
    );
    const [opened] = made.results.flatMap(({ rows }) => rows.filter((row) => "commits" in row));
    expect(opened).toMatchObject({ head_ref: "spare-berth", base: "main", commits: 2 });
    const number = Number(opened?.["number"]);
    const part = () => running().issue(number).pull;
    expect(part()).toMatchObject({ requestedReviewers: ["bjorn"], base: { ref: "main" } });
    const own = `PullRequest(${QUAY}, number=${number})`;
    const refused = await failureOf(
      change(`Review.create(${QUAY}, number=${number}, verdict=APPROVE)`),
    );
    expect(refused.problem).toMatchObject({ code: "plasm-upstream-error" });
    expect(refused.message).toContain("Can not approve your own pull request");
    const merged = await change(
      `${own}.merge(merge_method=squash)\n${own}[merged, merged_by, state]`,
    );
    expect(rowsOf(merged, 1)).toEqual([{ merged: true, merged_by: "ann", state: "closed" }]);
    expect(part()?.mergeSha).toBe(quay().branches.find(({ name }) => name === "main")?.sha);
    const again = await failureOf(change(`${own}.merge()`));
    expect(again.message).toContain("Pull Request is not mergeable");
    expect(rowsOf(await read(`${own}.commits[message]`))).toHaveLength(2);
  });

  test("release notes are rendered of merged pull requests", async () => {
    const { change } = await open("release 1.2", ["PullRequest", "Release"]);
    const run = await change(`merged = PullRequest{${QUAY}, state=closed}.filter{merged_at != null}
notes = merged.sort(merged_at)[number, title, author] <<T
## What is new
{% for r in rows %}
- {{ r.title }} (#{{ r.number }}, @{{ r.author }})
{%- endfor %}
T
Release.create(${QUAY}, tag="v1.2.0", name="quay v1.2.0", body=notes.content)
Release.latest(${QUAY})[tag, name]`);
    expect(rowsOf(run, 1)).toEqual([{ tag: "v1.2.0", name: "quay v1.2.0" }]);
    const merged = quay()
      .issues.filter(({ pull }) => pull !== null && pull.mergedAt !== null)
      .toSorted((a, b) => Date.parse(a.closedAt ?? "") - Date.parse(b.closedAt ?? ""));
    expect(merged.length).toBeGreaterThanOrEqual(8);
    const lines = quay()
      .releases.at(-1)
      ?.body?.split("\n")
      .filter((line) => line.startsWith("- "));
    expect(lines).toEqual(
      merged.map(({ number, title, author }) => `- ${title} (#${number}, @${author})`),
    );
  });

  test("A37 one program reads quay and writes to GitHub", async () => {
    const { change } = await open("lost boats", ["Issue"], seedsOf("quay", "Boat"));
    const run = await change(`lost = Boat{state=lost}.sort(name).limit(2)
lost => Issue.create(owner="harbour", repo="crane", title=_.name, body=_.note)
lost[id, name]`);
    const { apis } = running().world;
    expect(apis.requests.every(({ method }) => method === "GET")).toBe(true);
    const lost = rowsOf(run, 1);
    expect(lost).toHaveLength(2);
    expect(running().writes()).toEqual(Array(2).fill("POST /repos/harbour/crane/issues"));
    const made = running().repository("harbour/crane").issues.slice(-2);
    expect(made.map(({ title }) => title)).toEqual(lost.map(({ name }) => name));
  });

  test("what GitHub refuses reaches the agent in GitHub's words", async () => {
    const { change, read } = await open("refusals", ["Issue", "Label", "Repository"]);
    const stranger = change(`Issue.create(${QUAY}, title="Rope", assignees=[zed])`);
    expect((await failureOf(stranger)).message).toMatch(
      /422.*Validation Failed.*assignees.*invalid/s,
    );
    const twice = change(`Label.create(${QUAY}, name="bug")`);
    expect((await failureOf(twice)).message).toMatch(/422.*already_exists/s);
    const missing = await failureOf(read(`Issue(${QUAY}, number=9999)`));
    expect(missing.problem.errors).toMatchObject([{ code: "not_found" }]);
  });
});
