import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { failureOf } from "../harness/agent-failure.ts";
import { seedsOf } from "../harness/open-session.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();

interface Example {
  readonly program: string;
  readonly mistaken: boolean;
  /** what the page says the answer is */
  readonly answer: string | null;
}

/** The fenced programs of a page, each with the answer that is printed right below it. */
function examplesOf(page: string): readonly Example[] {
  const fence = /^```plasm( error)?\n([^]*?)\n```$(?:\n\n```text\n([^]*?)\n```$)?/gm;
  return [...page.matchAll(fence)].map(([, mistaken, program = "", answer]) => ({
    program,
    mistaken: mistaken !== undefined,
    answer: answer ?? null,
  }));
}

const page = await readFile(new URL("../../../docs/language.md", import.meta.url), "utf8");
const examples = examplesOf(page);
const seeds = seedsOf("quay", "Boat", "Log", "Office", "Paper", "Person", "Visit");

describe("docs/language.md", () => {
  test("all of its programs are found", () => {
    expect(examples).toHaveLength(page.split("```plasm").length - 1);
    expect(examples.length).toBeGreaterThan(20);
  });

  const open = async () => {
    const agent = await world().agent("MCP 2026 over HTTP");
    const { meta } = await agent.context({ intent: "learn the language", seeds });
    return { agent, ref: meta.logical_session_ref };
  };

  test.each(examples.filter(({ mistaken }) => !mistaken))("$program", async (example) => {
    const { agent, ref } = await open();
    const { plan_commit_ref } = (await agent.plan(ref, example.program)).meta;
    const run = await agent.run(ref, example.program, { plan_commit_ref });
    expect(run.results.length).toBeGreaterThan(0);
    for (const { rows, name } of run.results) expect(rows.length, name).toBeGreaterThan(0);
    expect(run.text.replaceAll(/^```(tsv)?\n/gm, "")).toContain(example.answer ?? "");
  });

  test.each(examples.filter(({ mistaken }) => mistaken))("$program", async (example) => {
    const { agent, ref } = await open();
    const failure = await failureOf(agent.run(ref, example.program));
    expect(example.answer).not.toBeNull();
    expect(failure.message).toContain(example.answer);
  });
});
