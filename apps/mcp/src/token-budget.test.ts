import { LOCAL } from "@plasm/agent-core";
import { INSTRUCTIONS, tokenCounter, TOOLS } from "@plasm/agent-core/internal";
import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, realHost, temporaryDirectory } from "./testing/real-host.ts";

afterAll(cleanUp);

const count = await tokenCounter();
const toolList = JSON.stringify(TOOLS.map(({ definition }) => definition));

/** The contract as an agent gets it whose seeds call for every part: all before the first table. */
async function contract(): Promise<string> {
  const { engine } = await realHost(await temporaryDirectory());
  const { entities } = (await engine.registryEntry(LOCAL, "quay")) as {
    readonly entities: readonly { readonly entity: string }[];
  };
  const seeds = entities.map(({ entity }) => ({ api: "quay", entity }));
  const { text } = await engine.context(LOCAL, {
    intent: "all of quay",
    seeds,
    notation: "symbols",
  });
  const first = text.indexOf("\nquay: e1");
  expect(first).toBeGreaterThan(0);
  return text.slice(0, first);
}

describe("what every session pays once, in o200k tokens (TEACH-41, G9)", () => {
  it("instructions cost at most 120", () => {
    expect(count(INSTRUCTIONS)).toBeLessThanOrEqual(120);
  });

  it("the tool list costs at most 500", () => {
    expect(count(toolList)).toBeLessThanOrEqual(500);
  });

  it("with the contract they cost at most 1,240, the contract at most 640", async () => {
    const costs = count(await contract());
    expect(costs).toBeLessThanOrEqual(640);
    expect(costs + count(INSTRUCTIONS) + count(toolList)).toBeLessThanOrEqual(1_240);
  });
});
