import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, RunArguments, Store } from "@plasm/agent-core";
import { readFixtureCatalog } from "@plasm/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answeringTransport, boatAt } from "./answering-transport.ts";
import { caller } from "./engine-under-test.ts";
import { openEngine } from "./open-engine.ts";

const EFFECT = 'Boat("b1").ping()';
const s0 = { kind: "ref", ref: "s0" } as const;

let dir: string;
let engine: Engine | null = null;
const api = answeringTransport(({ path }) => boatAt(path));

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "plasm-changed-"));
  api.forget();
});
afterEach(async () => {
  await engine?.close();
  engine = null;
  await rm(dir, { recursive: true, force: true });
});

/** Brings up the engine on the same data, with quay in the edition of this name. */
async function start(edition: string): Promise<{ readonly engine: Engine; readonly store: Store }> {
  await engine?.close();
  const path = join(dir, edition, "quay");
  await mkdir(path, { recursive: true });
  const { domain, mappings } = readFixtureCatalog("quay");
  await writeFile(
    join(path, "domain.yaml"),
    `${domain}\n# ${edition}\n`.replace("label: Quay", `label: Quay ${edition}`),
  );
  await writeFile(join(path, "mappings.yaml"), mappings);
  const stores: Store[] = [];
  const opened = await openEngine({
    dataDir: join(dir, "data"),
    catalogs: [path],
    ports: { transport: api.transport },
    around: (store) => {
      stores.push(store);
      return store;
    },
  });
  engine = opened;
  const [store] = stores;
  if (store === undefined) throw new Error("no store");
  return { engine: opened, store };
}

async function open({ engine: on }: { readonly engine: Engine }): Promise<string> {
  const seeds = [{ api: "quay", entity: "Boat" }];
  const { meta } = await on.context(caller(), { intent: "boats", seeds, notation: "names" });
  const [wave] = meta["waves"] as readonly { readonly digest: string }[];
  return wave?.digest ?? "";
}

async function told({ engine: on }: { readonly engine: Engine }, more: Partial<RunArguments>) {
  try {
    const { text } = await on.run(caller(), s0, { program: EFFECT, wait: true, ...more });
    return { code: null, reason: null, text };
  } catch (thrown) {
    const { code, text, meta } = on.problemOf(thrown);
    const { reason = null } = (meta["error"] ?? {}) as { readonly reason?: string };
    return { code, reason, text };
  }
}

describe("G4 PLAN-032 a catalog that changes between dry run and run", () => {
  it("blocks with mismatch, with no request; the fresh ref is of the new plan", async () => {
    const before = await start("first");
    const digest = await open(before);
    const { meta } = await before.engine.plan(caller(), s0, EFFECT);
    expect(meta["plan_commit_ref"]).toBe("pc0");
    const after = await start("second");
    expect(await after.store.withdrawCatalog(digest)).toBe(true);
    expect(await told(after, { planCommitRef: "pc0" })).toMatchObject({
      code: "plasm-session-lost",
    });
    expect(await open(after)).not.toBe(digest);
    const blocked = await told(after, { planCommitRef: "pc0" });
    expect(blocked).toMatchObject({ code: "plasm-review-required", reason: "mismatch" });
    expect(blocked.text).toContain("not run (pc0 is of another program)");
    const alone = await told(after, { program: undefined, planCommitRef: "pc0", force: true });
    expect(alone).toEqual({
      code: "plasm-review-required",
      reason: "mismatch",
      text: "not run (the program of pc0 is another plan by now)\nPlan the program, and run the ref of that plan",
    });
    expect(api.seen).toEqual([]);
    const [, fresh = ""] = /plan_commit_ref=(pc\d+)/.exec(blocked.text) ?? [];
    expect((await told(after, { planCommitRef: fresh })).code).toBeNull();
    expect(api.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /boats/b1/ping",
    ]);
  });

  it("changes nothing of a session that goes on: it keeps what it pinned, and the ref runs (SESS-12)", async () => {
    const before = await start("first");
    await open(before);
    await before.engine.plan(caller(), s0, EFFECT);
    const after = await start("second");
    const alone = { program: undefined, planCommitRef: "pc0" };
    expect((await told(after, alone)).code).toBeNull();
    expect(api.seen).toHaveLength(1);
  });

  it("a ref of the session before is unknown where the plan is the same (OPS-3)", async () => {
    const before = await start("first");
    const digest = await open(before);
    await before.engine.plan(caller(), s0, EFFECT);
    expect(await before.store.withdrawCatalog(digest)).toBe(true);
    const after = await start("first");
    expect(await open(after)).toBe(digest);
    const blocked = await told(after, { planCommitRef: "pc0" });
    expect(blocked).toMatchObject({ code: "plasm-review-required", reason: "unknown" });
    expect(api.seen).toEqual([]);
  });
});
