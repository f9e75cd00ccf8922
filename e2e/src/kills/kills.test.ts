import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@plasm/testkit/postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Death } from "./death.ts";
import { KillWorld, type Strike, strikeText, withoutNote } from "./kill-world.ts";
import type { Hold } from "./lock.ts";
import type { StopPoint } from "./protocol.ts";

const hold = (of: Hold["of"], when: Hold["when"], nth: number, lost = false): Death => ({
  by: "hold",
  hold: { of, when, nth, lost },
});
const stop = (at: StopPoint["at"], nth: number): Death => ({ by: "stop", point: { at, nth } });

const strike = (
  mode: Strike["mode"],
  death: Death,
  recovery: Strike["recovery"],
  again: number | null = null,
): Strike => ({ mode, death, recovery, again });

const ACCEPTED = stop("accepted", 1);

/** A little of what `pnpm prove` does at every boundary. */
const SHORT = {
  sqlite: [
    strike("accepted", ACCEPTED, "restart"),
    strike("accepted", hold("read", "answered", 19), "take over"),
    strike("waited", stop("effect written", 3), "restart"),
    strike("waited", stop("outcome written", 2), "take over"),
    strike("accepted", { by: "clock", part: 0.3 }, "restart", 0.5),
    strike("waited", stop("end to be kept", 1), "restart"),
  ],
  postgres: [
    strike("waited", stop("outcome to be written", 5), "take over"),
    strike("waited", hold("write", "answered", 2), "take over"),
    strike("waited", { by: "clock", part: 0.6 }, "take over"),
  ],
} as const satisfies Readonly<Record<string, readonly Strike[]>>;

type StoreName = keyof typeof SHORT;

/** What each store's tests have at hand. */
function useWorld(store: StoreName): () => KillWorld {
  let world: KillWorld | undefined;
  const ended: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), "plasm-kills-"));
    ended.push(() => rm(dir, { recursive: true, force: true }));
    const database = store === "sqlite" ? null : await createDatabase(inject("postgresUrl"));
    if (database !== null) ended.unshift(() => database.drop());
    world = await KillWorld.open(dir, database?.url ?? null);
  }, 60_000);
  afterAll(async () => {
    await world?.close();
    for (const end of ended) await end();
  });
  return () => {
    if (world === undefined) throw new Error("There is no world");
    return world;
  };
}

const NOTHING_WRONG = { duplicates: 0, lost: 0, unreported: 0, unreviewed: 0, faults: [] };

/** The third effect is performed, and nobody has heard so. */
const THIRD_ANSWERED = { of: "write", when: "answered", nth: 3, lost: false } as const;

async function toldByAnother(world: KillWorld) {
  const asleep = await world.hosts.at(0);
  const next = await world.hosts.at(1);
  const way = await world.prepare(asleep);
  world.harbour.hold(THIRD_ANSWERED);
  const late = world.send(asleep, way, true);
  await world.harbour.held;
  await world.pause(asleep);
  await world.hosts.leasesLapse([0]);
  const answer = await world.end(next, way);
  const told = await world.judge(answer.text, way);
  asleep.wake();
  await world.harbour.release();
  return { late: await late, answer, told, way, next };
}

describe.each(["sqlite", "postgres"] as const)("%s", (store) => {
  const world = useWorld(store);

  describe("F14 F24 G1 OPS-28 OPS-32 OPS-39 PLAN-072 a host killed by SIGKILL in 6 effects and 40 reads", () => {
    test.each(SHORT[store].map((one) => [strikeText(one), one] as const))(
      "%s",
      async (_, one) => {
        expect(await world().strike(one)).toMatchObject(NOTHING_WRONG);
      },
      60_000,
    );

    test("OPS-33 every handle answers as it did", async () => {
      // One that dies as it accepts may have told nobody.
      const accepted = SHORT[store].filter(
        ({ mode, death }) => mode === "accepted" && death !== ACCEPTED,
      );
      expect(world().handles).toBeGreaterThanOrEqual(accepted.length);
      expect(await world().unanswered()).toEqual([]);
    });
  });

  test("F15 OPS-31 OPS-12 a host that sleeps past its lease sends nothing when it wakes, and tells what stands", async () => {
    const { late, answer, told, way, next } = await toldByAnother(world());
    expect(told, answer.text).toMatchObject({ ...NOTHING_WRONG, done: 2, doubtful: 1 });
    expect(withoutNote(late)).toBe(withoutNote(answer));
    expect(withoutNote(await world().send(next, way, true))).toBe(withoutNote(answer));
    expect(world().harbour.performed()).toHaveLength(3);
  }, 60_000);

  test("F24 OPS-32 a host killed while it writes down how another ended: a third one tells it", async () => {
    const { hosts, harbour } = world();
    const way = await world().prepare(await hosts.at(0));
    const second = await hosts.at(1);
    await second.stopAt({ at: "end to be kept", nth: 1 });
    harbour.hold(THIRD_ANSWERED);
    void world().send(await hosts.at(0), way, true);
    await harbour.held;
    await hosts.kill(0);
    await harbour.release();
    await hosts.leasesLapse();
    void world().send(second, way, true);
    await second.stopped;
    await hosts.kill(1);
    await hosts.leasesLapse();
    const answer = await world().end(await hosts.at(0), way);
    const told = await world().judge(answer.text, way);
    expect(told, answer.text).toMatchObject({ ...NOTHING_WRONG, done: 2, doubtful: 1 });
  }, 60_000);
});
