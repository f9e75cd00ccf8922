import { describe, expect, it } from "vitest";
import { TOOLS } from "./all-tools.ts";

/** SURF-3's list; seeds may be left out, plasm_run takes a ref instead of a program. */
const LISTED = [
  '{"name":"plasm_context","title":"Session","description":"Open or extend a session; call first. Returns logical_session_ref and the table. Without seeds the intent chooses.","inputSchema":{"type":"object","required":["intent"],"properties":{"intent":{"type":"string"},"seeds":{"type":"array","items":{"type":"object","properties":{"api":{"type":"string"},"entity":{"type":"string"},"account":{"type":"string"}}}},"replay":{"type":"boolean","description":"Send tables again"},"detail":{"type":"boolean","description":"What tables leave out, too"},"notation":{"enum":["symbols","names"]},"read_only":{"type":"boolean"},"grafts":{"type":"object"}}},"annotations":{"destructiveHint":false}}',
  '{"name":"plasm","title":"Plan","description":"Plan a program; runs nothing.","inputSchema":{"type":"object","required":["logical_session_ref","program"],"properties":{"logical_session_ref":{"type":"string"},"program":{"type":"string"}}},"annotations":{"readOnlyHint":true}}',
  '{"name":"plasm_run","title":"Run","description":"Run a program live, or page(h), wait(h), cancel(h).","inputSchema":{"type":"object","required":["logical_session_ref"],"properties":{"logical_session_ref":{"type":"string"},"program":{"type":"string"},"plan_commit_ref":{"type":"string","description":"pcN, instead of program"},"force":{"type":"boolean","description":"Skip review"},"wait":{"type":"boolean","description":"false: answer with a handle"},"save":{"type":"object","description":"{name, parameters: [label]}: keep, not run"}}}}',
  '{"name":"discover_capabilities","title":"Discover","description":"Find seeds you cannot guess, for a goal in one sentence.","inputSchema":{"type":"object","required":["intent"],"properties":{"intent":{"type":"string"},"apis":{"type":"array","items":{"type":"string"}},"limit":{"type":"integer"}}},"annotations":{"readOnlyHint":true}}',
  '{"name":"grafted_context_fetch","title":"Document","description":"Full text of one graft listed by plasm_context.","inputSchema":{"type":"object","required":["graft_id"],"properties":{"graft_id":{"type":"string"},"logical_session_ref":{"type":"string"},"offset":{"type":"integer"}}},"annotations":{"readOnlyHint":true}}',
];

describe("the tool list (SURF-3, L5)", () => {
  it("is the specification's, byte for byte and in its order", () => {
    expect(TOOLS.map(({ definition }) => JSON.stringify(definition))).toEqual(LISTED);
  });

  it("keeps every description within 2,000 characters (SURF-1)", () => {
    for (const { definition } of TOOLS) {
      expect(definition.description?.length).toBeLessThanOrEqual(2_000);
    }
  });

  it("offers no output schema (SURF-5)", () => {
    for (const { definition } of TOOLS) expect(definition).not.toHaveProperty("outputSchema");
  });
});
