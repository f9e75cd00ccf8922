import { beforeAll, describe, expect, test } from "vitest";
import type { AgentRun } from "../harness/answers.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { sampleData, type SampleData } from "../harness/sample-data.ts";
import { SURFACES } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
const seeds = [...seedsOf("quay", "Boat"), ...seedsOf("yard", "Part")];
const LIST = "Boat.page_size(5)[id, name]";
let data: SampleData;

beforeAll(async () => {
  data = await sampleData(world().apis);
});

const asked = () => world().apis.requests.map(({ method, path }) => `${method} ${path}`);
const handleOf = ({ meta }: AgentRun): string => meta.paging[0]?.next_page_handle ?? "";
const rowsOf = ({ results }: AgentRun) => results[0]?.rows ?? [];

describe.each(SURFACES)("%s", (surface) => {
  async function open(what: string) {
    const agent = await world().agent(surface);
    const { ref } = await openSession(agent, `${surface}: ${what}`, seeds);
    const run = (program: string): Promise<AgentRun> => agent.run(ref, program, { force: true });
    return { run };
  }

  /** Boats n to m as they are listed, with the names given to some of them. */
  const boats = (from: number, to: number, names: Readonly<Record<string, string>>) =>
    data.boats.slice(from, to).map(({ id, name }) => ({ id, name: names[id] ?? name }));
  const third = () => data.boats[12]?.id ?? "";

  test("PLAN-083 SESS-36 pages after an effect show what it changed, each row once", async () => {
    const { run } = await open("pages after an effect");
    const id = third();
    const name = `seen by ${surface}`;
    const first = await run(LIST);
    const handle = handleOf(first);
    world().apis.forgetRequests();
    // Rows in hand need no request as long as nothing was done.
    const second = await run(`page(${handle})`);
    expect(asked()).toEqual([]);
    await run(`Boat("${id}").update(name="${name}")`);
    world().apis.forgetRequests();
    const after = await run(`page(${handle}, limit=7)`);
    expect(asked()).toEqual(["GET /boats"]);
    const now = await sampleData(world().apis);
    const joined = [first, second, after].flatMap(rowsOf);
    expect(joined.map((row) => row["id"])).toEqual(now.boats.slice(0, 17).map((boat) => boat.id));
    expect(joined.find((row) => row["id"] === id)).toEqual({ id, name });
    data = now;
  });

  test("PLAN-083 an effect on another catalog leaves rows as they are", async () => {
    const { run } = await open("an effect elsewhere");
    const handle = handleOf(await run(LIST));
    await run("Part(maker=a, no=1).edit(ops=[{op: insert, at: 1, text: x}])");
    world().apis.forgetRequests();
    expect(rowsOf(await run(`page(${handle})`))).toEqual(boats(5, 10, {}));
    expect(asked()).toEqual([]);
  });

  test("PLAN-083 in one program: rows read before its effect are read again, later ones not", async () => {
    const { run } = await open("in one program");
    const id = data.boats[6]?.id ?? "";
    const update = (name: string): string => `Boat("${id}").update(name="${name}")`;
    const before = await run(`some = ${LIST}\n${update("one")}\nsome`);
    world().apis.forgetRequests();
    expect(rowsOf(await run(`page(${handleOf(before)})`))).toEqual(boats(5, 10, { [id]: "one" }));
    expect(asked()).toEqual(["GET /boats"]);
    const after = await run(`${update("two")}\n${LIST}`);
    world().apis.forgetRequests();
    expect(rowsOf(await run(`page(${handleOf(after)})`))).toEqual(boats(5, 10, { [id]: "two" }));
    expect(asked()).toEqual([]);
    data = await sampleData(world().apis);
  });
});
