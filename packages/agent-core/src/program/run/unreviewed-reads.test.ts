import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Policy } from "@plasm/core";
import type { TransportRequest } from "@plasm/runtime";
import { type Agent, agentOn, engineOn, type Told } from "../../../test/engine-on.ts";
import { boatsApi } from "../../../test/boats-api.ts";
import { testStore } from "../../../test/test-store.ts";
import type { Engine } from "../../engine.ts";

const PAGE = 20;
/** 30 pages: more than reads may ask for that nobody has reviewed. */
const BOATS = 590;
/** Reads all pages, for the sort. */
const SORTED = "old = Boat.sort(id)[id]\nold";

const boats = Array.from({ length: BOATS }, (_, at) => ({
  id: `b${String(at).padStart(3, "0")}`,
  name: `Boat ${at}`,
  length: "10.5",
  owner: "ann",
}));

/** Boats by pages, and how many requests came. */
function pagedBoats() {
  const api = boatsApi();
  const sent: string[] = [];
  const send = async ({ method, url }: TransportRequest) => {
    const { pathname, searchParams } = new URL(url);
    sent.push(`${method} ${pathname}`);
    const page = Number(searchParams.get("page") ?? "1");
    const items = boats.slice((page - 1) * PAGE, page * PAGE);
    const one = boats.find(({ id }) => pathname.endsWith(`/${id}`));
    const json = one ?? { items, page, total: BOATS };
    const headers = [["content-type", "application/json"]] as const;
    const body = new TextEncoder().encode(JSON.stringify(json));
    return { ok: true, response: { status: 200, headers, body } } as const;
  };
  return { api: { ...api, transport: { send, close: async () => undefined } }, sent };
}

let engine: Engine;
let agent: Agent;
let sent: string[];

async function open(policy: Policy = {}): Promise<void> {
  await engine?.close();
  const paged = pagedBoats();
  ({ sent } = paged);
  engine = engineOn({ store: testStore(), api: paged.api, policy });
  agent = await agentOn(engine);
}

beforeEach(() => open());
afterEach(() => engine.close());

const stepOf = ({ meta }: Told) => (meta["steps"] as readonly { partial: string | null }[])[0];
const rowsOf = ({ meta }: Told) =>
  (meta["steps"] as readonly { row_count: number }[])[0]?.row_count;
const handleOf = ({ meta }: Told): string => {
  const [paging] = meta["paging"] as readonly { next_page_handle: string }[];
  if (paging === undefined) throw new Error("the answer has no cursor");
  return paging.next_page_handle;
};

describe("PLAN-054: reads that nobody has reviewed", () => {
  it("run at once under their own budget, partial, with a cursor and how to read all", async () => {
    const told = await agent.run(SORTED);
    expect([sent.length, rowsOf(told), stepOf(told)?.partial]).toEqual([20, 400, "requests"]);
    expect(told.meta["stopped_at"]).toEqual({ requests: 20, rows: 2_000 });
    expect(told.text.split("\n").at(-1)).toBe(
      "stopped at 20 requests; plan_commit_ref=pc0 reads under the full budgets",
    );
    expect(told.meta["plan_commit_ref"]).toBe("pc0");
  });

  it("PLAN-080 their cursor goes on to the whole, under the budgets of any run", async () => {
    const cut = await agent.run(SORTED);
    const all = await agent.run(`page(${handleOf(cut)})`);
    expect([rowsOf(all), stepOf(all)?.partial, sent.length]).toEqual([BOATS, null, 30]);
    expect(all.meta["paging"]).toEqual([]);
  });

  it("the ref of the plan reads all, and says nothing of a stop; so does force", async () => {
    await agent.plan(SORTED);
    const byRef = await agent.run(SORTED, { planCommitRef: "pc0", wait: true });
    const alone = await agent.runPlanned("pc0", { wait: true });
    const forced = await agent.run(SORTED, { force: true, wait: true });
    for (const told of [byRef, alone, forced]) {
      expect([rowsOf(told), stepOf(told)?.partial]).toEqual([BOATS, null]);
      expect(told.text).not.toContain("stopped");
      expect(told.meta).not.toHaveProperty("stopped_at");
    }
    expect(sent.length).toBe(90);
  });

  it("OPS-9 the ref makes it long work, as before; without it nothing is long", async () => {
    await agent.plan(SORTED);
    expect((await agent.run(SORTED)).text).toMatch(/^old · 400 rows, partial \(requests\)/);
    const accepted = await agent.runPlanned("pc0");
    expect(accepted.text).toBe("wait(s0_o1) · verdict ok · plan `pc0`");
    expect(rowsOf(await agent.run("wait(s0_o1)", { wait: true }))).toBe(BOATS);
  });

  it("wait:false takes the smaller budget along", async () => {
    expect((await agent.run(SORTED, { wait: false })).text).toMatch(/^wait\(s0_o1\)/);
    const told = await agent.run("wait(s0_o1)", { wait: true });
    expect([rowsOf(told), stepOf(told)?.partial]).toEqual([400, "requests"]);
    expect(told.text).toContain("stopped at 20 requests; plan_commit_ref=pc0 reads");
  });

  it("what lacks columns, and what is made of a cut list, say it, too", async () => {
    const told = await agent.run("Boat.sort(id).limit(3)[id]\nBoat.limit(3)[id]");
    const rows = await agent.run("Boat.limit(30)[id, note]");
    expect(told.text).toContain("stopped at 20 requests");
    expect([rowsOf(rows), stepOf(rows)?.partial]).toEqual([30, "requests"]);
    expect(rows.text).toContain("stopped at 20 requests; plan_commit_ref=pc1 reads");
  });

  it("what no reason holds back has the budgets of any run", async () => {
    const told = await agent.run("Boat.limit(500)[id]");
    expect([rowsOf(told), stepOf(told)?.partial, sent.length]).toEqual([500, null, 25]);
    expect(told.text).not.toContain("stopped");
  });

  it("a ref of another plan, or an expired one, leaves them as they are, with the note", async () => {
    await agent.plan("Boat.limit(2)");
    const told = await agent.run(SORTED, { planCommitRef: "pc0" });
    expect(rowsOf(told)).toBe(400);
    expect(told.text).toContain("plan_commit_ref=pc1 reads under the full budgets");
    expect(told.text).toContain("note: pc0 is not of this plan");
  });

  it("the plan says so, and nothing is sent for it", async () => {
    const { text, meta } = await agent.plan(SORTED);
    expect(text.split("\n")[0]).toMatch(/^plan ok pc0 · 3 nodes, 1 request or more → old$/);
    expect(text).toContain(
      "runs at once, partial at 20 requests or 2,000 rows; plan_commit_ref=pc0 reads under the full budgets",
    );
    expect(meta["dry_review"]).toMatchObject({
      expensive: true,
      stops_at: { requests: 20, rows: 2_000 },
    });
    expect(sent).toEqual([]);
  });

  it("LANG-076 effects are reviewed with all they read, and have the full budgets", async () => {
    const program = "old = Boat.sort(id)\nold => Boat(_.id).update(note=_.name)";
    const told = await agent.run(program);
    expect(told.problem?.code).toBe("plasm-review-required");
    expect(sent).toEqual([]);
  });
});

describe("SURF-25: policy says how much reads may ask for without review", () => {
  it("rows, too: what is over waits behind the cursor", async () => {
    await open({ unreviewed_reads: { rows: 50 } });
    const told = await agent.run(SORTED);
    expect([rowsOf(told), stepOf(told)?.partial]).toEqual([50, "rows"]);
    expect(told.text).toContain("stopped at 50 rows; plan_commit_ref=pc0 reads");
    expect(rowsOf(await agent.run(`page(${handleOf(told)})`))).toBe(BOATS);
  });

  it("0 has them reviewed: nothing is sent without the ref", async () => {
    await open({ unreviewed_reads: { requests: 0 } });
    expect((await agent.plan(SORTED)).text).toMatch(/^plan review pc0/);
    expect((await agent.run(SORTED)).problem?.code).toBe("plasm-review-required");
    expect(sent).toEqual([]);
    expect(rowsOf(await agent.runPlanned("pc0", { wait: true }))).toBe(BOATS);
  });

  it("force that is forbidden lifts no budget, and fails nothing that needs no review", async () => {
    await open({ force: false });
    const told = await agent.run(SORTED, { force: true });
    expect([rowsOf(told), stepOf(told)?.partial]).toEqual([400, "requests"]);
  });

  it("PLAN-050 a run's own budget that is lower cuts as ever, with no ref to lift it", async () => {
    await open({ budgets: { requests: 5 } });
    const told = await agent.run(SORTED);
    expect([rowsOf(told), stepOf(told)?.partial]).toEqual([100, "requests"]);
    expect(told.text).not.toContain("stopped at");
  });
});
