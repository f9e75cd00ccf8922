/**
 * A host as small as one can be: an engine with everything real on the embedded store, that its parent
 * talks to over the process channel, or on a PostgreSQL with the queue of its replicas. It starts in half
 * the time of the whole command, and can be made to stand still where no network and no timing could catch it.
 */
import { basename } from "node:path";
import { LOCAL, type Engine } from "@plasm/agent-core";
import { DEFAULT_LIMITS } from "@plasm/runtime";
import { openEngine } from "../engine/open-engine.ts";
import type { HostAnswer, HostCall, HostMessage, HostQuestion, StopPoint } from "./protocol.ts";
import { stoppingStore } from "./stopping-store.ts";

const [dataDir = "", quay = "", clockAhead = "", databaseUrl = "", other = ""] =
  process.argv.slice(2);

/** A replica looks often for what is left: it is not told that the clock was put ahead. */
const LOOK_MS = 500;

/** Wall time of a run that a caller waits for. */
const WALL_SECONDS = 3_600;

/** How long a host may take to end by itself. */
const CLOSE_MS = 10_000;

let stopAt: StopPoint | null = null;
let ahead = Number(clockAhead);
/** how often each kind of point was passed since the one to stop at was said */
const passed = new Map<StopPoint["at"], number>();

const say = (message: HostMessage): void => void process.send?.(message);

async function reached(at: StopPoint["at"], effect: number | null): Promise<void> {
  const times = (passed.get(at) ?? 0) + 1;
  passed.set(at, times);
  if (stopAt?.at !== at || stopAt.nth !== (effect ?? times)) return;
  say({ kind: "stopped" });
  await new Promise<never>(() => undefined);
}

const DONE: HostAnswer = { text: "", meta: {}, problem: null };

async function answerTo(engine: Engine, asked: HostCall): Promise<HostAnswer> {
  switch (asked.call) {
    case "context":
      return { ...(await engine.context(LOCAL, asked.request)), problem: null };
    case "plan": {
      const at = { kind: "ref", ref: asked.ref } as const;
      return { ...(await engine.plan(LOCAL, at, asked.program)), problem: null };
    }
    case "run": {
      const at = { kind: "ref", ref: asked.ref } as const;
      const { program, commit, wait } = asked;
      const request = { program, wait, ...(commit === null ? {} : { planCommitRef: commit }) };
      const { text, meta } = await engine.run(LOCAL, at, request);
      return { text, meta, problem: null };
    }
    case "stop at":
      stopAt = asked.point;
      passed.clear();
      return DONE;
    case "put clock ahead":
      ahead = asked.by;
      return DONE;
  }
}

async function reply(engine: Engine, { id, asked }: HostQuestion): Promise<void> {
  const answer = await answerTo(engine, asked).catch((thrown: unknown): HostAnswer => {
    const problem = engine.problemOf(thrown);
    return { text: problem.text, meta: problem.meta, problem };
  });
  say({ kind: "answer", id, answer });
}

const engine = await openEngine({
  dataDir,
  // The clock that is put ahead spends it, and so does a busy machine.
  limits: { ...DEFAULT_LIMITS, wall: WALL_SECONDS },
  ...(databaseUrl === "" ? {} : { databaseUrl, lookEveryMs: LOOK_MS }),
  now: () => Date.now() + ahead,
  backends: new Map([[other === "" ? "quay" : basename(other), quay]]),
  ...(other === "" ? {} : { catalogs: [other] }),
  around: (store) => stoppingStore(store, reached),
});
process.on("message", (question: HostQuestion) => void reply(engine, question));
process.once("disconnect", () => {
  // One that stands still never comes to its end.
  setTimeout(() => process.exit(1), CLOSE_MS).unref();
  void engine.close();
});
say({ kind: "ready" });
