import fc from "fast-check";
import type { JsonObject } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { LOCAL } from "../identity/caller.ts";
import type { Store } from "../store-port.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { agentOn, engineOn, type Told } from "../../test/engine-on.ts";
import { testStore } from "../../test/test-store.ts";
import type { MemoryStore } from "../memory-store/memory-store.ts";
import { sweep } from "./sweep.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SCOPE = LOCAL.scope;

/** The same store, whose every call waits until the schedule lets it go. */
const scheduled = (store: MemoryStore, schedule: fc.Scheduler): Store =>
  new Proxy(store, {
    get: (target, name: keyof MemoryStore) => {
      const call = target[name] as (...args: readonly unknown[]) => unknown;
      if (name === "now" || name === "close" || call === undefined) return call;
      return async (...args: readonly unknown[]) => {
        await schedule.schedule(Promise.resolve(), name);
        return call(...args);
      };
    },
  });

const codeOf = ({ problem }: Told): string | null => problem?.code ?? null;

describe("F3 a sweep races a look-up", () => {
  it("SESS-11: the session is renewed or lost, never both, in any order of their steps", async () => {
    const early = fc.integer({ min: -2, max: 2 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), early, async (schedule, before) => {
        const store = testStore();
        const engine = engineOn({ store, api: boatsApi() });
        const agent = await agentOn(engine);
        store.advance(HOUR - 1 + before);
        const racing = scheduled(store, schedule);
        const racer = engineOn({ store: racing, api: boatsApi() });
        const address = { kind: "ref", ref: "s0" } as const;
        const looked = racer.plan(LOCAL, address, "Boat.limit(1)[id]").then(
          () => null,
          (thrown: unknown) => racer.problemOf(thrown).code,
        );
        const ticked = schedule.schedule(Promise.resolve(), "tick").then(() => store.advance(1));
        const [code] = await schedule.waitFor(Promise.all([looked, sweep(racing), ticked]));
        expect([null, "plasm-session-lost"]).toContain(code);
        await sweep(store);
        const again = codeOf(await agent.plan("Boat.limit(1)[id]"));
        expect(again).toBe(code);
        const [logical] = await store.list("logical", SCOPE, "");
        const bound = logical?.value.bound ?? null;
        const session = bound && (await store.session(SCOPE, bound));
        const waves = bound === null ? [] : await store.waves(bound);
        expect(waves.length > 0).toBe(code === null);
        expect((session?.expiresAt ?? 0) > store.now()).toBe(code === null);
        await engine.close();
      }),
      { numRuns: 25 },
    );
  });
});

const INTENTS = ["boats", "piers", "crews"] as const;

type Step =
  | { readonly kind: "jump"; readonly ms: number }
  | { readonly kind: "open" | "run"; readonly intent: (typeof INTENTS)[number] }
  | { readonly kind: "sweep" };

const anIntent = fc.constantFrom(...INTENTS);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("jump" as const),
    ms: fc.constantFrom(-40 * DAY, -2 * HOUR, -1, 601_000, 2 * HOUR, 8 * DAY, 31 * DAY),
  }),
  fc.record({ kind: fc.constantFrom("open" as const, "run" as const), intent: anIntent }),
  fc.constant({ kind: "sweep" as const }),
);

/** What a walk remembers of sessions, to find what may not be. */
class Witness {
  readonly faults: string[] = [];
  readonly #slots = new Map<string, string>();
  readonly #used = new Map<string, number>();
  readonly #dead = new Set<string>();
  #sweptAt = Number.NEGATIVE_INFINITY;

  swept(now: number): void {
    this.#sweptAt = Math.max(this.#sweptAt, now);
  }

  opened(meta: JsonObject, now: number): void {
    const { logical_session_ref: ref, logical_session_id: id, continuity } = meta;
    const [slot, uuid] = [JSON.stringify(ref), JSON.stringify(id)];
    for (const [held, holder] of this.#slots) {
      if ((held === slot) === (holder === uuid)) continue;
      // Whoever held this slot has lost it, or whoever opens has lost the one it held.
      const unused = this.#sweptAt - (this.#used.get(holder) ?? 0);
      if (unused < 30 * DAY) this.faults.push(`${held} is lost after ${unused}`);
      this.#slots.delete(held);
    }
    this.#slots.set(slot, uuid);
    this.#used.set(uuid, Math.max(now, this.#used.get(uuid) ?? 0));
    const pair = JSON.stringify(meta["execute_binding"]);
    if (this.#dead.has(pair)) this.faults.push(`${pair} was lost and lives`);
    const { previous_execute: previous } = continuity as JsonObject;
    if (previous !== undefined) this.#dead.add(JSON.stringify(previous));
  }
}

/** Takes the steps on a store of their own, and gives what may not be. */
async function walk(steps: readonly Step[]): Promise<readonly string[]> {
  const store = testStore();
  const engine = engineOn({ store, api: boatsApi() });
  const witness = new Witness();
  for (const step of steps) {
    switch (step.kind) {
      case "jump":
        store.advance(step.ms);
        break;
      case "sweep":
        await sweep(store);
        witness.swept(store.now());
        break;
      case "open":
      case "run": {
        const seeds = [{ api: "quay", entity: "Boat" }];
        const { intent } = step;
        const { meta } = await engine.context(LOCAL, { intent, seeds, notation: "names" });
        witness.opened(meta, store.now());
        if (step.kind === "open") break;
        const told = await (await agentOn(engine, intent)).run("Boat.limit(1)[id]");
        if (!told.text.includes("b1")) witness.faults.push(told.text);
      }
    }
  }
  await engine.close();
  return witness.faults;
}

describe("F11 the clock jumps over lifetimes, there and back", () => {
  it("SESS-37 a use while the clock stands back makes no session older", async () => {
    const open = (intent: (typeof INTENTS)[number]): Step => ({ kind: "open", intent });
    const jump = (days: number): Step => ({ kind: "jump", ms: days * DAY });
    const sweeps: Step = { kind: "sweep" };
    const back = [open("boats"), jump(8), sweeps, jump(-40), open("boats")];
    const steps = [...back, jump(31), sweeps, open("piers"), open("boats")];
    expect(await walk(steps)).toEqual([]);
  });

  it("nothing crashes, what is lost stays lost, no slot is another's before its time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 25 }), async (steps) => {
        expect(await walk(steps)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
