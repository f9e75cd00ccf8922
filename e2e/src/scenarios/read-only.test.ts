import { describe, expect, test } from "vitest";
import { openTalk } from "../harness/callers.ts";
import { seedsOf } from "../harness/open-session.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat");

/** One server answers them all: what a process of its own would add is its start. */
const SURFACES = ["MCP 2025 over HTTP", "MCP 2026 over HTTP", "HTTP"] as const;
const CALLERS = [...SURFACES, "command line"] as const;

/** Ways to write an effect, each with a way to have it done: by name, by symbol, for each row, beside a read. */
const TRIES: readonly (readonly [program: string, how: "plan" | "run" | "force"])[] = [
  ['Boat("b1").ping()', "plan"],
  ['e1("b1").PING()', "run"],
  ["Boat.limit(2) => _.ping()", "force"],
  ['x = Boat("b1").PING()\nBoat.limit(1)', "plan"],
  ['Boat.create(name="x", owner=Person("ann"))', "force"],
];

/** The symbol of ping, as a session is taught it that may change data: it is the same one here (TEACH-8). */
async function pingSymbol(): Promise<string> {
  const agent = await world().newAgent("HTTP");
  const { text } = await agent.context({
    intent: "what ping is",
    seeds,
    replay: true,
    notation: "symbols",
  });
  expect(text).toContain("Methods change data");
  const [, symbol] = /e1\(\$\)\.(m\d+)\(\)\t\(\) ping/.exec(text) ?? [];
  if (symbol === undefined) throw new Error(`ping is not taught:\n${text}`);
  return symbol;
}

describe.each(CALLERS)("%s, a session that only reads (TEACH-25)", (caller) => {
  test("teaches reads alone; no effect is planned, run or forced; reads run", async () => {
    const ping = await pingSymbol();
    const opening = { intent: `${caller}: reads`, seeds, read_only: true };
    const talk = await openTalk(caller, world(), opening);
    expect(talk.taught).not.toMatch(/Methods change data|\bping\b|\bcreate\b/);
    expect(talk.taught).toContain("\t[Boat] · ");
    world().apis.forgetRequests();
    for (const [written, how] of TRIES) {
      const program = written.replace("PING", ping);
      const options = how === "force" ? { force: true } : {};
      const told = await (how === "plan" ? talk.plan(program) : talk.run(program, options));
      expect(told.outcome, program).toBe("failed");
      expect(told.text).toContain("changes data, and this session only reads.");
      expect(told.text).toContain("open a session without read_only, with another intent");
    }
    expect(world().apis.requests).toEqual([]);
    const read = await talk.run("Boat.limit(2)[id]");
    expect([read.outcome, read.text.split("\n")[0]]).toEqual(["done", "Boat · 2 rows"]);
    await talk.close();
  });
});

describe.each(SURFACES)("%s", (surface) => {
  test("SURF-7 SESS-15 the meta says read_only where it is so, and it stays as it was opened", async () => {
    const agent = await world().agent(surface);
    const asked = { intent: `${surface}: stays`, seeds };
    const { meta } = await agent.context({ ...asked, read_only: true });
    expect(meta).toMatchObject({ read_only: true });
    const other = await agent.context({ ...asked, read_only: false });
    expect(other.text).toContain("read_only stays true: it is fixed when a session opens.");
    expect(other.meta).toMatchObject({ read_only: true, reused: true, waves: [] });
    const more = await agent.context({ ...asked, seeds: seedsOf("quay", "Person") });
    expect(more.text).toContain("Person");
    expect(more.text).not.toContain("read_only");
    const change = await agent.context({ ...asked, intent: `${surface}: changes` });
    expect(change.meta).not.toHaveProperty("read_only");
  });

  test("SURF-18 an effect is policy-denied; a program that is wrong besides is invalid", async () => {
    const agent = await world().agent(surface);
    const asked = { intent: `${surface}: codes`, seeds, read_only: true };
    const { meta } = await agent.context(asked);
    const codeOf = (program: string) =>
      agent.plan(meta.logical_session_ref, program).then(
        () => "planned",
        (thrown: { problem: { code: string; status: number } }) =>
          `${thrown.problem.status} ${thrown.problem.code}`,
      );
    expect(await codeOf('Boat("b1").ping()')).toBe("403 plasm-policy-denied");
    expect(await codeOf('Boat("b1").ping()\nBota')).toBe("422 plasm-program-invalid");
  });
});
