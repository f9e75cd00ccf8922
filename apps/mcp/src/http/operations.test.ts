import { afterEach, describe, expect, it } from "vitest";
import { connectTo } from "../testing/http-client.ts";
import { cleanUp, realHost, temporaryDirectory } from "../testing/real-host.ts";
import { textOf } from "../testing/text-of.ts";

afterEach(cleanUp);

const open = {
  name: "plasm_context",
  arguments: { intent: "spring", seeds: [{ api: "quay", entity: "Boat" }] },
};

/** A program that asks no API for anything. */
const PROGRAM = "note = <<T\nhello\nT\nnote";

const run = (program: string, more: object = {}) => ({
  name: "plasm_run",
  arguments: { logical_session_ref: "s0", program, ...more },
});

describe.each(["legacy", "modern"] as const)("long work over MCP, %s era", (era) => {
  it("G10 L2 L30 L41 OPS-23 is accepted, told on a stream, and waited for", async () => {
    const { handler } = await realHost(await temporaryDirectory());
    const { client } = await connectTo(handler, era);
    const notes: unknown[] = [];
    client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === "notifications/plasm/op") notes.push(params);
    };
    await client.callTool(open);
    const accepted = await client.callTool(run(PROGRAM, { wait: false }));
    expect(textOf(accepted)).toBe("wait(s0_o1) · verdict ok · plan `pc0`");
    // Under 2025 it comes on the stream of the connection, which the answer may overtake.
    await expect.poll(() => notes[0]).toMatchObject({ line: "s0_o1 + pc0 ok", n: 1, c: "pc0" });
    const ended = await client.callTool(run("wait(s0_o1)", { wait: true }));
    const same = await client.callTool(run(PROGRAM));
    expect(textOf(ended)).toBe(textOf(same).replaceAll("/r/2", "/r/1"));
    expect(ended._meta).toMatchObject({ plasm: { op: { "~": "!", r: 1 } } });
    await client.close();
  });

  it("OPS-25 tells the steps of a run to a progress token", async () => {
    const { handler } = await realHost(await temporaryDirectory());
    const { client } = await connectTo(handler, era);
    await client.callTool(open);
    const told: unknown[] = [];
    await client.callTool(run(PROGRAM), { onprogress: (progress) => void told.push(progress) });
    expect(told[0]).toMatchObject({ progress: 1, total: 1 });
    expect(told[0]).toMatchObject({ message: expect.stringMatching(/^step 1\/1 · note · /) });
    await client.close();
  });
});
