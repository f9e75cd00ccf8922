import { describe, expect, it } from "vitest";
import { undoText } from "./planned-effects.tsx";

describe("UNDO-02 what an approver is told of an effect that was a mistake", () => {
  it.each([
    ["none", "delete", "Plasm cannot undo this"],
    ["restore", "update", "Plasm can undo this, by writing the values from before."],
    ["boat_make", "delete", "Plasm can undo this, by boat_make."],
    [undefined, "delete", "Plasm cannot undo this"],
    [undefined, "update", "Undone only by writing the values from before."],
    [undefined, "action", "Plasm cannot undo this, and does not know whether the API can."],
  ] as const)("a catalog that says %s of a %s", (undo, kind, text) => {
    const effect = { kind, capability: "x", ...(undo === undefined ? {} : { undo }) };
    expect(undoText(effect)).toContain(text);
  });
});
