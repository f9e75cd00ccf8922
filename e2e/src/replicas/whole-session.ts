import assert from "node:assert/strict";
import { seedsOf } from "../harness/open-session.ts";
import type { Speaker } from "./speaker.ts";

const BOAT = seedsOf("quay", "Boat");
const MORE = [...seedsOf("quay", "Person", "Visit"), ...seedsOf("yard", "Boat", "Part")];

const GRAFTS = {
  name: "rules",
  manifest_path: "sets/rules.yaml",
  created_ts: "2026-01-05T09:00:00Z",
  items: [
    { graft_id: "g01", source: "git", path: "a.md", mime: "text/markdown", content: "Moor well." },
  ],
};

const EFFECTS = `made = e1.create(name="Replica", owner=Person("ann"), note="made")
made => e1(_.id).update(name=_.note, state=sailing)
e1("b1").ping()
made => e1(_.id).delete()`;

const JOINED = `mine = Person("ann").boats[id, name]
mine`;

const refIn = (text: string): string => /\b(pc\d+)\b/.exec(text)?.[1] ?? "pc99";

/** A handle that a text tells to call: `s0_o1`, `s0_pg1`. */
const handleIn = (text: string, kind: "o" | "pg"): string =>
  new RegExp(`\\b(s\\d+_${kind}\\d+)\\b`).exec(text)?.[1] ?? `s99_${kind}1`;

/** Whether what is told of an operation is its end. */
const hasEnded = (text: string): boolean => !/^s\d+_o\d+ [+~=]/.test(text);

/** How often an operation is waited for: a replica that died with it is replaced in half a minute. */
const WAITS = 60;

async function contexts(speaker: Speaker, intent: string): Promise<void> {
  await speaker.run("e1");
  await speaker.discover("boats and the people who own them");
  await speaker.context({ intent, seeds: BOAT });
  await speaker.context({ intent, seeds: BOAT });
  await speaker.context({ intent, seeds: [...BOAT, ...MORE] });
  await speaker.context({ intent, seeds: seedsOf("quay", "Nothing") });
  await speaker.context({ intent, seeds: BOAT, grafts: GRAFTS });
  await speaker.graft("g01");
}

async function programs(speaker: Speaker): Promise<void> {
  await speaker.plan("e1{length>12}[id]");
  const planned = await speaker.plan(EFFECTS);
  assert.match(await speaker.run(EFFECTS), /review pc\d+: not run \(no ref\)/);
  const options = { plan_commit_ref: refIn(planned) };
  assert.match(await speaker.run(EFFECTS, options), /^done delete quay\.Boat b\d+$/m);
  await speaker.run(EFFECTS, options);
  await speaker.explain(JOINED);
  await speaker.run(JOINED);
  await speaker.run("e1{colour=red}");
}

async function pages(speaker: Speaker): Promise<void> {
  const first = await speaker.run("Person.page_size(2)[login]");
  const handle = handleIn(first, "pg");
  await speaker.run(`page(${handle})`);
  await speaker.run(`page(${handle}, limit=100)`);
  await speaker.run(`page(${handle})`);
}

/** The end alone is of the session: how often it was waited for depends on the machine. */
async function longWork(speaker: Speaker, forget: () => void): Promise<void> {
  const accepted = await speaker.run("e1{length>12}[id]", { force: true, wait: false });
  const handle = handleIn(accepted, "o");
  let told = await speaker.run(`wait(${handle})`);
  for (let wait = 1; wait < WAITS && !hasEnded(told); wait += 1) {
    forget();
    told = await speaker.run(`wait(${handle})`);
  }
  assert.match(told, /^e1 · 35 rows|^Boat · 35 rows/);
  await speaker.run(`cancel(${handle})`);
}

async function whatIsKept(speaker: Speaker, intent: string): Promise<void> {
  await speaker.snapshot(1);
  await speaker.snapshot(5);
  await speaker.table();
  await speaker.context({ intent, seeds: MORE, replay: true });
  await speaker.context({ intent: `${intent}, the next`, seeds: BOAT });
  await speaker.run('e1("b2")[id, name]');
}

/** A session with everything sessions have, call by call. `forget` has the last answer not kept. */
export async function wholeSession(
  speaker: Speaker,
  intent: string,
  forget: () => void,
): Promise<void> {
  await contexts(speaker, intent);
  await programs(speaker);
  await pages(speaker);
  await longWork(speaker, forget);
  await whatIsKept(speaker, intent);
}
