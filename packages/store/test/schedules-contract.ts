import { type Caller, type Engine, LOCAL } from "@plasm/agent-core";
import type { StoreUnderTest } from "@plasm/agent-core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { boatsApi } from "../../agent-core/test/boats-api.ts";
import { engineOn } from "../../agent-core/test/engine-on.ts";

const ANN: Caller = { ...LOCAL, scope: "acme", subject: "ann" };
const MONDAY = Date.UTC(2026, 0, 5, 10);
const HOUR = 3_600_000;
const BOAT = {
  state: "moored",
  length: "10.5",
  built: "2011-04-02",
  note: "",
  flags: [],
  owner: "ann",
};
const TEXT =
  ";; name: moored\n;; description: Boats in the harbour\n;; parameters:\n;; shared: no\n;; entities: quay.Boat\n\nBoat{state=moored}[id, name]\n";

/** An engine on the store; its API has these boats, names by id, and those of every test without any. */
function engineWith(under: StoreUnderTest, boats: ReadonlyMap<string, string>): Engine {
  const api = boatsApi(3);
  api.before = async ({ path }) => {
    if (boats.size === 0 || path !== "/boats") return null;
    const items = [...boats].map(([id, named]) => ({ ...BOAT, id, name: named }));
    return { status: 200, json: { items, page: 1, total: items.length } };
  };
  const store = { ...under.store, close: async () => undefined };
  return engineOn({ store, api, lookEveryMs: 10 });
}

/** What processes on one store make of schedules together (SAV-19, SAV-21). */
export function schedulesContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`schedules contract: ${name}`, () => {
    let under: StoreUnderTest;
    let engines: Engine[];
    let now = MONDAY;
    const at = (ms: number): void => under.setNow((now = ms));
    const boats = new Map<string, string>();
    const engine = (): Engine => engineWith(under, boats);
    beforeEach(async () => {
      under = await open();
      boats.clear();
      at(MONDAY);
      engines = [engine(), engine()];
    });
    afterEach(async () => {
      await Promise.all(engines.map((one) => one.close()));
      await under.dispose();
    });

    async function scheduled(): Promise<string> {
      const [first] = engines;
      if (first === undefined) throw new Error("no engine");
      await first.programs.import(ANN, TEXT);
      const request = { program: "moored", cron: "0 * * * *" };
      return (await first.schedules.create(ANN, request)).schedule_uuid;
    }

    /** The schedule as each process has it, once so many runs are over. */
    async function whenRun(id: string, count: number) {
      const [one] = engines;
      return expect
        .poll(
          async () => {
            const view = await one?.schedules.find(ANN, id);
            // What has begun is looked at again 5 s later.
            if (view?.current?.state === "started") at(now + 5_000);
            return view?.runs.length;
          },
          { timeout: 30_000, interval: 20 },
        )
        .toBe(count);
    }

    it("SAV-19 of two processes one begins each due time", async () => {
      const id = await scheduled();
      for (let n = 1; n <= 4; n += 1) {
        at(MONDAY + n * HOUR);
        await whenRun(id, n);
      }
      const states = (await under.store.list("operation", "acme", "")).map(
        ({ value }) => value.state,
      );
      expect(states).toEqual(["succeeded", "succeeded", "succeeded", "succeeded"]);
      for (const one of engines) {
        const { runs, missed } = await one.schedules.find(ANN, id);
        expect(missed).toEqual([]);
        expect(runs.map(({ due_at: due }) => due.slice(11, 13))).toEqual(["14", "13", "12", "11"]);
      }
    });

    it("WATCH-03 two processes tell each change of a watch once", async () => {
      const [first] = engines;
      await first?.programs.import(ANN, TEXT);
      const request = { program: "moored", cron: "0 * * * *", watch: true };
      const id = (await first?.schedules.create(ANN, request))?.schedule_uuid ?? "";
      for (let n = 1; n <= 4; n += 1) {
        boats.set(`b${n}`, `Boat ${n}`);
        at(MONDAY + n * HOUR);
        await whenRun(id, n);
      }
      const { events } = (await first?.schedules.events(ANN, id, null)) ?? { events: [] };
      expect(events.map(({ kind, key }) => [kind, key["id"]])).toEqual([
        ["appeared", "b2"],
        ["appeared", "b3"],
        ["appeared", "b4"],
      ]);
      const second = await engines[1]?.schedules.events(ANN, id, events[0]?.id ?? "");
      expect(second?.events).toEqual(events.slice(1));
      await engines[1]?.schedules.remove(ANN, id);
      const held = await under.held();
      expect([held["watched"], held["watchEvent"]]).toEqual([undefined, undefined]);
    });

    it("SAV-21 of times at which none ran, one is made up for, and the rest are told", async () => {
      const id = await scheduled();
      await Promise.all(engines.splice(0).map((one) => one.close()));
      at(MONDAY + 6 * HOUR + HOUR / 2);
      engines.push(engine(), engine());
      await whenRun(id, 1);
      const view = await engines[0]?.schedules.find(ANN, id);
      expect(view?.runs).toMatchObject([{ late: true, due_at: "2026-01-05T16:00:00.000Z" }]);
      expect(view?.missed).toMatchObject([{ count: 5, why: "nothing_ran" }]);
      expect(await under.store.list("operation", "acme", "")).toHaveLength(1);
    });
  });
}
