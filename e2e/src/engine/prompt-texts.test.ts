import { createHash } from "node:crypto";
import type { JsonObject } from "@plasm/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { caller, engineUnderTest, type EngineUnderTest } from "./engine-under-test.ts";

const s0 = { kind: "ref", ref: "s0" } as const;
const me = caller({ connection: "c1" });

/** Five waves: what each call seeds, and how its heading begins (TEACH-28). */
const CALLS = [
  ["quay", ["Boat"], "quay: Boat"],
  ["quay", ["Visit", "Person"], "Added from quay: Person, Visit"],
  ["yard", ["Boat"], "Added from yard: e4 Boat"],
  ["quay", ["Log", "Boat"], "Added from quay: Log"],
  ["yard", ["Part"], "Added from yard: Part"],
] as const;

let under: EngineUnderTest;
beforeEach(async () => {
  under = await engineUnderTest();
});
afterEach(() => under.dispose());

const open = (intent: string, api: string, entities: readonly string[]) =>
  under.engine.context(me, { intent, seeds: entities.map((entity) => ({ api, entity })) });

/** A wave's text, as the answer that carries it alone has it behind the ref. */
const waveIn = (text: string): string => text.replace(/^logical_session_ref s\d+\n/, "").trimEnd();

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

it("A18 A20 SESS-9 TEACH-30 the prompt is all waves; its hash is of the first one and stays, as the pair does", async () => {
  const waves: string[] = [];
  const bindings: unknown[] = [];
  for (const [api, entities, heading] of CALLS) {
    const { text, meta } = await open("boats", api, entities);
    waves.push(waveIn(text));
    bindings.push(meta["execute_binding"]);
    // TEACH-27: parts now due, then the heading, then the table.
    expect(text.split("\n").filter((line) => line.startsWith(heading))).toEqual([heading]);
    expect(text.indexOf(heading)).toBeLessThan(text.indexOf("plasm_expr"));
    // TEACH-31: what has not changed is not sent.
    const again = await open("boats", api, entities);
    expect(again.text).toMatch(/^s0 unchanged: /);
    expect(again.meta).toMatchObject({ waves: [], domain_revision: waves.length });
  }
  const {
    prompt,
    prompt_hash: hash,
    domain_revision: revision,
  } = await under.engine.describe(me, s0);
  expect(prompt).toBe(waves.map((wave) => `${wave}\n`).join(""));
  expect(revision).toBe(CALLS.length);
  const [first = ""] = waves;
  expect(hash).toBe(sha256(`${first}\n`));
  const pair = { prompt_hash: hash, session_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string };
  expect(bindings[0]).toEqual(pair);
  for (const binding of bindings) expect(binding).toEqual(bindings[0]);
});

it("SESS-9 equal seeds give equal hashes and other ids; other seeds, or other words, other hashes", async () => {
  const [boat, same, person] = [
    await open("one", "quay", ["Boat"]),
    await open("two", "quay", ["Boat"]),
    await open("three", "quay", ["Person"]),
  ].map(({ meta }) => meta["execute_binding"] as JsonObject);
  expect(same?.["prompt_hash"]).toBe(boat?.["prompt_hash"]);
  expect(same?.["session_id"]).not.toBe(boat?.["session_id"]);
  expect(person?.["prompt_hash"]).not.toBe(boat?.["prompt_hash"]);
  const seeds = [{ api: "quay", entity: "Boat" }];
  const { meta } = await under.engine.context(me, { intent: "four", seeds, notation: "symbols" });
  expect((meta["execute_binding"] as JsonObject)["prompt_hash"]).not.toBe(boat?.["prompt_hash"]);
});
