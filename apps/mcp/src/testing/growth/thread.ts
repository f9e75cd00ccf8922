import { LOCAL } from "@plasm/agent-core";
import { TOOLS } from "@plasm/agent-core/internal";
import { serveTrials } from "@plasm/testkit";
import { callTool } from "../../tools/call-tool.ts";
import { cleanUp, realHost, temporaryDirectory } from "../real-host.ts";
import type { DrawnCall } from "./tool-calls.ts";

// Nothing behind the catalogs: what a call asks of an API fails, and is told.
const { engine } = await realHost(await temporaryDirectory());

/** Calls a tool of a real engine; throws for what is a defect of its own. */
async function tried({ tool: name, args }: DrawnCall): Promise<void> {
  const tool = TOOLS.find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const result = await callTool(tool, { engine, caller: LOCAL }, args);
  const said = JSON.stringify(result);
  if (/plasm-internal|Internal error/.test(said)) throw new Error(said.slice(0, 4_000));
}

await serveTrials(
  tried,
  [
    {
      tool: "plasm_context",
      args: { intent: "list the boats", seeds: [{ api: "quay", entity: "Boat" }] },
    },
    { tool: "plasm", args: { logical_session_ref: "s0", program: "Boat.limit(1)" } },
    { tool: "plasm_run", args: { logical_session_ref: "s0", program: "page(s0_pg1)" } },
    { tool: "discover_capabilities", args: { intent: "boats" } },
  ],
  cleanUp,
);
