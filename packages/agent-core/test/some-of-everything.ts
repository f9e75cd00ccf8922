import { createHash } from "node:crypto";
import { sessionFiles } from "../src/artifacts/session-files.ts";
import { approvalsIn } from "../src/program/gate/approvals.ts";
import { noteAudit } from "../src/audit/audit-log.ts";
import { noteNotice } from "../src/notices/outbox.ts";
import { QuotaLedger } from "../src/quotas/ledger.ts";
import type { Engine } from "../src/engine.ts";
import { keysIn } from "../src/identity/keys.ts";
import { type Caller, LOCAL, principalOf } from "../src/identity/caller.ts";
import type { ScheduleRecord } from "../src/records/schedules.ts";
import type { Store } from "../src/store-port.ts";
import { noteCancelled } from "../src/session/connections.ts";
import { boatsApi } from "./boats-api.ts";
import { type Agent, agentOn, engineOn } from "./engine-on.ts";

const SCOPE = LOCAL.scope;

const POLICY = {
  apis: { quay: { approval: { operator: ["delete"] } } },
};

const SOME_GRAFTS = {
  name: "moorings",
  manifest_path: "sets/moorings.yaml",
  created_ts: "2026-01-05T09:00:00Z",
  items: [{ source: "git", path: "a.md", mime: "text/markdown", content: "Moor by the stern." }],
};

const connected: Caller = { ...LOCAL, connection: "c".repeat(32) };

async function refOf(agent: Agent, program: string): Promise<string> {
  const { meta } = await agent.plan(program);
  const ref = meta["plan_commit_ref"];
  if (typeof ref !== "string") throw new Error(`${program} has no ref`);
  return ref;
}

/** Reads, pages, effects one by one and in a for_each, long work: what an agent does all day. */
async function work(agent: Agent): Promise<void> {
  await agent.run("Boat.page_size(1)[id]");
  await agent.run("Boat.limit(1)[id]", { wait: false });
  await agent.run("wait(s0_o1)", { wait: false });
  await agent.run("wait(s0_o1)", { wait: true });
  const program = "few = Boat.limit(2)\nfew => Boat(_.id).ping()";
  const planCommitRef = await refOf(agent, program);
  const told = await agent.run(program, { planCommitRef, wait: true });
  if (told.problem !== null) throw new Error(told.text);
}

/** What a tenant has used of its quotas. */
async function keepUse(store: Store): Promise<void> {
  const ledger = new QuotaLedger({ store, everyMs: 1_000, warn: () => undefined });
  ledger.note({ tenant: SCOPE, subject: null }, { tenant: { runs: { day: 1 } } }, null, {
    runs: 1,
  });
  await ledger.stop();
}

/** One plan that waits for an operator, one that was approved, one that was rejected. */
async function ask(agent: Agent, store: Store): Promise<void> {
  const operator = { scope: SCOPE, subject: "olga" };
  for (const id of ["b1", "b2", "b3"]) await agent.run(`Boat("${id}").delete()`);
  const [first, second] = await approvalsIn(store).list(operator);
  for (const [asked, verdict] of [
    [first, "approved"],
    [second, "rejected"],
  ] as const) {
    const uuid = asked?.["commit_uuid"];
    if (typeof uuid !== "string") throw new Error("A plan does not wait");
    await approvalsIn(store).decide(operator, uuid, verdict);
  }
}

/** What is left behind by processes that died, and what no agent of these makes. */
async function leave(store: Store, owner: string): Promise<void> {
  const place = { ref: "s0" };
  const files = sessionFiles(store, { scope: SCOPE, owner, principal: "p", place });
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("a file");
  }
  await files.put(content(), "text/plain");
  await store.insert("overlay", SCOPE, "overlay", { content: null, readingUntil: 0 });
  const gone = { scope: SCOPE, id: `${owner}/pc99` };
  await store.insert("unfinished", "", JSON.stringify([gone.scope, gone.id]), gone);
  await store.insert("setAside", "", JSON.stringify([gone.scope, gone.id]), { ...gone, at: 0 });
  await store.insert("seat", SCOPE, `session/${owner}#3`, { operation: gone.id });
  await store.insert("poll", SCOPE, gone.id, { event: 1, step: { k: 0, rows: 0 } });
  const bytes = Buffer.from("nothing names it");
  await store.putBlob(createHash("sha256").update(bytes).digest("hex"), bytes);
  await store.insert("sweep", "", "store", { at: store.now() });
  await store.insert("dropped", SCOPE, `${owner}/dropped`, { snapshot: 1, at: store.now() });
  const policy = { tenant: SCOPE, version: 1, policy: {}, by: "olga", at: store.now() };
  await store.insert("policy", SCOPE, "policy", policy);
  await store.insert("policyVersion", SCOPE, "1", policy);
  await store.insert("schedule", SCOPE, "daily", PAUSED);
  await store.insert("watched", SCOPE, "daily", { reading: 1, seq: 1, rows: {} });
  await store.insert("wake", SCOPE, "daily", { at: null, readAt: 0, toldAt: 0, seen: [] });
  const seen = { days: {}, last: {} };
  await store.insert("driftSigns", SCOPE, "quay", seen);
  await store.insert("consoleSession", "", "ann/1", {
    tenant: SCOPE,
    page: "",
    sealed: "",
    until: store.now() + 3_600_000,
  });
  await store.insert("watchEvent", SCOPE, "daily/1", {
    id: "1",
    seq: 1,
    watch: "daily",
    reading: 1,
    at: store.now(),
    kind: "vanished",
    key: { id: "b9" },
    row: null,
    cut: false,
  });
  const offer = { entryId: "shed", digest: "sha256:1" };
  const texts = { domain: "version: 1", mappings: null };
  const imported = { ...offer, ...texts, version: 1, by: "olga", at: store.now() };
  await store.insert("importedCatalog", SCOPE, offer.digest, imported);
  await store.insert("offer", SCOPE, offer.entryId, offer);
}

async function live(engine: Engine, store: Store): Promise<void> {
  const agent = await agentOn(engine, "boats", connected);
  await noteCancelled(store, connected.connection ?? "", "1");
  await work(agent);
  await ask(agent, store);
  const task = { program: "Boat.limit(1)[id]", ttl: 1_000 };
  await engine.tasks.start(LOCAL, { kind: "ref", ref: "s0" }, task);
  await engine.tasks.start(LOCAL, { kind: "ref", ref: "s0" }, { program: "Nothing" });
  const s0 = { kind: "ref", ref: "s0" } as const;
  const planned = await engine.plan(LOCAL, s0, "Boat.limit(2)[name]");
  const planCommitRef = planned.meta.plan_commit_ref;
  await engine.programs.save(LOCAL, s0, { planCommitRef, name: "two_boats" });
  const seeds = [{ api: "quay", entity: "Boat" }];
  await engine.context(LOCAL, { intent: "boats", seeds, grafts: SOME_GRAFTS });
  const unbound = await engine.context(LOCAL, { seeds, notation: "names" });
  const binding = unbound.meta["execute_binding"] as Readonly<Record<string, string>>;
  const { prompt_hash: promptHash = "", session_id: sessionId = "" } = binding;
  const address = { kind: "pair", promptHash, sessionId } as const;
  await engine.run(LOCAL, address, { program: "Boat.page_size(1)[id]" });
  await keysIn(store).add({ tenant: SCOPE, subject: "olga", role: "operator" });
}

const PAUSED: ScheduleRecord = {
  id: "daily",
  name: "two_boats",
  version: "0",
  arguments: {},
  cron: "0 7 * * *",
  zone: "UTC",
  paused: true,
  owner: principalOf(LOCAL),
  subject: LOCAL.subject,
  service: false,
  credential: { kind: "none" },
  createdAt: 0,
  next: null,
  current: null,
  runs: [],
  missed: [],
};

/**
 * Makes some of everything that a store can hold, by agents at work, by an operator, and by processes
 * that died: a record of every kind at least. The store stays open, and swept it is not.
 */
export async function someOfEverything(store: Store): Promise<void> {
  const engine = engineOn({
    store: { ...store, close: async () => undefined },
    api: boatsApi(),
    policy: POLICY,
  });
  try {
    await live(engine, store);
  } finally {
    await engine.close();
  }
  // An engine that ends takes up what it finds left.
  const [logical] = await store.list("logical", SCOPE, "");
  await leave(store, logical?.id ?? "");
  await noteAudit(store, SCOPE, { kind: "refused" });
  await keepUse(store);
  await noteNotice(store, ["nobody"], { type: "run.uncertain", tenant: SCOPE });
}
