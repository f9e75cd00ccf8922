import { actingIn, eachEffect, halfPairsIn, readAnswer, readTables } from "@plasm/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { McpAgentClient } from "../harness/agent-client.ts";
import { AgentFailure } from "../harness/agent-failure.ts";
import { connectHttp, connectStdio } from "../harness/mcp-connect.ts";
import { plasmCommand } from "../harness/plasm-command.ts";
import { runProcess } from "../harness/run-process.ts";
import { EVERYTHING } from "./hostile-api.ts";
import { GRAFTS, ROWS, SAYABLE, SEEDS } from "./hostile-caller.ts";
import { openHostileWorld, type HostileWorld } from "./hostile-world.ts";
import { looked } from "./looked-at.ts";
import { screenOf } from "./on-terminal.ts";

let world: HostileWorld;
let logged = "";
beforeAll(async () => {
  world = await openHostileWorld();
}, 60_000);
afterAll(() => world.close());

/** What is said of an operation on the way to its end (OPS-18). */
const EVENTS = /^s\d+_o\d+ [+~=!x?](?: .*)?(?:\n|$)/gm;

/** The heads of the lines that something foreign might feign. */
const HEADS = /^(?:failed at|effects:|error|fix:|try:|done|Boat ·)/gm;

const TRANSPORTS = ["2026 over HTTP", "2026 over stdio", "2025 over HTTP"] as const;

const connect = (transport: (typeof TRANSPORTS)[number]): Promise<McpAgentClient> => {
  if (transport === "2026 over HTTP") return connectHttp("2026", world.url);
  if (transport === "2025 over HTTP") return connectHttp("2025", world.url);
  return connectStdio("2026", world.place, (text) => (logged += text));
};

/** The text of a call, whatever came of it. */
async function told(asked: Promise<{ readonly text: string }>): Promise<string> {
  try {
    return looked((await asked).text, "an answer");
  } catch (thrown) {
    if (thrown instanceof AgentFailure) return looked(thrown.message, "a failure");
    throw thrown;
  }
}

describe.each(TRANSPORTS)(
  "P16, P24: MCP %s between a hostile API, catalog and caller",
  (transport) => {
    let agent: McpAgentClient;
    let ref = "";
    const run = (program: string, more: object = {}) =>
      told(
        agent.callTool("plasm_run", {
          logical_session_ref: ref,
          program,
          wait: true,
          force: true,
          ...more,
        }),
      );
    const resource = async (path: string): Promise<string> =>
      looked((await agent.readResource(`plasm://${path}`)).text, path);

    beforeAll(async () => {
      agent = await connect(transport);
      const asked = { intent: SAYABLE, seeds: SEEDS, notation: "names" };
      const opened = await agent.callTool("plasm_context", { ...asked, grafts: GRAFTS });
      ref = (opened.meta as { readonly logical_session_ref: string }).logical_session_ref;
      looked(opened.text, "plasm_context");
    }, 60_000);
    afterAll(() => agent.close());

    it("tables, documents and the registry, as resources", async () => {
      expect(readTables(await resource(`session/${ref}/table`))).toMatchObject([
        { heading: "quay: Boat" },
      ]);
      expect((await resource(`session/${ref}/g`)).match(/^- `g01` /gm)).toHaveLength(1);
      expect(JSON.parse(await resource("registry"))).toMatchObject([{ entry_id: "quay" }]);
      const body = await agent.readResource(`plasm://session/${ref}/g/g01`);
      // A document is given as its bytes are (GRAFT-11).
      expect(body.text).toBe(SAYABLE);
      const found = await agent.callTool("discover_capabilities", { intent: SAYABLE });
      looked(found.text, "discover_capabilities");
    });

    it("rows, snapshots, effects, plans and operations", async () => {
      expect(readAnswer(await run(ROWS)).results[0]?.rowCount).toBe(12);
      const snapshot = JSON.parse(await resource(`session/${ref}/r/1`)) as {
        rows: readonly object[];
      };
      expect(snapshot.rows).toHaveLength(12);
      const pinging = "Boat.limit(12) => Boat(_.id).ping()";
      expect(readAnswer(await run(pinging)).effects).toHaveLength(12);
      await told(agent.callTool("plasm", { logical_session_ref: ref, program: pinging }));
      const begun = await run(pinging, { wait: false });
      const [handle = ""] = /s\d+_o\d+/.exec(begun) ?? [];
      const ended = await run(`wait(${handle})`);
      const effects = ended.split("\n").flatMap(eachEffect);
      expect(effects.filter((line) => line.startsWith("done "))).toHaveLength(12);
    });

    it("what is refused by the API, by the language and by us", async () => {
      const failed = await run('Boat("b1")');
      expect(failed.match(HEADS), failed).toEqual(["failed at", "error", "fix:"]);
      await run(EVERYTHING);
      const refusals = await Promise.all([
        run("Boat", { plan_commit_ref: EVERYTHING }),
        run("Boat", { [EVERYTHING]: 1 }),
        told(agent.callTool("plasm_run", { logical_session_ref: EVERYTHING, program: "Boat" })),
        told(
          agent.callTool("plasm_context", {
            intent: SAYABLE,
            seeds: [{ api: SAYABLE, entity: "a" }],
          }),
        ),
        told(
          agent.callTool("grafted_context_fetch", { graft_id: SAYABLE, logical_session_ref: ref }),
        ),
      ]);
      for (const text of refusals)
        expect(text).not.toMatch(/^(?:done|error|fix:|s0_o1|System:|```)/m);
      await expect(agent.readResource(`plasm://session/${ref}/g/${SAYABLE}`)).rejects.toSatisfy(
        (thrown: Error) => actingIn(thrown.message).length + halfPairsIn(thrown.message) === 0,
      );
    });
  },
);

it("what a server over stdio logs is lines of JSON", { timeout: 60_000 }, async () => {
  await expect.poll(() => logged, { timeout: 30_000 }).toMatch(/plasm_run.*\n/);
  // What comes after its last line end is not whole yet.
  const lines = looked(logged, "the log").split("\n").slice(0, -1);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty("level");
});

describe("P16, SURF-20: the command line between a hostile API, catalog and caller", () => {
  const plasm = (...args: readonly string[]) =>
    plasmCommand(args, {
      PLASM_WORKSPACE: world.directory,
      PLASM_OPERATOR_KEY: world.operatorKey,
    });
  /** What is said to a pipe: stdout and stderr. */
  const said = async (...args: readonly string[]) => {
    const { stdout, stderr } = await runProcess(plasm(...args));
    return looked(`${stdout}${stderr}`, args.join(" ").slice(0, 40)).trimEnd();
  };
  const shown = async (...args: readonly string[]) =>
    looked(await screenOf(plasm(...args)), args.join(" ").slice(0, 40)).trimEnd();

  beforeAll(async () => {
    await said("init", "--server", world.url);
    await said("context", "-i", SAYABLE, "quay:Boat", "--names");
    await said("run", "--wait", "-e", `Boat("b1").update(note=${JSON.stringify(SAYABLE)})`);
  }, 60_000);

  it.each([
    ["a pipe", said],
    ["a terminal", shown],
  ] as const)(
    "rows, refusals and plans that wait, on %s",
    { timeout: 60_000 },
    async (_on, out) => {
      const rows = (await out("run", "--wait", "-e", ROWS)).replace(EVENTS, "");
      expect(readAnswer(rows).results[0]?.rowCount).toBe(12);
      const failed = (await out("run", "--wait", "-e", 'Boat("b1")')).replace(EVENTS, "");
      expect(failed.match(HEADS), failed).toEqual(["failed at", "error", "fix:"]);
      const listed = await out("approvals");
      expect(listed.match(/^[0-9a-f-]{36} · local · since /gm)).toHaveLength(1);
    },
  );
});
