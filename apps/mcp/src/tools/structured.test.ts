import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectTo } from "../testing/http-client.ts";
import { cleanUp, realHost, temporaryDirectory } from "../testing/real-host.ts";
import { textOf } from "../testing/text-of.ts";

const NOTE = Array.from({ length: 9_000 }, (_, n) => `word ${n}`).join(" ");
const SETTING = "PLASM_MCP_STRUCTURED_CONTENT";
const seeds = [{ api: "quay", entity: "Boat" }];
const item = { graft_id: "g01", source: "git", path: "a.md", content: "Prune in spring." };
const grafts = { name: "n", manifest_path: "m", created_ts: "t", items: [item] };
const program = { logical_session_ref: "s0", program: 'Boat("b1")[id, note]' };

/** Every tool with an answer, and with an error, in the order in which they can be called. */
const CALLS = [
  ["plasm_context", { intent: "spring", seeds, grafts }, { intent: "spring", seeds: [] }],
  ["plasm", program, { ...program, program: "Boat{colour=red}" }],
  ["plasm_run", program, { ...program, program: "wait(s0_o9)" }],
  ["discover_capabilities", { intent: "boats" }, { intent: "" }],
  ["grafted_context_fetch", { graft_id: "g01" }, { graft_id: "g99" }],
] as const;

const api = createServer((_request, response) => {
  const boat = { id: "b1", name: "Alma", owner: "ann", length: 9.5, state: "moored", note: NOTE };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(boat));
});

beforeAll(() => new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise<void>((resolve) => void api.close(() => resolve())));
afterEach(cleanUp);

async function clientWith(setting: "on" | "off", era: "legacy" | "modern") {
  const { port } = api.address() as AddressInfo;
  const env = { [SETTING]: setting, PLASM_BACKEND_QUAY: `http://127.0.0.1:${port}` };
  const { handler } = await realHost(await temporaryDirectory(), env);
  return (await connectTo(handler, era)).client;
}

describe.each(["legacy", "modern"] as const)("structured content, %s era (G11, SURF-5)", (era) => {
  it("off: text and _meta.plasm only, no output schema, errors included", async () => {
    const client = await clientWith("off", era);
    const { tools } = await client.listTools();
    expect(tools.filter((tool) => "outputSchema" in tool)).toEqual([]);
    for (const [name, good, bad] of CALLS) {
      for (const args of [good, bad]) {
        const result = await client.callTool({ name, arguments: args });
        expect([name, Object.keys(result)]).not.toContain("structuredContent");
        expect("structuredContent" in result).toBe(false);
        expect(result.content).toHaveLength(1);
      }
    }
    await client.close();
  });

  it("on: every tool says as data what its text says, errors included", async () => {
    const client = await clientWith("on", era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(CALLS.map(([name]) => name));
    expect(tools.filter((tool) => !("outputSchema" in tool))).toEqual([]);
    for (const [name, good, bad] of CALLS) {
      // The client checks what it gets by the output schemas that it has listed.
      const answer = await client.callTool({ name, arguments: good });
      expect([name, answer.isError ?? false]).toEqual([name, false]);
      expect(answer.structuredContent).toMatchObject({ text: textOf(answer) });
      const failed = await client.callTool({ name, arguments: bad });
      expect([name, failed.isError]).toEqual([name, true]);
      const { error } = (failed._meta as { plasm: { error: { code: string; status: number } } })
        .plasm;
      expect(failed.structuredContent).toMatchObject({
        text: textOf(failed),
        error: { code: error.code, status: error.status },
      });
    }
    await client.close();
  });

  it("on: a context names its waves, a run has the rows of its text, cut as they are there", async () => {
    const client = await clientWith("on", era);
    const [[, context]] = CALLS;
    const opened = await client.callTool({ name: "plasm_context", arguments: context });
    expect(opened.structuredContent).toMatchObject({
      logical_session_ref: "s0",
      waves: [{ entry_id: "quay", entities: { e1: "Boat" } }],
    });
    const ran = await client.callTool({ name: "plasm_run", arguments: program });
    const { results } = ran.structuredContent as {
      results: readonly { rows: readonly { id: string; note: string }[] }[];
    };
    expect(results).toMatchObject([
      {
        columns: ["id", "note"],
        row_count: 1,
        shown: 1,
        clipped: ["note"],
        partial: null,
        snapshot: "plasm://session/s0/r/1",
        next: null,
      },
    ]);
    const [row] = results[0]?.rows ?? [];
    expect(row?.id).toBe("b1");
    expect(row?.note).toMatch(/^word 0 word 1 .*\(\+\d+\)$/);
    expect(textOf(ran)).toContain(`b1\t${row?.note}`);
    await client.close();
  });
});
