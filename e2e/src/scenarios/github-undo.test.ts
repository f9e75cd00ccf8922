import { beforeEach, describe, expect, test } from "vitest";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { useGitHubWorld } from "./use-github-world.ts";

const running = useGitHubWorld();
beforeEach(() => running().github.reset());

const QUAY = 'owner="harbour", repo="quay"';

/** What GitHub notes by itself: when a row was changed, and that an issue was opened again. */
const NOTED = new Set(["updatedAt", "updated_at", "stateReason"]);

/** What people made and changed there. */
const dump = (): unknown => {
  const { issues, labels, milestones, branches } = running().repository("harbour/quay");
  const text = JSON.stringify({ issues, labels, milestones, branches });
  return JSON.parse(text, (name: string, value: unknown) => (NOTED.has(name) ? undefined : value));
};

const numbers = (): readonly number[] =>
  running()
    .repository("harbour/quay")
    .issues.filter(({ pull, state }) => pull === null && state === "open")
    .map(({ number }) => number);

describe.each(["MCP 2026 over HTTP", "HTTP"] as const)("%s, on GitHub", (surface) => {
  async function begin(what: string) {
    const agent = await running().world.agent(surface);
    const seeds = seedsOf("github", "Issue", "Label", "Milestone");
    const { ref } = await openSession(agent, `${surface}: ${what}`, seeds);
    return { agent, ref };
  }

  test("UNDO-05 is as it was before, by its own data", async () => {
    const { agent, ref } = await begin("change and take back");
    const [first, second, third] = numbers();
    const program = `Issue(${QUAY}, number=${first}).update(title="Tides again", labels=[bug], body="Now.")
Issue(${QUAY}, number=${second}).close(reason=not_planned)
Issue(${QUAY}, number=${third}).update(state=closed, assignees=["ann"])
Label.create(${QUAY}, name="leaky", color="00ff00")
Milestone.create(${QUAY}, title="Spring")`;
    const before = dump();
    const done = await agent.run(ref, program, { force: true, wait: true });
    expect(done.meta.effects).toHaveLength(5);
    expect(dump()).not.toEqual(before);
    const undo = `undo(${done.meta.plan_commit_ref})`;
    const undone = await agent.run(ref, undo, { force: true, wait: true });
    expect(undone.meta.effects).toHaveLength(5);
    expect(dump()).toEqual(before);
  });

  test("UNDO-06 is left as somebody else has changed it since", async () => {
    const { agent, ref } = await begin("changed since");
    const [first] = numbers();
    const program = `Issue(${QUAY}, number=${first}).update(title="Tides again")`;
    const done = await agent.run(ref, program, { force: true, wait: true });
    Object.assign(running().issue(first ?? 0), { title: "No tides" });
    const undo = `undo(${done.meta.plan_commit_ref})`;
    await expect(agent.run(ref, undo, { force: true, wait: true })).rejects.toThrow(
      /was changed since effect 1 of pc0, title is No tides now/,
    );
    expect(running().issue(first ?? 0).title).toBe("No tides");
  });

  test("UNDO-02 what nothing takes back is told before it is sent", async () => {
    const { agent, ref } = await begin("no undo");
    const [first] = numbers();
    const planned = await agent.plan(ref, `Issue(${QUAY}, number=${first}).comment(body="Yes.")`);
    expect(planned.text).toContain("no undo");
  });
});
