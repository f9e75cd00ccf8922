import { Failure } from "@plasm/agent-core";
import { describe, expect, it } from "vitest";
import { contextBody, discoverBody, openBody, programBody } from "../contract/bodies.ts";
import { readBy } from "./read-by.ts";

const said = (read: () => unknown): string => {
  try {
    return JSON.stringify(read());
  } catch (thrown) {
    if (thrown instanceof Failure) return `${thrown.problem.code}: ${thrown.problem.text}`;
    throw thrown;
  }
};

describe("a body that its schema does not allow (SURF-16, SURF-18)", () => {
  it.each([
    [discoverBody, { intent: "x", limits: 3 }, "Did you mean limit?"],
    [discoverBody, {}, "intent is missing: the goal in one sentence."],
    [discoverBody, { intent: 7 }, "intent is 7, and must be the goal in one sentence."],
    [discoverBody, { intent: " " }, 'intent is " ", and must be the goal'],
    [
      discoverBody,
      { intent: "x", limit: 33 },
      "limit is 33, and must be a whole number from 1 to 32",
    ],
    [discoverBody, { intent: "x", limit: 1.5 }, "limit is 1.5, and must be a whole number"],
    [
      discoverBody,
      { intent: "x", apis: ["a", 2] },
      "apis[1] is 2, and must be the name of a catalog",
    ],
    [contextBody, { seeds: [] }, "seeds is an empty list, and must be a list of at least one"],
    [
      openBody,
      { seeds: [{ entity: 7 }] },
      "seeds[0].entity is 7, and must be the name of an entity",
    ],
    [openBody, { seeds: [null] }, 'seeds[0] is null, and must be {"entity"'],
    [openBody, { seeds: [{ api: " ", entity: "B" }] }, 'seeds[0].api is " ", and must be the id'],
    [openBody, { notation: "runes" }, 'notation is "runes", and must be "symbols" or "names"'],
    [
      openBody,
      { pins: [{ api: "quay", digest: "x" }] },
      'pins[0].digest is "x", and must be sha256:',
    ],
    [contextBody, { seeds: {} }, "seeds is an object, and must be a list"],
    [
      contextBody,
      { seeds: [{ api: "q", entity: "B" }], replay: 1 },
      "replay is 1, and must be true",
    ],
    [discoverBody, {}, "intent is missing: the goal in one sentence."],
    [programBody, { program: ["x"] }, "program is a list, and must be one text"],
    [
      programBody,
      { program: "x".repeat(9), wait: "y".repeat(99) },
      "y…, and must be true or false",
    ],
  ])("%#: %j", (schema, body, words) => {
    expect(said(() => readBy(schema, body as never, "This route"))).toContain(words);
    expect(said(() => readBy(schema, body as never, "This route"))).toMatch(/^plasm-bad-request: /);
  });

  it("is read as it is where the schema allows it", () => {
    const body = { seeds: [{ api: "quay", entity: "Boat" }], intent: "x", principal: "ann" };
    expect(readBy(openBody, body, "POST /execute")).toEqual(body);
    const named = { seeds: [{ entity: "boats" }] };
    expect(readBy(contextBody, named, "POST …/context")).toEqual(named);
    // With the goal at hand the engine says what there is.
    expect(readBy(openBody, { seeds: [] }, "POST /execute")).toEqual({ seeds: [] });
  });
});
