import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { failureOf } from "../harness/agent-failure.ts";
import { allPages } from "../harness/all-pages.ts";
import { openSession, seedsOf } from "../harness/open-session.ts";
import { sampleData, type SampleData } from "../harness/sample-data.ts";
import { SURFACES } from "../harness/surfaces.ts";
import { useWorld } from "../harness/use-world.ts";

const world = useWorld();
let data: SampleData;

beforeAll(async () => {
  data = await sampleData(world().apis);
});

const seeds = [...seedsOf("quay", "Boat", "Person", "Visit"), ...seedsOf("yard", "Boat")];

/** Row cursors of every kind, and the key column of their rows. */
const PROGRAMS = [
  { name: "a list", program: "e1[id]" },
  { name: "a list by cursor", program: "e4[id]" },
  { name: "a local condition", program: "e1{length>8}[id]" },
  { name: "a page size", program: "e1.page_size(7)[id]" },
  { name: "a limit beyond the page", program: "e1.page_size(9).limit(40)[id]" },
  { name: "rows of two sources", program: "e2.page_size(4)[login]" },
] as const;

function expected(program: string): readonly object[] {
  const ids = data.boats.map(({ id }) => ({ id }));
  if (program.startsWith("e4")) return data.yardBoats.map(({ id }) => ({ id }));
  if (program.startsWith("e2")) return data.people.map(({ login }) => ({ login }));
  if (program.includes("length>8")) {
    return data.boats.filter(({ length }) => Number(length) > 8).map(({ id }) => ({ id }));
  }
  return program.includes("limit(40)") ? ids.slice(0, 40) : ids;
}

describe.each(SURFACES)("%s", (surface) => {
  async function open(what: string) {
    const agent = await world().agent(surface);
    const { ref } = await openSession(agent, `${surface}: ${what}`, seeds);
    return { agent, ref };
  }

  test("L1 page(h) goes on where the rows ended, with the same handle", async () => {
    const { agent, ref } = await open("one page more");
    const run = await agent.run(ref, "e1[id]");
    const handle = run.meta.paging[0]?.next_page_handle;
    expect(handle).toBe(`${ref}_pg1`);
    expect(run.text).toContain(`next: page(${handle})`);
    const page = await agent.run(ref, `page(${handle})`);
    expect(page.results[0]?.rows).toEqual(data.boats.slice(20, 40).map(({ id }) => ({ id })));
    expect(page.text).toContain("· rows 21-40");
    expect(page.meta.paging[0]?.next_page_handle).toBe(handle);
    expect(page.meta.steps[0]?.n).toBe(2);
  });

  test.each(PROGRAMS)(
    "P8 pages of $name joined are the whole, each row once",
    async ({ program }) => {
      const { agent, ref } = await open(program);
      const sizes = fc.array(fc.option(fc.integer({ min: 1, max: 30 })), { minLength: 1 });
      await fc.assert(
        fc.asyncProperty(sizes, async (drawn) => {
          let at = 0;
          const sizeOf = (): number | null => drawn[at++ % drawn.length] ?? null;
          const first = await agent.run(ref, program, { force: true, wait: true });
          expect(await allPages(agent, ref, first, sizeOf)).toEqual(expected(program));
        }),
        { numRuns: 4 },
      );
    },
  );

  test("P8 a handle whose rows are all shown is exhausted, and stays so", async () => {
    const { agent, ref } = await open("exhausted");
    const run = await agent.run(ref, "e1.page_size(60)[id]");
    const program = `page(${run.meta.paging[0]?.next_page_handle})`;
    const last = await agent.run(ref, program);
    expect(last.results[0]?.rows).toHaveLength(data.boats.length - 60);
    expect(last.meta.paging).toEqual([]);
    for (const _again of [1, 2]) {
      const failure = await failureOf(agent.run(ref, program));
      expect(failure.problem).toMatchObject({ code: "plasm-cursor-exhausted", status: 410 });
    }
  });

  test("SESS-31 a failed fetch leaves the cursor where it was", async () => {
    const { agent, ref } = await open("failed fetch");
    const run = await agent.run(ref, "e1[id]");
    const handle = run.meta.paging[0]?.next_page_handle;
    await world().failing(async () => {
      const failure = await failureOf(agent.run(ref, `page(${handle})`));
      expect(failure.problem).toMatchObject({ code: "plasm-upstream-error", status: 502 });
    });
    expect(await allPages(agent, ref, run)).toEqual(expected("e1[id]"));
  });

  test("PLAN-082 a page holds from 1 to 1,000 rows", async () => {
    const { agent, ref } = await open("page limits");
    const run = await agent.run(ref, "e1[id]");
    const handle = run.meta.paging[0]?.next_page_handle;
    for (const limit of ["0", "1001", "1.5", "x"]) {
      const failure = await failureOf(agent.run(ref, `page(${handle}, limit=${limit})`));
      expect([400, 422]).toContain(failure.problem.status);
    }
    const rest = await agent.run(ref, `page(${handle}, limit=1000)`);
    expect(rest.results[0]?.rows).toHaveLength(data.boats.length - 20);
  });

  test("A30 a handle works only with its own session", async () => {
    const { agent, ref } = await open("mine");
    const other = await open("theirs");
    const run = await agent.run(ref, "e1[id]");
    const handle = run.meta.paging[0]?.next_page_handle ?? "";
    const invented = handle.replace(/\d+$/, "77");
    const foreign = await failureOf(other.agent.run(other.ref, `page(${handle})`));
    const unknown = await failureOf(other.agent.run(other.ref, `page(${invented})`));
    expect(foreign.problem).toMatchObject({ code: "plasm-unknown-handle", status: 404 });
    expect(foreign.message.replace(handle, "H")).toBe(unknown.message.replace(invented, "H"));
    expect(foreign.problem.status).toBe(unknown.problem.status);
  });
});
