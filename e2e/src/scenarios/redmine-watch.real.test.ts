import type { Caller } from "@plasm/agent-core";
import type { JsonObject } from "@plasm/core";
import { envSecrets } from "@plasm/runtime";
import { catalogDirectory } from "@plasm/catalogs";
import { expect, test, vi } from "vitest";
import { openEngine } from "../engine/open-engine.ts";
import { useStarted } from "../servers/endings.ts";
import { useRedmineWorld } from "./use-redmine-world.ts";

const ANN: Caller = { scope: "acme", subject: "ann", connection: null };
const HOUR = 3_600_000;
const PATIENCE = { timeout: 60_000, interval: 100 };

/** Issues of the seed, all open. */
const [FIRST, SECOND] = [101, 102];
const PROGRAM =
  ";; name: open_issues\n;; description: x\n;; parameters:\n;; shared: no\n;; entities: redmine.Issue\n\nIssue.limit(2000)[id, subject, status]\n";

const running = useRedmineWorld();

/** An engine whose hours pass as a test says. */
const clocked = useStarted(async (endings) => {
  const clock = { now: Date.UTC(2026, 0, 5, 10, 30) };
  const open = async () => {
    const { proxy, redmine } = running();
    const engine = await openEngine({
      dataDir: await endings.directory("redmine-watch"),
      catalogs: [catalogDirectory("redmine")],
      backends: new Map([["redmine", proxy.url]]),
      ports: { secrets: envSecrets({ REDMINE_API_KEY: redmine.adminKey }) },
      now: () => clock.now,
      lookEveryMs: 20,
    });
    endings.add(() => engine.close());
    return engine;
  };
  return { clock, open };
});

async function write(method: string, path: string, body: JsonObject): Promise<Response> {
  const { url, adminKey } = running().redmine;
  const headers = { "X-Redmine-API-Key": adminKey, "content-type": "application/json" };
  const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

test("WATCH-02 open issues are compared each hour, over all pages", async () => {
  const { clock, open } = clocked();
  const engine = await open();
  await engine.programs.import(ANN, PROGRAM);
  const { schedule_uuid: id } = await engine.schedules.create(ANN, {
    program: "open_issues",
    cron: "0 * * * *",
    watch: true,
  });
  const reading = async (): Promise<string | null> => {
    const { runs: before } = await engine.schedules.find(ANN, id);
    clock.now += HOUR;
    return vi.waitFor(async () => {
      const { runs, current } = await engine.schedules.find(ANN, id);
      if (current !== null || runs.length === before.length) throw new Error("it reads");
      return runs[0]?.message ?? null;
    }, PATIENCE);
  };
  expect(await reading()).toMatch(/^baseline: \d{3,} rows$/);
  expect(await reading()).toMatch(/^nothing changed in \d+ rows$/);
  await write("PUT", `/issues/${FIRST}.json`, { issue: { subject: "All boats leave" } });
  await write("DELETE", `/issues/${SECOND}.json`, {});
  const made = await write("POST", "/issues.json", {
    issue: { project_id: 1, subject: "A rope is wet" },
  });
  const { issue } = (await made.json()) as { readonly issue: { readonly id: number } };
  expect(await reading()).toBe("1 appeared, 1 changed, 1 vanished");
  const { events } = await engine.schedules.events(ANN, id, null);
  expect(events.map(({ kind, key, row }) => [kind, key["id"], row?.["subject"] ?? null])).toEqual(
    expect.arrayContaining([
      ["changed", FIRST, "All boats leave"],
      ["vanished", SECOND, null],
      ["appeared", issue.id, "A rope is wet"],
    ]),
  );
});
