import { describe, expect, test } from "vitest";
import { failureOf, type AgentFailure } from "../harness/agent-failure.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { MCP_SURFACES, SURFACES } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = seedsOf("quay", "Boat");

/** All of a failure but the id it was asked for. */
const withoutId = ({ message, problem, meta }: AgentFailure, id: string): string =>
  JSON.stringify({ message, problem, meta }).replaceAll(id, "ID");

describe.each(SURFACES)("%s", (surface) => {
  test("SESS-4 an unknown session is told to open one, dry and live alike", async () => {
    const agent = await world().agent(surface);
    const dry = await failureOf(agent.plan("s999", "Boat"));
    const live = await failureOf(agent.run("s999", "Boat"));
    for (const failure of [dry, live]) {
      expect(failure.problem).toMatchObject({ code: "plasm-unknown-session", status: 404 });
      expect(failure.message).toBe(
        surface === "HTTP"
          ? "No such session. POST /execute opens one."
          : "No session s999. Call plasm_context first with intent and seeds.",
      );
    }
    expect(live.message).toBe(dry.message);
  });

  test("F17 a page handle of another session answers as one that never was", async () => {
    const agent = await world().agent(surface);
    const mine = await openSession(agent, `${surface}: my pages`, seeds);
    const theirs = await openSession(agent, `${surface}: their pages`, seeds);
    await agent.run(theirs.ref, "Boat[id]");
    const fail = async (handle: string) => failureOf(agent.run(mine.ref, `page(${handle})`));
    // Theirs by its full name, its number under my slot, and two that never were.
    const foreign = [`${theirs.ref}_pg1`, `${mine.ref}_pg1`];
    for (const handle of foreign) {
      const invented = handle.replace("_pg1", "_pg7");
      expect(withoutId(await fail(handle), handle)).toBe(withoutId(await fail(invented), invented));
    }
  });

  test("F17 a ref of another session's plan answers as one that never was", async () => {
    const agent = await world().agent(surface);
    const mine = await openSession(agent, `${surface}: my plans`, seeds);
    const theirs = await openSession(agent, `${surface}: their plans`, seeds);
    const review = 'Boat("b1").ping()';
    await agent.plan(mine.ref, review);
    await agent.plan(theirs.ref, "Boat");
    const foreign = (await agent.plan(theirs.ref, review)).meta.plan_commit_ref;
    expect(foreign).toBe("pc1");
    const fail = (ref: string) => failureOf(agent.run(mine.ref, review, { plan_commit_ref: ref }));
    expect(withoutId(await fail(foreign), foreign)).toBe(withoutId(await fail("pc9"), "pc9"));
  });

  test("A22 each intent has a ref of its own, from s0 up", async () => {
    const agent = await world().agent(surface);
    const refs = [];
    for (const goal of ["x", "y", "z"]) {
      refs.push((await openSession(agent, `${surface}: goal ${goal}`, seeds)).ref);
    }
    const numbers = refs.map((ref) => Number(/^s(\d+)$/.exec(ref)?.[1]));
    expect(numbers).toEqual([0, 1, 2].map((step) => Number(numbers[0]) + step));
  });
});

describe.each(MCP_SURFACES)("%s", (surface) => {
  async function readError(uri: string): Promise<string> {
    const agent = await world().mcpAgent(surface);
    const outcome = await agent.readResource(uri).then(
      () => "was read",
      (thrown: { code?: unknown; message?: unknown; data?: unknown }) =>
        JSON.stringify([thrown.code, thrown.message, thrown.data]),
    );
    return outcome;
  }

  test("F17 resources of another session answer as ones that never were", async () => {
    const agent = await world().mcpAgent(surface);
    const mine = await openSession(agent, `${surface}: my results`, seeds);
    const theirs = await openSession(agent, `${surface}: their results`, seeds);
    const [step] = (await agent.run(theirs.ref, "Boat.limit(1)")).meta.steps;
    const runId = step?.run_id ?? "";
    const { prompt_hash: hash, session_id: session } = mine.meta.execute_binding;
    const place = `plasm://execute/${hash}/${session}/run/`;
    const invented = `pr${"0".repeat(64)}`;
    const foreign = await readError(`${place}${runId}`);
    expect(foreign).toContain("plasm-unknown-snapshot");
    expect(foreign.replaceAll(runId, "ID")).toBe(
      (await readError(`${place}${invented}`)).replaceAll(invented, "ID"),
    );
    const byNumber = await readError(`plasm://session/${mine.ref}/r/1`);
    const unknown = await readError(`plasm://session/${mine.ref}/r/9`);
    expect(byNumber.replaceAll("r/1", "ID")).toBe(unknown.replaceAll("r/9", "ID"));
  });

  test("SURF-10 a resource of no session, and junk, are not found", async () => {
    expect(await readError("plasm://session/s999/table")).toContain("plasm-unknown-session");
    for (const junk of ["plasm://session/s0/r/0", "plasm://nothing", "http://127.0.0.1/"]) {
      expect(await readError(junk)).toContain("plasm-unknown-snapshot");
    }
  });
});
