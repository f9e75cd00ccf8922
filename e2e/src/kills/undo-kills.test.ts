import { afterAll, beforeAll, expect, test } from "vitest";
import { type UndoKill, undoKillText, UndoWorld } from "./undo-world.ts";

let world: UndoWorld;
beforeAll(async () => {
  world = await UndoWorld.open();
}, 60_000);
afterAll(() => world.close());

/** A little of what `undo-main.ts` draws. */
const STRIKES: readonly (readonly UndoKill[])[] = [
  [],
  // What is read before an effect leaves nothing open: another process goes on.
  [{ of: "run", request: 4, when: "arrived" }],
  [
    { of: "run", request: 5, when: "performed" },
    { of: "undo", request: 5, when: "performed" },
  ],
  [{ of: "undo", request: 4, when: "arrived" }],
  [{ of: "undo", request: 9, when: 0 }],
  // A row that is made again is named before its API has answered.
  [
    { of: "run", request: 13, when: "arrived" },
    { of: "undo", request: 4, when: "arrived" },
  ],
  [
    { of: "run", request: 12, when: "arrived" },
    { of: "undo", request: 6, when: "arrived" },
  ],
];

test.each(
  STRIKES.map((kills) => [kills.map(undoKillText).join(" and ") || "nobody dies", kills] as const),
)(
  "%s: rows are as before, or told to be open (UNDO-05, UNDO-07)",
  async (_name, kills) => {
    expect(await world.strike(kills)).toEqual([]);
  },
  120_000,
);
