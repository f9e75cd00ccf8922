import { describe, expect, it } from "vitest";
import { callTool, httpTold, requestOf, type Told } from "./gate-agent.ts";
import { useGateWorld } from "./use-gate-world.ts";

const INTENT = "boats to paint";
const SEEDS = [{ api: "quay", entity: "Boat" }];

const world = useGateWorld();

const context = (args: object): Promise<Told> => callTool(world().fetch, "plasm_context", args);
const execute = async (body: object): Promise<Response> =>
  world().fetch(requestOf("POST", "/execute", body));

const NO_INTENT = /^intent is missing: one sentence that says the goal\.$/;
const NO_SEEDS = /^seeds is missing: at least one /;

describe("A21 B10 plasm_context needs an intent, and infers none", () => {
  it.each([
    ["no intent", { seeds: SEEDS }, NO_INTENT],
    ["neither", {}, NO_INTENT],
    ["an intent of null", { intent: null, seeds: SEEDS }, /^intent is null, and must be /],
    ["a blank intent", { intent: " \n", seeds: SEEDS }, /^intent is blank/],
    ["an empty list of seeds", { intent: INTENT, seeds: [] }, NO_SEEDS],
    ["a seed without entity", { intent: INTENT, seeds: [{}] }, /^seeds\[0\] needs /],
    [
      "a blank api",
      { intent: INTENT, seeds: [{ api: " ", entity: "Boat" }] },
      /^seeds\[0\] needs /,
    ],
  ])("over MCP: %s", async (_what, args, text) => {
    expect(await context(args)).toMatchObject({
      code: "plasm-bad-request",
      status: 400,
      text: expect.stringMatching(text) as string,
    });
  });

  it.each([
    ["neither seeds nor intent", {}],
    ["an empty list of seeds", { intent: INTENT, seeds: [] }],
    ["a catalog without entities", { intent: INTENT, entry_id: "quay", entities: [] }],
    ["a blank intent", { intent: " ", seeds: SEEDS }],
    ["an intent of null", { intent: null, seeds: SEEDS }],
  ])("over HTTP: %s", async (_what, body) => {
    const told = await httpTold(await execute(body));
    expect(told).toMatchObject({ code: "plasm-bad-request", status: 400 });
  });

  it("over HTTP no intent binds none: no logical session, whatever others opened", async () => {
    const opened = await context({ intent: INTENT, seeds: SEEDS });
    const response = await execute({ seeds: SEEDS });
    expect(response.status).toBe(303);
    const { plasm } = (await response.json()) as { plasm: Told["meta"] };
    expect(plasm).toMatchObject({ logical_session_id: null, logical_session_ref: null });
    expect(plasm["execute_binding"]).not.toEqual(opened.meta["execute_binding"]);
  });

  it("nothing was made of what was refused: the first session is s0", async () => {
    const { meta } = await context({ intent: INTENT, seeds: SEEDS });
    expect(meta["logical_session_ref"]).toBe("s0");
  });
});
