import { createInterface } from "node:readline";
import { boatsApi } from "./boats-api.ts";
import { type Agent, agentOn, engineOn, type Told } from "./engine-on.ts";
import { testStore } from "./test-store.ts";

/** What a process is asked to do by a line of JSON on its standard input; it goes on to the next after each. */
export interface Attack {
  readonly program: string;
  /** how many boats its API has */
  readonly boats: number;
}

/** What its calls came to, each a line of JSON on its standard output; the last of an attack is `other`. */
export interface Survived {
  /** the dry run, the run that is waited for, the operation that is waited for, a small run beside them all */
  readonly call: "plan" | "run" | "operation" | "other";
  /** the problem's code, or `ok` */
  readonly code: string;
  readonly text: string;
}

function tell(call: Survived["call"], { text, problem }: Told): void {
  const survived: Survived = { call, code: problem?.code ?? "ok", text: text.slice(0, 20_000) };
  process.stdout.write(`${JSON.stringify(survived)}\n`);
}

/** Waits until an operation has ended, however long that takes here. */
async function ended(agent: Agent, wait: string): Promise<Told> {
  for (;;) {
    const told = await agent.run(wait, { wait: true });
    const op = told.meta["op"] as { readonly "~"?: string } | undefined;
    if (op?.["~"] === undefined || !["+", "~", "="].includes(op["~"])) return told;
  }
}

async function endure({ program, boats }: Attack): Promise<void> {
  const engine = engineOn({ store: testStore(), api: boatsApi(boats) });
  const agent = await agentOn(engine);
  const planned = await agent.plan(program);
  tell("plan", planned);
  if (planned.problem === null) {
    tell("run", await agent.run(program, { force: true, wait: true }));
    await agent.run(program, { force: true, wait: false });
    tell("operation", await ended(agent, "wait(s0_o1)"));
  }
  tell("other", await agent.run('Boat("b1")[id]'));
  await engine.close();
}

for await (const line of createInterface({ input: process.stdin })) {
  await endure(JSON.parse(line) as Attack);
}
