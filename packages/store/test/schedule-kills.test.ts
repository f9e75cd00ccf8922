import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ScheduleView, WatchEventView } from "@plasm/agent-core";
import { expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("./scheduling-process.ts", import.meta.url));
const MONDAY = Date.UTC(2026, 0, 5, 10);
const HOUR = 3_600_000;
/** Transactions of a run: its claim, its plan's ref, its operation with the schedule, and those of the effect. */
const POINTS = 6;
/** Transactions of a reading: its claim, its plan's ref, and all that it found. */
const WATCH_POINTS = 3;

interface Said {
  readonly seen: number;
  readonly view: ScheduleView;
  readonly operations: number;
  readonly events: readonly WatchEventView[];
}

/** Runs a server until it ends; null where it was killed. */
async function live(dataDir: string, at: number, ...how: readonly string[]): Promise<Said | null> {
  const args = ["--conditions=@plasm/source", PROGRAM, dataDir, String(at), ...how];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  if (signal === "SIGKILL") return null;
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Said;
}

it("SAV-19 a server that is killed in any transaction of a run leaves it to the next, which sends nothing twice", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-schedules-"));
  await live(dataDir, MONDAY, "setup");
  const whole = await live(dataDir, MONDAY + HOUR);
  expect(whole?.view.runs).toMatchObject([{ state: "succeeded", effects_done: 1 }]);
  expect(whole?.seen).toBeGreaterThanOrEqual(POINTS);
  let hour = 1;
  let killed = 0;
  for (let point = 1; point <= POINTS; point += 1) {
    const when = point % 2 === 0 ? "before" : "after";
    hour += 1;
    const due = MONDAY + hour * HOUR;
    if ((await live(dataDir, due, String(point), when)) === null) killed += 1;
    const after = await live(dataDir, due + 30_000);
    const [run] = after?.view.runs ?? [];
    // Each is there once, at its time, and nobody was told that it was missed.
    expect(run?.due_at).toBe(new Date(due).toISOString());
    expect(after?.view.runs).toHaveLength(hour);
    expect(after?.view.missed).toEqual([]);
    expect(after?.operations).toBe(hour);
    const sent = readFileSync(join(dataDir, "sent"), "utf8").split("\n");
    const here = sent.filter((line) => line.startsWith(new Date(due).toISOString().slice(0, 13)));
    const done = (run?.effects_done ?? 0) + (run?.in_doubt ?? 0);
    expect(here.length).toBeLessThanOrEqual(1);
    // What is told is what was sent: an effect of which nobody knows is in doubt.
    expect(done).toBeGreaterThanOrEqual(here.length);
    expect(here.length).toBeGreaterThanOrEqual(run?.state === "succeeded" ? 1 : 0);
  }
  expect(killed).toBe(POINTS);
  rmSync(dataDir, { recursive: true });
}, 600_000);

it("WATCH-03 a server that is killed in any transaction of a reading loses no change, and tells none twice", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "plasm-watch-"));
  const watch = (at: number, kill = "", when = "") => live(dataDir, at, kill, when, "watch");
  await watch(MONDAY, "setup");
  const whole = await watch(MONDAY + HOUR);
  expect(whole?.view.runs).toMatchObject([{ message: "baseline: 11 rows" }]);
  const points = Math.min(whole?.seen ?? 0, WATCH_POINTS);
  let killed = 0;
  let ids: readonly string[] = [];
  for (let point = 1; point <= points; point += 1) {
    const due = MONDAY + (point + 1) * HOUR;
    const when = point % 2 === 0 ? "before" : "after";
    if ((await watch(due, String(point), when)) === null) killed += 1;
    const after = await watch(due + 30_000);
    expect(after?.view.runs[0]).toMatchObject({
      late: false,
      message: "1 appeared, 0 changed, 0 vanished",
    });
    const events = after?.events ?? [];
    expect(events.map(({ key }) => key["id"])).toEqual(
      Array.from({ length: point }, (_, n) => `b${11 + n}`),
    );
    // Those that were told before have the ids that they had.
    expect(events.slice(0, -1).map(({ id }) => id)).toEqual(ids);
    ids = events.map(({ id }) => id);
  }
  expect(killed).toBe(points);
  rmSync(dataDir, { recursive: true });
}, 600_000);
