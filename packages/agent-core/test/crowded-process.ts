import { rowLimits } from "@plasm/runtime";
import { LOCAL } from "../src/identity/caller.ts";
import { boatsApi } from "./boats-api.ts";
import { agentOn, engineOn, type Agent, type Told } from "./engine-on.ts";
import { testStore } from "./test-store.ts";

/**
 * A process of its own in which one tenant has as many operations at once as it may, whose rows do not fit its memory
 * together, while another tenant asks for a row again and again. Prints what each came to.
 */
const OPERATIONS = 32;
const PER_SESSION = 4;
const ROWS = 1_500;

const api = boatsApi(1);
const note = "n".repeat(700);
const items = Array.from({ length: ROWS }, (_, at) => ({
  id: `b${at}`,
  name: `Boat ${at}`,
  state: "moored",
  length: "10.5",
  built: "2011-04-02",
  note: `${note}${at}`,
  flags: [],
  owner: "ann",
}));
const page = { status: 200, json: { items, page: 1, total: ROWS } };
let largest = 0;
api.before = async ({ path }) => {
  largest = Math.max(largest, process.memoryUsage().heapUsed);
  return path.split("?")[0] === "/boats" ? page : null;
};
// What a heap of 128 MiB would have: the rows of a few operations at a time.
const rows = rowLimits({}, 128 * 1024 * 1024);
const engine = engineOn({ store: testStore(), api, rows });
const sessions: Agent[] = [];
for (let at = 0; at < OPERATIONS / PER_SESSION; at += 1) {
  sessions.push(await agentOn(engine, `boats ${at}`));
}
const other = await agentOn(engine, "boats", { ...LOCAL, scope: "other" });

const program = "boats = Boat\nboats.sort(name)[id, note]";
for (const agent of sessions) {
  for (let at = 0; at < PER_SESSION; at += 1) {
    await agent.run(program, { force: true, wait: false });
  }
}

/** Waits until an operation has ended, however long that takes here. */
async function ended(agent: Agent, wait: string): Promise<Told> {
  for (;;) {
    const told = await agent.run(wait, { wait: true });
    const op = told.meta["op"] as { readonly "~"?: string } | undefined;
    if (op?.["~"] === undefined || !["+", "~", "="].includes(op["~"])) return told;
  }
}

const open = new Set<Promise<string>>();
for (const [session, agent] of sessions.entries()) {
  for (let at = 1; at <= PER_SESSION; at += 1) {
    const end = ended(agent, `wait(s${session}_o${at})`).then(({ text, problem }) => {
      open.delete(end);
      return problem?.code ?? text.slice(0, 40);
    });
    open.add(end);
  }
}
const all = [...open];
let [beside, asked] = [0, 0];
while (open.size > 0) {
  asked += 1;
  const { text } = await other.run('Boat("b1")[id]');
  if (text.includes("b1") && open.size > 0) beside += 1;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
process.stdout.write(JSON.stringify({ ends: await Promise.all(all), asked, beside, largest }));
await engine.close();
