import { Failure } from "@plasm/agent-core";
import { slowTexts } from "@plasm/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namesType, negotiate } from "./accept.ts";

const offered = ["application/json", "text/plain", "text/markdown"] as const;

describe("negotiate (SURF-17)", () => {
  it.each([
    [null, "application/json"],
    ["", "application/json"],
    ["*/*", "application/json"],
    ["text/plain", "text/plain"],
    ["TEXT/PLAIN", "text/plain"],
    ["text/*", "text/plain"],
    ["text/html, text/markdown", "text/markdown"],
    ["application/json;q=0.5, text/plain", "text/plain"],
    ["text/plain;q=0.2, application/json;q=0.1", "text/plain"],
    ["text/*, text/plain;q=0.1", "text/markdown"],
    ["text/html,application/xhtml+xml,*/*;q=0.8", "application/json"],
    ["application/json;q=0, */*", "text/plain"],
    ["text/plain; charset=utf-8", "text/plain"],
    // Weights, in every spelling there is, and some that there are not.
    ["application/json;q=0.001, text/plain;q=0", "application/json"],
    ["text/plain;Q=0.9, application/json;q=0.8", "text/plain"],
    ["text/plain ; q=0.9 , application/json ; q=0.95", "application/json"],
    ["text/plain;q=1., text/markdown;q=.5", "text/plain"],
    ["text/markdown;q=7, text/plain;q=0.9", "text/markdown"],
    ["text/plain;q=high, text/markdown;q=0.1", "text/markdown"],
    ["text/plain;q=-1, text/markdown;q=0.1", "text/markdown"],
    ["text/plain;q=, text/markdown;q=0.1", "text/markdown"],
    ["text/plain;q=Infinity, text/markdown;q=0.1", "text/markdown"],
    // The most specific range counts, wherever it stands; of equal ones the largest weight.
    ["*/*;q=1, text/*;q=0.1, application/json;q=0.05", "text/plain"],
    ["application/json;q=0.05, text/*;q=0.1, */*;q=1", "text/plain"],
    ["*/*, application/*;q=0", "text/plain"],
    ["text/plain;q=0, text/markdown;q=0.1, text/plain;q=0.5", "text/plain"],
    ["text/plain, application/json, text/markdown", "application/json"],
    // Commas and semicolons in quotes are of a parameter.
    ['text/html;x="a, text/plain", text/markdown', "text/markdown"],
    ['text/plain;x=";q=0", text/markdown;q=0.5', "text/plain"],
    ['text/html;x="\\", text/plain", text/markdown;q=0.5', "text/markdown"],
    // What is no range is passed over.
    [",, ,text/plain,", "text/plain"],
    ["text, plain, */json, text/plain;q=0.1", "text/plain"],
    ["text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2", "application/json"],
  ])("%j gets %s", (accept, expected) => expect(negotiate(accept, offered)).toBe(expected));

  it.each([
    "text/html",
    "image/*",
    "application/json;q=0",
    "nonsense",
    "*/*;q=0",
    ",",
    ";",
    ";q=1",
    '"',
    "text/",
    "/plain",
    "text/plain/x",
    "*/plain",
    "text/plain;q=0, text/html",
  ])("%j is 406 with what there is", (accept) => {
    expect(() => negotiate(accept, offered)).toThrow(Failure);
    expect(() => negotiate(accept, offered)).toThrow(offered.join(", "));
  });
});

const TYPES = ["application", "text", "*", "image"];
const SUBTYPES = ["json", "plain", "markdown", "*", "html"];
const range = fc
  .tuple(fc.constantFrom(...TYPES), fc.constantFrom(...SUBTYPES), fc.integer({ min: -1, max: 10 }))
  .map(([type, subtype, tenths]) => `${type}/${subtype}${tenths < 0 ? "" : `;q=${tenths / 10}`}`);

const outcome = (accept: string): string => {
  try {
    return negotiate(accept, offered);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown.problem.code;
    throw thrown;
  }
};

/** By the words of RFC 9110, 12.5.1: a type's weight is that of the most specific range that matches. */
function wanted(ranges: readonly string[]): string {
  const weight = (type: string): number => {
    const forms = [type, type.replace(/\/.*/, "/*"), "*/*"];
    for (const form of forms) {
      const of = ranges.filter((one) => one.split(";")[0] === form);
      if (of.length > 0) return Math.max(...of.map((one) => Number(one.split(";q=")[1] ?? 1)));
    }
    return 0;
  };
  const most = Math.max(...offered.map(weight));
  return most > 0 ? (offered.find((type) => weight(type) === most) ?? "") : "plasm-not-acceptable";
}

describe("negotiate: whatever is sent (SURF-17)", () => {
  it("is judged by weights alone, in any order, in one header or several", () => {
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 6 }), (ranges) => {
        const expected = wanted(ranges);
        expect(outcome(ranges.join(", "))).toBe(expected);
        expect(outcome(ranges.toReversed().join(" ,"))).toBe(expected);
      }),
    );
  });

  it("nonsense gets an answer or 406, never a defect", () => {
    const piece = fc.oneof(
      range,
      fc.string({ maxLength: 8 }),
      fc.constantFrom('"', "\\", ";", ","),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        expect([...offered, "plasm-not-acceptable"]).toContain(outcome(pieces.join("")));
      }),
    );
  });
});

describe("namesType", () => {
  it.each([
    ["text/event-stream", true],
    ["application/json, Text/Event-Stream;q=0.5", true],
    ["text/event-stream;q=0", false],
    ["text/*, */*", false],
    [null, false],
  ])("%j: %j", (accept, named) => expect(namesType(accept, "text/event-stream")).toBe(named));
});

describe("18.14 an Accept header is read in proportion to its length", () => {
  it.each<readonly [string, (text: string) => unknown]>([
    ["which types it names", (text) => namesType(text, "text/plain")],
    ["what is offered for it", (text) => negotiate(text, ["application/json", "text/plain"])],
  ])("%s", (_what, read) => {
    expect(slowTexts(read)).toEqual([]);
  });
});
