import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, it } from "vitest";
import {
  cleanUp,
  COMPILE_CACHE,
  fixture,
  plasmCommand,
  temporaryDirectory,
} from "../testing/spawn-plasm.ts";

afterEach(cleanUp);

const modes = { legacy: "legacy", modern: { pin: "2026-07-28" } } as const;
type Era = keyof typeof modes;

/** A real client of `plasm serve --stdio`, as an MCP host starts it. */
async function connect(era: Era, data: string) {
  const { command, args } = plasmCommand;
  const serve = ["serve", "--stdio", "--data", data, "--catalogs", fixture("quay")];
  const transport = new StdioClientTransport({
    command,
    args: [...args, ...serve],
    env: { PATH: process.env["PATH"] ?? "", PLASM_LOG: "warn", NODE_COMPILE_CACHE: COMPILE_CACHE },
    stderr: "pipe",
  });
  const errors: string[] = [];
  transport.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const client = new Client(
    { name: "test", version: "1" },
    { versionNegotiation: { mode: modes[era] } },
  );
  client.onerror = (error) => errors.push(error.message);
  await client.connect(transport);
  return { client, errors };
}

type Result = Awaited<ReturnType<Client["callTool"]>>;

function textOf(result: Result): string {
  const [first] = result.content;
  return first?.type === "text" ? first.text : "";
}

const seeds = [{ api: "quay", entity: "Boat" }];
const open = { name: "plasm_context", arguments: { intent: "spring", seeds } };
const plan = {
  name: "plasm",
  arguments: { logical_session_ref: "s0", program: "Boat{state=moored}.limit(3)" },
};

describe.each(["legacy", "modern"] as const)("plasm serve --stdio, %s era (SURF-1, G10)", (era) => {
  it("opens a session, plans in it, and reads its table; it is one connection (SESS-19)", async () => {
    const { client, errors } = await connect(era, await temporaryDirectory());
    const opened = await client.callTool(open);
    expect(textOf(opened)).toMatch(/^logical_session_ref s0\n/);
    const planned = await client.callTool(plan);
    expect(textOf(planned)).toContain("pc0");
    const { contents } = await client.readResource({ uri: "plasm://session/s0/table" });
    expect(contents).toHaveLength(1);
    expect(textOf(await client.callTool(open))).toBe("s0 unchanged: e1 Boat. Symbols stand.");
    await client.close();
    expect(errors).toEqual([]);
  });

  it("goes on in a new process with the ref it had (SESS-4, SESS-35)", async () => {
    const data = await temporaryDirectory();
    const before = await connect(era, data);
    await before.client.callTool(open);
    await before.client.close();
    const after = await connect(era, data);
    const planned = await after.client.callTool(plan);
    expect(planned.isError).toBeUndefined();
    const again = textOf(await after.client.callTool(open));
    expect(again).toContain("This connection has not seen the tables");
    await after.client.close();
  });
});
