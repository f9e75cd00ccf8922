import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { heldReads } from "./held-reads.ts";
import { openWorld } from "./opened.ts";
import { promptOf } from "./prompt.ts";
import { verdictOn, runProgram, type ProgramOutcome, runAnswers } from "./run-answers.ts";
import { type TaskWorld, worldNamed, WORLDS } from "./worlds.ts";

async function scripted({ name }: TaskWorld): Promise<Readonly<Record<string, string>>> {
  const file = join(import.meta.dirname, "answers", `${name}.json`);
  return JSON.parse(await readFile(file, "utf8")) as Record<string, string>;
}

test.each([
  ["bookshop", "names"],
  ["clinic", "symbols"],
] as const)(
  "%s with %s: a task is done by its own program, and not by that of the task before",
  async (name, notation) => {
    const world = worldNamed(name);
    const programs = await scripted(world);
    const opened = await openWorld(world, notation);
    const undone: string[] = [];
    const doneByOther: string[] = [];
    try {
      let before: ProgramOutcome | null = null;
      for (const { id, expect: expectation } of world.tasks) {
        const expected = expectation(new Date());
        const done: ProgramOutcome = await runProgram(opened, programs[id] ?? "");
        if (verdictOn(expected, done) !== "right") undone.push(id);
        if (before !== null && verdictOn(expected, before) === "right") doneByOther.push(id);
        before = done;
      }
    } finally {
      await opened.close();
    }
    expect(undone).toEqual([]);
    expect(doneByOther).toEqual([]);
  },
  60_000,
);

test("PLAN-054 reads that may be large wait for no review, and those of 20 requests are whole", async () => {
  for (const world of WORLDS) {
    const { mayBeLarge, held, cut, requests } = await heldReads(world, await scripted(world));
    expect([mayBeLarge > 0, held], world.name).toEqual([true, 0]);
    expect(cut, world.name).toBe(requests.filter((each) => each > 20).length);
  }
});

test("there are at least 120 tasks, all of another id", () => {
  const ids = WORLDS.flatMap(({ tasks }) => tasks.map(({ id }) => id));
  expect(ids.length).toBeGreaterThanOrEqual(120);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a prompt holds what a session sends and every task, and ends with the form of the answer", async () => {
  const world = worldNamed("clinic");
  const prompt = await promptOf(world, "symbols");
  expect(prompt).toContain("\te1 Appointment".slice(1));
  for (const { id, ask } of world.tasks) expect(prompt).toContain(`${id}: ${ask}\n`);
  expect(prompt.trimEnd().split("\n").at(-1)).toBe('{"c01": "…", "c02": "…", …}');
});

test("an answer to no task of the world is refused", async () => {
  await expect(runAnswers(worldNamed("clinic"), "names", { b01: "Doctor" })).rejects.toThrow("b01");
});

test("lists are read to their end; a value that is missing is no silent mistake; what fails tells why", async () => {
  const report = await runAnswers(worldNamed("bookshop"), "names", {
    b11: "Customer{email=null}.page_size(4)[name]",
    b12: "Book{stock=1}[title]",
    b13: ["Book[titel]", "Book{stock=0} => {x: 1 / _.stock}"],
  });
  expect(report.first).toEqual({ right: 1, wrong: 1, partial: 0, refused: 1, missing: 96 });
  expect(report.last).toEqual({ right: 1, wrong: 1, partial: 1, refused: 0, missing: 96 });
  const attempts = report.answers.flatMap((one) => one.attempts);
  expect(attempts[0]).toMatchObject({ verdict: "right", pages: 1 });
  expect(attempts[2]?.told).toContain("unknown_column");
});
