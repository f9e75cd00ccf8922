import type { JsonObject } from "@plasm/core";
import { describe, expect, test } from "vitest";
import { allPages } from "../harness/all-pages.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { MCP_SURFACES } from "../harness/surfaces.ts";
import { tokens } from "../harness/tokens.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat");

/** More than a text answer holds: 4,000 tokens (SURF-11). */
const COLUMNS = ["id", "name", "owner", "length", "state", "built", "note", "flags", "meta"];
const LONG = `Boat.limit(67)[${COLUMNS.join(", ")}]`;
const RESULT_TOKENS = 4_000;
/** What a text may have beside rows: the remark and the fence. */
const FRAME_TOKENS = 120;

interface Snapshot {
  readonly n: number;
  readonly program: string;
  readonly commit: string;
  readonly source: string;
  readonly columns: readonly (readonly [string, string])[];
  readonly rows: readonly JsonObject[];
  readonly content_sha256: string;
}

describe.each(MCP_SURFACES)("%s", (surface) => {
  async function open(what: string) {
    const agent = await world().mcpAgent(surface);
    const { ref } = await openSession(agent, `${surface}: ${what}`, seeds);
    return { agent, ref };
  }

  test("B25 B26 a shortened text points to the snapshot with all rows and cells", async () => {
    const { agent, ref } = await open("shortened");
    const run = await agent.run(ref, LONG, { force: true, wait: true });
    const [step] = run.meta.steps;
    if (step === undefined) throw new Error("the run has no result");
    expect(tokens(run.text)).toBeLessThanOrEqual(RESULT_TOKENS + FRAME_TOKENS);
    expect(step.row_count).toBe(67);
    expect(step.shown).toBeLessThan(67);
    expect(run.text).toContain(`${67 - step.shown} rows left out`);
    expect(run.text).toContain(`all: ${step.artifact_uri}`);
    const { mimeType, text } = await agent.readResource(step.artifact_uri);
    expect(mimeType).toBe("application/json");
    const snapshot = JSON.parse(text) as Snapshot;
    expect(snapshot).toMatchObject({ n: step.n, program: LONG, source: "live" });
    expect(snapshot.commit).toBe(run.meta.commit);
    expect(snapshot.content_sha256).toBe(step.content_sha256);
    expect(snapshot.columns.map(([name]) => name)).toEqual(COLUMNS);
    expect(snapshot.rows).toHaveLength(67);
  });

  test("G16 rows left out are had by page(rest), each once, without a request", async () => {
    const { agent, ref } = await open("rest");
    const { apis } = world();
    const run = await agent.run(ref, LONG, { force: true, wait: true });
    const [step] = run.meta.steps;
    const [result] = run.results;
    if (step?.rest === undefined || result === undefined) throw new Error("nothing was left out");
    expect(run.text).toContain(`rest: page(${step.rest})`);
    apis.forgetRequests();
    const shown = { ...result, rows: result.rows.slice(0, step.shown) };
    const paging = [{ return_label: result.name, next_page_handle: step.rest }];
    const rest = await allPages(agent, ref, {
      ...run,
      results: [shown],
      meta: { ...run.meta, paging },
    });
    expect(rest).toEqual(result.rows);
    expect(apis.requests).toEqual([]);
  });

  test("P9 numbers rise, and what a snapshot holds never changes", async () => {
    const { agent, ref } = await open("numbers");
    const numbers: number[] = [];
    const texts: string[] = [];
    for (const program of ["Boat.limit(1)", "Boat.limit(1)", `Boat("b1")[id]\nBoat("b2")[id]`]) {
      for (const { n, artifact_uri: uri } of (await agent.run(ref, program)).meta.steps) {
        numbers.push(n);
        expect(uri).toBe(`plasm://session/${ref}/r/${n}`);
        texts.push((await agent.readResource(uri)).text);
      }
    }
    expect(numbers).toEqual([1, 2, 3, 4]);
    for (const n of numbers) {
      const { text } = await agent.readResource(`plasm://session/${ref}/r/${n}`);
      expect(text).toBe(texts[n - 1]);
    }
  });

  test("SURF-10 a run is found by its id, and a session by its uuid", async () => {
    const { agent, ref } = await open("by id");
    const { meta } = await agent.context({ intent: `${surface}: by id`, seeds });
    const run = await agent.run(ref, "Boat.limit(1)");
    const [step] = run.meta.steps;
    const { prompt_hash: hash, session_id: session } = meta.execute_binding;
    const byNumber = await agent.readResource(step?.artifact_uri ?? "");
    const uris = [
      `plasm://execute/${hash}/${session}/run/${step?.run_id}`,
      `plasm://session/${meta.logical_session_id}/r/${step?.n}`,
    ];
    for (const uri of uris) expect((await agent.readResource(uri)).text).toBe(byNumber.text);
  });

  test("SURF-10 the registry lists the catalogs", async () => {
    const agent = await world().mcpAgent(surface);
    const { text } = await agent.readResource("plasm://registry");
    const catalogs = JSON.parse(text) as readonly { readonly entry_id: string }[];
    expect(catalogs.map(({ entry_id: id }) => id)).toEqual(["quay", "yard"]);
  });
});
