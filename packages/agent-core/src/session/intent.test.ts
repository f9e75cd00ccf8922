import { describe, expect, it } from "vitest";
import { Failure } from "../errors/problem.ts";
import { checkIntent, logicalId } from "./intent.ts";
import { type ReuseFacts, reuseKey } from "./context-base.ts";

describe("checkIntent (SESS-1)", () => {
  it("keeps an intent code point by code point", () => {
    expect(checkIntent(" spring\npruning 🌳 ")).toBe(" spring\npruning 🌳 ");
  });

  it.each([
    ["missing", undefined],
    ["blank", "  \n "],
    ["a control character", "a\u0007b"],
    ["a tab", "a\tb"],
    ["half a surrogate pair", "a\ud800b"],
    ["4,097 characters", "x".repeat(4097)],
  ])("A21, B10 refuses %s", (_, intent) => {
    expect(() => checkIntent(intent)).toThrow(Failure);
  });

  it("counts code points", () => expect(checkIntent("🌳".repeat(4096))).toHaveLength(8192));
});

describe("logicalId (SESS-2)", () => {
  it("B2, B9 is the same for one pair and another for any other", () => {
    expect(logicalId("t", "goal")).toBe(logicalId("t", "goal"));
    const others = [logicalId("t", "goal "), logicalId("u", "goal"), logicalId('t","', "goal")];
    expect(new Set([...others, logicalId("t", "goal")]).size).toBe(4);
  });
});

describe("reuseKey (SESS-13)", () => {
  const facts: ReuseFacts = {
    scope: "t",
    primary: "quay",
    digest: "sha256:1",
    entities: ["Boat"],
    principal: null,
    pluginGeneration: null,
    logicalId: null,
    readOnly: false,
  };

  it.each<[string, Partial<ReuseFacts>]>([
    ["B11 tenant scope", { scope: "u" }],
    ["B12 primary", { primary: "yard" }],
    ["B13 catalog hash", { digest: "sha256:2" }],
    ["B14 entities", { entities: ["Boat", "Person"] }],
    ["B15, B18 principal", { principal: "ann" }],
    ["B16 plug-ins", { pluginGeneration: "g" }],
    ["B17 logical session", { logicalId: "L" }],
    ["only reads, where no intent is bound", { readOnly: true }],
  ])("%s alone gives another key", (_, over) => {
    expect(reuseKey({ ...facts, ...over })).not.toBe(reuseKey(facts));
  });
});
