import { LOCAL } from "@plasm/agent-core";
import { setAsideOperationsIn } from "@plasm/agent-core/internal";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { agentOn, engineOn } from "../../agent-core/test/engine-on.ts";
import { openPostgresStore } from "../src/postgres/open.ts";
import { openSqliteStore } from "../src/sqlite/open.ts";

/**
 * A process that ends where an operation of it asks for the boat b1, like one that has no memory left. It accepts that
 * operation where it is told so, recovers what others left, and says how the operation stands when it has ended.
 */
const [address = "", does = ""] = process.argv.slice(2);

const store = address.startsWith("postgres")
  ? await openPostgresStore({ url: address })
  : await openSqliteStore({ dataDir: address });
const api = boatsApi(3);
api.before = async ({ path }) => {
  if (!path.endsWith("/b1")) return null;
  process.kill(process.pid, "SIGKILL");
  return new Promise(() => undefined);
};
const engine = engineOn({ store, api, leaseMs: 1_000 });
const agent = await agentOn(engine);
if (does === "accept") await agent.run('Boat("b1")', { wait: false });
const told = await agent.run("wait(s0_o1)", { wait: true });
const beside = await agent.run('Boat("b2")[id]');
const operator = { scope: LOCAL.scope, subject: "olga" };
const listed = await setAsideOperationsIn(store).list(operator);
process.stdout.write(JSON.stringify({ told: told.text, beside: beside.text, listed }));
await engine.close();
