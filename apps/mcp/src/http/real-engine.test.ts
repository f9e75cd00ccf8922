import { afterEach, describe, expect, it } from "vitest";
import { connectTo } from "../testing/http-client.ts";
import { cleanUp, realHost, temporaryDirectory } from "../testing/real-host.ts";
import { textOf } from "../testing/text-of.ts";

afterEach(cleanUp);

const seeds = [{ api: "quay", entity: "Boat" }];
const open = { name: "plasm_context", arguments: { intent: "spring", seeds } };
const more = {
  name: "plasm_context",
  arguments: { intent: "spring", seeds: [{ api: "yard", entity: "Boat" }] },
};
const plan = (program: string) => ({
  name: "plasm",
  arguments: { logical_session_ref: "s0", program },
});

describe.each(["legacy", "modern"] as const)("MCP over HTTP on the engine, %s era", (era) => {
  it("opens, federates, plans and reads the tables back (G10)", async () => {
    const { handler } = await realHost(await temporaryDirectory());
    const { client } = await connectTo(handler, era);
    const opened = await client.callTool(open);
    expect(textOf(opened)).toMatch(/^logical_session_ref s0\n/);
    expect(opened._meta).toMatchObject({ plasm: { logical_session_ref: "s0", reused: false } });
    const federated = textOf(await client.callTool(more));
    expect(federated).toContain("yard: e2 Boat");
    expect(federated).not.toContain("quay: Boat");
    const planned = await client.callTool(plan("e2.limit(3)"));
    expect(planned._meta).toMatchObject({ plasm: { dry_run: true, plan_commit_ref: "pc0" } });
    const { contents } = await client.readResource({ uri: "plasm://session/s0/table" });
    const [table] = contents;
    expect(table !== undefined && "text" in table ? table.text : "").toMatch(
      /quay: Boat[^]*yard: e2 Boat/,
    );
    await client.close();
  });

  it("says of an error where it is and what to do (SURF-6, ERR-010)", async () => {
    const { handler } = await realHost(await temporaryDirectory());
    const { client } = await connectTo(handler, era);
    await client.callTool(open);
    const result = await client.callTool(plan("Boat{colour=red}"));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^error unknown_slot at 1:6\n/);
    expect(result._meta).toMatchObject({
      plasm: { error: { code: "plasm-program-invalid", errors: [{ code: "unknown_slot" }] } },
    });
    await client.close();
  });

  it("tells a call without context to open one (SESS-4)", async () => {
    const { handler } = await realHost(await temporaryDirectory());
    const { client } = await connectTo(handler, era);
    const text = textOf(await client.callTool(plan("Boat")));
    expect(text).toBe("No session s0. Call plasm_context first with intent and seeds.");
    await client.close();
  });
});

describe("what a connection was sent (SESS-19)", () => {
  it("is known by its MCP-Session-Id, also after a restart (SURF-1)", async () => {
    const data = await temporaryDirectory();
    const before = await realHost(data);
    let { handler } = before;
    const { client } = await connectTo(
      { ...handler, fetch: (one) => handler.fetch(one) },
      "legacy",
    );
    await client.callTool(open);
    expect(textOf(await client.callTool(open))).toBe("s0 unchanged: Boat. Names stand.");
    await before.close();
    ({ handler } = await realHost(data));
    expect(textOf(await client.callTool(open))).toBe("s0 unchanged: Boat. Names stand.");
    await client.close();
  });

  it("is not known of another connection, nor of none", async () => {
    const { handler } = await realHost(await temporaryDirectory());
    const first = await connectTo(handler, "legacy");
    await first.client.callTool(open);
    const second = await connectTo(handler, "legacy");
    expect(textOf(await second.client.callTool(open))).toContain("has not seen the tables");
    const modern = await connectTo(handler, "modern");
    expect(textOf(await modern.client.callTool(open))).toContain("replay:true sends the tables");
    for (const { client } of [first, second, modern]) await client.close();
  });

  it("SESS-41 a conversation whose host says what it has gets what it has not", async () => {
    const { handler } = await realHost(await temporaryDirectory());
    const { client } = await connectTo(handler, "modern");
    const ask = async (known: unknown, entity = "Boat") => {
      const answer = await client.callTool({
        name: "plasm_context",
        arguments: { intent: "spring", seeds: [{ api: "quay", entity }] },
        _meta: { "plasm/known": known },
      });
      const { plasm } = answer._meta as { plasm: { tables: string; waves: readonly unknown[] } };
      return { text: textOf(answer), mark: plasm.tables, waves: plasm.waves.length };
    };
    const first = await ask([]);
    expect(await ask([])).toEqual(first);
    const notice = "s0 unchanged: Boat. Names stand.";
    expect(await ask([first.mark])).toEqual({ text: notice, mark: first.mark, waves: 0 });
    const added = await ask([first.mark], "Person");
    expect(added.text).toContain("Added from quay: Person");
    expect([added.waves, added.text.includes("replay:true")]).toEqual([1, false]);
    // What it has of the session is the least that it names; of another session it has nothing of this one.
    expect(await ask(["another", first.mark], "Person")).toEqual(added);
    const twice = [`${first.mark.split(".")[0]}.9`, "another"];
    for (const strange of [null, "another", 7, {}, twice]) {
      const whole = await ask(strange);
      expect(whole).toMatchObject({ waves: 2, mark: added.mark });
      expect(whole.text).toContain("Added from quay: Person");
    }
    await client.close();
  });
});
