import { tokenCounter } from "@plasm/agent-core";
import { describe, expect, it } from "vitest";
import { INSTRUCTIONS } from "./instructions.ts";
import { TOOLS } from "./tools/all-tools.ts";

const count = await tokenCounter();

describe("what every session pays once, in o200k tokens (TEACH-41)", () => {
  it("instructions cost at most 120", () => {
    expect(count(INSTRUCTIONS)).toBeLessThanOrEqual(120);
  });

  it("the tool list costs at most 500", () => {
    const list = JSON.stringify(TOOLS.map(({ definition }) => definition));
    expect(count(list)).toBeLessThanOrEqual(500);
  });
});
