import { Failure } from "@plasm/agent-core";
import { describe, expect, it } from "vitest";
import { negotiate } from "./negotiate.ts";

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
  ])("%j gets %s", (accept, expected) => expect(negotiate(accept, offered)).toBe(expected));

  it.each(["text/html", "image/*", "application/json;q=0", "nonsense", "*/*;q=0"])(
    "%j is 406 with what there is",
    (accept) => {
      expect(() => negotiate(accept, offered)).toThrow(Failure);
      expect(() => negotiate(accept, offered)).toThrow(offered.join(", "));
    },
  );
});
