import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();

interface Call {
  readonly tool: string;
  readonly args: string;
  /** what the page says that the answer has */
  readonly answer: string | null;
}

/** The calls of a page, each with the answer that is printed right below it. */
function callsOf(page: string): readonly Call[] {
  const fence = /^```json (\w+)\n([^]*?)\n```$(?:\n\n```text\n([^]*?)\n```$)?/gm;
  return [...page.matchAll(fence)].map(([, tool = "", args = "", answer]) => ({
    tool,
    args,
    answer: answer ?? null,
  }));
}

test("docs/programs.md SAV-10 SAV-11 SAV-12 SAV-13 SAV-14: every call answers what the page says", async () => {
  const page = await readFile(new URL("../../../docs/programs.md", import.meta.url), "utf8");
  const calls = callsOf(page);
  expect(calls).toHaveLength(page.split("```json ").length - 1);
  expect(calls.length).toBeGreaterThan(5);
  const agent = await world().mcpAgent("MCP 2026 over HTTP");
  for (const { tool, args, answer } of calls) {
    const { text } = await agent.callTool(tool, JSON.parse(args) as object);
    for (const line of (answer ?? "").split("\n")) expect(text).toContain(line);
    const runs = answer === null && tool === "plasm_run";
    expect(text).toMatch(runs ? /· [1-9]\d* rows?|^saved /u : /./u);
  }
});
