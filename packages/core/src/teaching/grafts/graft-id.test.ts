import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../hash/sha256-hex.ts";
import { derivedGraftId, isGraftId } from "./graft-id.ts";

const ORIGIN = { source: "git", path: "a.md" };
const DIGITS = sha256Hex('["git","a.md"]');

describe("ids of grafts (GRAFT-3)", () => {
  it.each([
    ["g01", true],
    ["A_-9", true],
    ["x".repeat(64), true],
    ["x".repeat(65), false],
    ["", false],
    ["*", false],
    ["a/b", false],
    ["a\n", false],
    ["é", false],
  ])("%j: %s", (id, allowed) => expect(isGraftId(id)).toBe(allowed));

  it("one that is absent is g and six digits of the origin's hash", () => {
    expect(derivedGraftId(ORIGIN, () => undefined)).toBe(`g${DIGITS.slice(0, 6)}`);
    expect(isGraftId(derivedGraftId(ORIGIN, () => undefined))).toBe(true);
  });

  it("such an id is lengthened while another origin has it, and kept by the same", () => {
    const other = { source: "git", path: "b.md" };
    const held = new Map([
      [`g${DIGITS.slice(0, 6)}`, other],
      [`g${DIGITS.slice(0, 7)}`, other],
    ]);
    expect(derivedGraftId(ORIGIN, (id) => held.get(id))).toBe(`g${DIGITS.slice(0, 8)}`);
    expect(derivedGraftId(ORIGIN, () => ORIGIN)).toBe(`g${DIGITS.slice(0, 6)}`);
    expect(derivedGraftId(ORIGIN, () => other)).toHaveLength(64);
  });
});
