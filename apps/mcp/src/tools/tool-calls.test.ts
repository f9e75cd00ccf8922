import { Writable } from "node:stream";
import pino from "pino";
import { afterEach, expect, it } from "vitest";
import { createMcpHandler } from "../http/create-mcp-handler.ts";
import { connectTo } from "../testing/http-client.ts";
import { cleanUp, realHost, temporaryDirectory } from "../testing/real-host.ts";
import { TOOLS } from "@plasm/agent-core/internal";
import { callLogTo } from "@plasm/host";

afterEach(cleanUp);

interface Line {
  readonly level: number;
  /** what the record is named */
  readonly msg: string;
  readonly tenant: string;
  readonly outcome: string;
  readonly ref: string | null;
  readonly ms: number;
  readonly tokens_out: number;
  readonly request_id?: string;
  readonly plan_commit_ref?: string;
}

const INFO = 30;

it("A40 SURF-28 one INFO record names each tool call, a registry listing as list_registry", async () => {
  const { engine, connections } = await realHost(await temporaryDirectory());
  const lines: Line[] = [];
  const captured = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString("utf8")) as Line);
      done();
    },
  });
  const log = callLogTo(pino({ level: "info" }, captured));
  const { client } = await connectTo(createMcpHandler({ engine, connections, log }), "legacy");
  const seeds = [{ api: "quay", entity: "Boat" }];
  const program = "note = <<T\nhello\nT\nnote";
  const at = { logical_session_ref: "s0", program };
  const args: Readonly<Record<string, object>> = {
    plasm_context: { intent: "spring", seeds, notation: "names" },
    plasm: at,
    plasm_run: at,
    discover_capabilities: { intent: "boats in the harbour" },
    grafted_context_fetch: { graft_id: "g1", logical_session_ref: "s0" },
  };
  for (const { name } of TOOLS) await client.callTool({ name, arguments: { ...args[name] } });
  await client.readResource({ uri: "plasm://registry" });
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ...TOOLS.map(({ name }) => [INFO, name]),
    [INFO, "list_registry"],
  ]);
  const facts = { tenant: "anonymous", outcome: "ok" };
  const told = lines.filter(({ msg }) => msg !== "grafted_context_fetch");
  expect(told).toEqual(told.map(() => expect.objectContaining(facts) as Line));
  const named = new Map(lines.map(({ msg, ref }) => [msg, ref]));
  expect(Object.fromEntries(named)).toEqual({
    plasm_context: "s0",
    plasm: "s0",
    plasm_run: "s0",
    discover_capabilities: null,
    grafted_context_fetch: "s0",
    list_registry: null,
  });
  for (const { ms, tokens_out: tokens } of lines) {
    expect(Number.isInteger(ms) && ms >= 0).toBe(true);
    expect(tokens).toBeGreaterThan(0);
  }
  expect(JSON.stringify(lines)).not.toContain("hello");
  // OPS-60: each call of a tool has an id of its own, and programs name their plans.
  const ids = lines.filter(({ msg }) => msg !== "list_registry").map((one) => one.request_id);
  expect([ids.includes(undefined), new Set(ids).size]).toEqual([false, ids.length]);
  const refs = lines.filter(({ msg }) => msg === "plasm" || msg === "plasm_run");
  expect(refs.map((one) => one.plan_commit_ref)).toEqual(["pc0", "pc0"]);
  await client.close();
});
