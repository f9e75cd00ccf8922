import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSampleApis } from "@plasm/sample-apis";
import { fixtureCatalogDir } from "@plasm/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AgentClient } from "../harness/agent-client.ts";
import { failureOf } from "../harness/agent-failure.ts";
import { connectHttp } from "../harness/mcp-connect.ts";
import { startPlasmServer } from "../harness/plasm-server.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "plasm-recordings-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const seeds = ["Boat", "Person", "Visit"].map((entity) => ({ api: "quay", entity }));

/** Reads with relations and a page, effects of every kind on rows of each other, a failing run. */
const EFFECTS = `owner = Person("ann")[login, name]
made = Boat.create(name="Recorded", owner=ann, note=owner.name)
made => Boat(_.id).update(name=_.note, state=sailing)
Boat("b1").ping()
made => Boat(_.id).delete()`;

async function session(agent: AgentClient): Promise<readonly string[]> {
  const opened = await agent.context({ intent: "a session to record", seeds });
  const ref = opened.meta.logical_session_ref;
  const list = await agent.run(ref, "Boat{state=moored}.page_size(3)[id, name, length]");
  const next = list.meta.paging[0]?.next_page_handle ?? "none";
  const page = await agent.run(ref, `page(${next})`);
  const related = `v = Boat("b1").visits{fee>10}.limit(3)\nv, Boat{length>10}.aggregate(n=count)`;
  const visits = await agent.run(ref, related, { force: true });
  const plan = await agent.plan(ref, EFFECTS);
  const effects = await agent.run(ref, EFFECTS, { plan_commit_ref: plan.meta.plan_commit_ref });
  const failed = await failureOf(agent.run(ref, 'Boat("none").ping()', { force: true }));
  const texts = [opened, list, page, visits, plan, effects].map(({ text }) => text);
  return [...texts, failed.message];
}

interface Play {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** what is done when the session is over */
  readonly afterwards?: (agent: AgentClient, ref: string) => Promise<void>;
}

/** The texts of the session, on a server of its own. */
async function play({ name, args, env, afterwards }: Play): Promise<readonly string[]> {
  const catalogs = [fixtureCatalogDir("quay")];
  const server = await startPlasmServer({ dataDir: join(directory, name), catalogs, env, args });
  const agent = await connectHttp("2026", server.url);
  try {
    const texts = await session(agent);
    await afterwards?.(agent, "s0");
    return texts;
  } finally {
    await agent.close();
    await server.stop();
  }
}

/** A call that is in no recording. */
async function miss(agent: AgentClient, ref: string): Promise<void> {
  const { message } = await failureOf(agent.run(ref, 'Person("bob")'));
  expect(message).toContain("error replay_miss");
  expect(message).toContain("nearest is GET /people/{login}, which differs in path");
}

test("RUN-161 RUN-162 a recorded session replays over MCP with identical text, its API gone", async () => {
  const ports = { quay: 0, yard: 0 };
  const apis = await startSampleApis({ dataDir: join(directory, "apis"), ports });
  const recording = join(directory, "recording");
  const env = { PLASM_BACKEND_QUAY: apis.quay.url };
  const first = await play({ name: "first", args: ["--record", recording], env });
  expect(first.join("\n")).toContain("done delete quay.Boat");
  expect(first.at(-1)).toContain("error not_found");
  const asked = apis.requests.length;
  await apis.close();

  // Neither the API nor any setting of the first server is needed.
  const args = ["--replay", recording];
  expect(await play({ name: "second", args, env: {}, afterwards: miss })).toEqual(first);
  expect(apis.requests).toHaveLength(asked);
});
