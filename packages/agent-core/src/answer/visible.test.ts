import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellText } from "./cell.ts";
import { doneLines, effectsText } from "./effects.ts";
import { visible } from "@plasm/core/internal";

const ample = { tokens: 1_000, count: (text: string) => text.length };

describe("no character of a cell acts (SURF-13)", () => {
  it.each([
    ["a\tb", "a\\tb"],
    ["a\nb\r\nc\rd", "a\\nb\\nc\\nd"],
    ["red \u001b[31m alert\u0007", "red \\u001b[31m alert\\u0007"],
    ["\u0000\u007f\u0085\u009b", "\\u0000\\u007f\\u0085\\u009b"],
    ["invoice \u202efdp.exe", "invoice \\u202efdp.exe"],
    [
      "\u061c\u200e\u200f\u202a\u202c\u2066\u2069",
      "\\u061c\\u200e\\u200f\\u202a\\u202c\\u2066\\u2069",
    ],
    ["one\u2028two\u2029three", "one\\u2028two\\u2029three"],
    ["Größe · 大小 · 👨‍👩‍👧 · é", "Größe · 大小 · 👨‍👩‍👧 · é"],
    ["C:\\temp", "C:\\temp"],
  ])("%j", (text, shown) => {
    expect(visible(text)).toBe(shown);
    expect(cellText(text)).toBe(shown);
  });

  it("objects and arrays, too: members and values", () => {
    expect(cellText({ "a\u202e": ["\u009b1", "\u001b"] })).toBe(
      '{"a\\u202e":["\\u009b1","\\u001b"]}',
    );
  });

  it("whatever the text: one line, and nothing that is not escaped is changed", () => {
    const controls = fc.string({
      unit: fc.integer({ min: 0, max: 0x2100 }).map((n) => String.fromCodePoint(n)),
    });
    fc.assert(
      fc.property(controls, (text) => {
        const shown = visible(text);
        expect(shown).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
        expect(visible(shown)).toBe(shown);
      }),
    );
  });
});

describe("the line of an effect (SURF-15)", () => {
  const entry = {
    seq: 1,
    node: "n1",
    row: null,
    entryId: "orchard",
    entity: "Tree",
    capability: "tree_create",
    label: "create",
    target: null,
    args: {},
    fingerprint: "",
    idempotencyKey: null,
    status: "done",
    startedAt: 1,
    endedAt: 2,
    httpStatus: 201,
    result: [{ ref: "Tree:12", values: {} }],
    error: null,
  } as const;

  it.each([
    [entry, "done create orchard.Tree 12"],
    [{ ...entry, result: null }, "done create orchard.Tree"],
    [{ ...entry, result: [{ ref: null, values: { ok: true } }] }, "done create orchard.Tree"],
    [{ ...entry, label: "prune", target: "Tree:7" }, "done prune orchard.Tree 7"],
    [{ ...entry, label: "cut", target: "Row:bed=2,plot=n" }, "done cut orchard.Tree bed=2,plot=n"],
    [
      { ...entry, target: "Tree:7\ndone delete orchard.Tree 8" },
      "done create orchard.Tree 7\\ndone delete orchard.Tree 8",
    ],
  ])("%# reads %s", (one, line) => expect(effectsText(doneLines([one], ample))).toEqual([line]));
});
