import { afterEach, describe, expect, it } from "vitest";
import type { Engine } from "../engine.ts";
import type { GraftQuestion } from "../ports.ts";
import type { Store } from "../store-port.ts";
import { boatsApi } from "../../test/boats-api.ts";
import { engineOn } from "../../test/engine-on.ts";
import { graftSet, HEADER_LINE, NAMELESS, openTelling, U42 } from "../../test/graft-agent.ts";
import { testStore } from "../../test/test-store.ts";
import type { GraftSettings } from "./graft-key.ts";

type Ask = (question: GraftQuestion) => Promise<unknown>;

const open: Engine[] = [];
afterEach(async () => {
  for (const engine of open.splice(0)) await engine.close();
});

/** An engine with a provider that answers so, and what that was asked. */
function asking(answer: Ask, settings: Partial<GraftSettings> = {}, store: Store = testStore()) {
  const asked: GraftQuestion[] = [];
  const provider = {
    ask: async (question: GraftQuestion) => {
      asked.push(question);
      return answer(question);
    },
    close: async () => undefined,
  };
  const grafts = { profile: "field", provider, ...settings };
  const engine = engineOn({ store, api: boatsApi(), grafts });
  open.push(engine);
  return { engine, asked };
}

const always: Ask = async () => graftSet();

describe("the configured provider (GRAFT-2, GRAFT-4)", () => {
  it("D18 is asked once per logical session and subject", async () => {
    const { engine, asked } = asking(always);
    const first = await openTelling(engine, U42);
    expect(first.section).toContain(HEADER_LINE);
    for (let n = 0; n < 4; n += 1) expect((await openTelling(engine, U42)).section).toBe("");
    expect(asked).toEqual([
      { userId: "u42", tenant: "acme", profile: "field", intent: "spring pruning" },
    ]);
    await openTelling(engine, { ...U42, subject: "u43" });
    await openTelling(engine, U42, { intent: "another goal" });
    expect(asked.map(({ userId, intent }) => [userId, intent])).toEqual([
      ["u42", "spring pruning"],
      ["u43", "spring pruning"],
      ["u42", "another goal"],
    ]);
  });

  it("D18 is asked once by contexts at the same time, and though it has nothing", async () => {
    const { engine, asked } = asking(async () => null);
    const all = await Promise.all(Array.from({ length: 5 }, () => openTelling(engine, U42)));
    expect(all.map(({ section, meta }) => [section, meta["count"]])).toEqual(
      Array(5).fill(["", 0]),
    );
    expect(asked).toHaveLength(1);
  });

  it("D18 is asked by one of two processes at the same time, and by the other if that one dies", async () => {
    const store = testStore();
    const shared = { ...store, close: async () => undefined };
    const turn = { begin: () => {}, answer: (_set: unknown) => {} };
    const begun = new Promise<void>((resolve) => (turn.begin = resolve));
    const answered = new Promise<unknown>((resolve) => (turn.answer = resolve));
    const held: Ask = () => {
      turn.begin();
      return answered;
    };
    const [one, two] = [asking(held, {}, shared), asking(always, {}, shared)];
    const first = openTelling(one.engine, U42);
    await begun;
    expect((await openTelling(two.engine, U42)).section).toBe("");
    expect(two.asked).toEqual([]);
    store.advance(30_000);
    expect((await openTelling(two.engine, U42)).section).toContain(HEADER_LINE);
    expect([one.asked.length, two.asked.length]).toEqual([1, 1]);
    turn.answer(graftSet());
    expect((await first).section).toBe("");
    expect((await openTelling(one.engine, U42)).section).toBe("");
  });

  it("D13 is not asked for the profile default, where there are grafts only if they are attached", async () => {
    const { engine, asked } = asking(always, { profile: "default" });
    expect((await openTelling(engine, U42)).section).toBe("");
    const own = await openTelling(engine, U42, { grafts: graftSet() });
    expect(own.section).toContain(HEADER_LINE);
    expect(asked).toEqual([]);
  });

  it("D21 is never asked for nobody", async () => {
    const { engine, asked } = asking(always);
    expect((await openTelling(engine, NAMELESS)).section).toBe("");
    expect((await openTelling(engine, { ...U42, subject: "" })).section).toBe("");
    expect(asked).toEqual([]);
  });

  it("merges with the argument by id, and the argument wins", async () => {
    const answer = graftSet([{ content: "theirs" }, { graft_id: "g02", path: "b.md" }], {
      name: "of the provider",
    });
    const { engine } = asking(async () => ({ grafts: answer }));
    const { section, meta } = await openTelling(engine, U42, {
      grafts: graftSet([{ content: "mine" }]),
    });
    expect(section.split("\n")[0]).toBe(HEADER_LINE);
    expect(section).toContain("- `g01` · git · `a.md` — mine");
    expect(section).toContain("- `g02` · git · `b.md` — Prune quince");
    expect(meta["count"]).toBe(2);
  });
});

describe("a failing provider (GRAFT-14)", () => {
  const failing = (message: string): Error =>
    Object.assign(new Error(message), { name: "GraftProviderError" });

  it.each<[string, Ask, string]>([
    [
      "an error",
      () => Promise.reject(new Error("at http://secret.example")),
      "The grafts could not be read or written.",
    ],
    [
      "a timeout",
      () => Promise.reject(failing("The provider of grafts did not answer within 10 s.")),
      "The provider of grafts did not answer within 10 s.",
    ],
    [
      "no set",
      async () => ({ grafts: { items: [] } }),
      "the provider's answer.name is missing: text.",
    ],
  ])("D19 leaves the context usable: %s", async (_, answer, error) => {
    const turn = { failing: true };
    const { engine, asked } = asking((question) =>
      turn.failing ? answer(question) : always(question),
    );
    const { section, text, meta } = await openTelling(engine, U42);
    expect(section).toBe("Grafts unavailable.");
    expect(text).toContain("quay: Boat");
    expect(meta).toEqual({ count: 0, error });
    turn.failing = false;
    expect((await openTelling(engine, U42)).section).toContain(HEADER_LINE);
    expect(asked).toHaveLength(2);
  });

  it("D19 attached grafts are shown beside it", async () => {
    const { engine } = asking(() => Promise.reject(new Error("down")));
    const { section } = await openTelling(engine, U42, { grafts: graftSet() });
    expect(section).toContain(HEADER_LINE);
    expect(section.endsWith("\nGrafts unavailable.")).toBe(true);
  });

  it("D20 neither does a failing look-up of the user fail the context", async () => {
    const look = { up: false };
    const userOf = async () => {
      if (!look.up) throw new Error("directory down");
      return "u42";
    };
    const { engine, asked } = asking(always, { userOf });
    const { section, text, meta } = await openTelling(engine, U42);
    expect(section).toBe("Grafts unavailable.");
    expect(text).toContain("quay: Boat");
    expect(meta["error"]).toBe("The grafts could not be read or written.");
    expect(asked).toEqual([]);
    await expect(openTelling(engine, U42, { grafts: graftSet() })).rejects.toThrow("has none");
    look.up = true;
    expect((await openTelling(engine, U42)).section).toContain(HEADER_LINE);
  });
});
