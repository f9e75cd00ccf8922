import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Redmine, startRedmine } from "../servers/redmine/start-redmine.ts";
import { FORMS, runSet, tasksOf, verdictLines } from "./run-set.ts";

let dataDir: string;
let redmine: Redmine;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "redmine-tasks-"));
  redmine = await startRedmine({ dataDir });
});
afterAll(async () => {
  await redmine?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const verdicts = async (which: "right" | "wrong"): Promise<readonly string[]> =>
  verdictLines(
    await runSet("redmine", which, {
      args: ["--server", `redmine=${redmine.url}`],
      env: { REDMINE_API_KEY: redmine.adminKey },
    }),
  );

// Wrong answers go first: what they leave behind is put back by what tasks send before themselves (SURF-67).
it.each(["wrong", "right"] as const)(
  "SURF-53 the tasks of a real Redmine in each form: %s answers are told to be that",
  { timeout: 240_000 },
  async (which) => {
    const tasks = await tasksOf("redmine");
    const all = FORMS.flatMap((form) => tasks.map((task) => `${task} · ${form}: ${which}`));
    expect(await verdicts(which)).toEqual(all);
  },
);
