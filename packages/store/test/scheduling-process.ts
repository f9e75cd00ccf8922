import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type Caller, LOCAL, type Store } from "@plasm/agent-core";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { engineOn } from "../../agent-core/test/engine-on.ts";
import { openSqliteStore } from "../src/sqlite/open.ts";

/**
 * A server with one schedule whose program changes something, as policy lets it without review. It is killed in the transaction of its
 * run that it is told, before or after that is kept; with none it goes on until no run is under way. What it sends is written to a file.
 * As a watch it compares boats, of which there is one more each hour.
 */
const [dataDir = "", at = "0", kill = "", when = "", watch = ""] = process.argv.slice(2);

const BOAT = {
  state: "moored",
  length: "10.5",
  built: "2011-04-02",
  note: "",
  flags: [],
  owner: "ann",
};
const ANN: Caller = { ...LOCAL, scope: "acme", subject: "ann" };
const TEXT =
  ';; name: move\n;; description: Moves a boat\n;; parameters:\n;; shared: no\n;; entities: quay.Boat\n\nBoat("b1").send(to="dock")\n';

const WATCHED =
  ";; name: move\n;; description: Boats\n;; parameters:\n;; shared: no\n;; entities: quay.Boat\n\nBoat[id, name]\n";
const HOUR = 3_600_000;

let now = Number(at);
const kept = await openSqliteStore({ dataDir, now: () => now });
let seen = 0;
let counting = false;
const die = (): Promise<never> => {
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => undefined);
};
const transaction: Store["transaction"] = async (work, until) => {
  const mine = counting ? (seen += 1) : 0;
  if (String(mine) === kill && when === "before") return die();
  const done = await kept.transaction(work, until);
  if (String(mine) === kill && when === "after") return die();
  return done;
};
const store: Store = new Proxy(kept, {
  get: (target, name) => {
    if (name === "transaction") return transaction;
    const value: unknown = Reflect.get(target, name);
    return typeof value === "function" ? (value.bind(target) as unknown) : value;
  },
});

const api = boatsApi(3);
api.before = async ({ method, path }) => {
  if (watch !== "" && path === "/boats") {
    const count = Math.floor((now % (24 * HOUR)) / HOUR);
    const items = Array.from({ length: count }, (_, n) => ({
      ...BOAT,
      id: `b${n}`,
      name: `Boat ${n}`,
    }));
    return { status: 200, json: { items, page: 1, total: count } };
  }
  if (method !== "GET") appendFileSync(join(dataDir, "sent"), `${new Date(now).toISOString()}\n`);
  return null;
};

let version = "";
const policies = {
  policyOf: () => ({ programs: { move: { version: version || "0".repeat(64), effects: 1 } } }),
};
const opened = (lookEveryMs: number) => engineOn({ store, api, policies, lookEveryMs });
// Not before its policy is known does it look for what is due.
const first = opened(100_000);
const saved =
  (await first.programs.list(ANN))[0] ??
  (await first.programs.import(ANN, watch === "" ? TEXT : WATCHED));
({ version } = saved);
const made =
  (await first.schedules.list(ANN))[0] ??
  (await first.schedules.create(ANN, {
    program: "move",
    cron: "0 * * * *",
    ...(watch === "" ? {} : { watch: true }),
  }));
counting = kill !== "setup";
const engine = opened(10);
if (kill !== "setup") {
  for (;;) {
    const view = await engine.schedules.find(ANN, made.schedule_uuid);
    if (view.current === null && view.next_at !== null && Date.parse(view.next_at) > now) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
    // What was claimed by who died, and what has begun, is looked at later.
    now += 1_000;
  }
}
const view = await engine.schedules.find(ANN, made.schedule_uuid);
const operations = (await store.list("operation", "acme", "")).length;
const events =
  watch === "" ? [] : (await engine.schedules.events(ANN, made.schedule_uuid, null)).events;
process.stdout.write(JSON.stringify({ seen, view, operations, events }));
await engine.close();
process.exit(0);
