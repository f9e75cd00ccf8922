import type { JsonObject } from "@plasm/core";
import { describe, expect, it } from "vitest";
import { Failure } from "../errors/problem.ts";
import { graftSet } from "../../test/graft-agent.ts";
import { readGraftSet } from "./graft-set.ts";

function refusalOf(value: unknown): string {
  try {
    readGraftSet(value);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.problem.code === "plasm-bad-request") {
      return thrown.message;
    }
    throw thrown;
  }
  return "taken";
}

const without = (set: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(set).filter(([key]) => key !== name));

describe("sets that are attached (GRAFT-1 to GRAFT-3)", () => {
  it.each<[string, unknown, string]>([
    ["no object", "text", "grafts is text, and must be an object: name, manifest_path"],
    ["a list", [], "grafts is a list, and must be an object"],
    ["no name", without(graftSet(), "name"), "grafts.name is missing: text."],
    ["no time", without(graftSet(), "created_ts"), "grafts.created_ts is missing: text."],
    ["a number as name", graftSet([], { name: 1 }), "grafts.name is a number, and must be text."],
    ["no items", without(graftSet(), "items"), "grafts.items is missing: a list of grafts."],
    ["an unknown member", graftSet([], { guardrail: "x" }), "Did you mean guardrails?"],
    [
      "an unknown member of an item",
      graftSet([{ sha: "x" }]),
      "grafts.items[0] takes no argument sha.",
    ],
    ["an item that is none", { ...graftSet(), items: [1] }, "grafts.items[0] is a number"],
    [
      "a blank path",
      graftSet([{}, { graft_id: "b", path: "\u200b " }]),
      "grafts.items[1].path is blank",
    ],
    ["no id", graftSet([{ graft_id: "a b" }]), 'grafts.items[0].graft_id "a b" is no id'],
    ["an id of 65", graftSet([{ graft_id: "x".repeat(65) }]), "is no id: 1 to 64 of A-Z"],
    ["one id twice", graftSet([{}, {}]), "Two items have the graft_id g01: each has its own."],
    ["content that is none", graftSet([{ content: 7 }]), "grafts.items[0].content is a number"],
    ["half a pair", graftSet([{ content: "a\ud800" }]), "content holds half a surrogate pair"],
    ["no media type", graftSet([{ mime: "text" }]), "mime is no media type such as text/markdown."],
    ["a line in a type", graftSet([{ mime: "text/html;a\r\nx: y" }]), "mime is no media type"],
    [
      "a long label",
      graftSet([{ source: "x".repeat(4_097) }]),
      "source has 4097 characters; at most 4096",
    ],
    [
      "long guardrails",
      graftSet([], { guardrails: "🍐".repeat(2_001) }),
      "grafts.guardrails has 2001 characters; at most 2000 are allowed.",
    ],
    ["guardrails that just fit", graftSet([], { guardrails: "🍐".repeat(2_000) }), "taken"],
    ["a user, which says nothing", graftSet([], { user_id: 7 }), "taken"],
    ["none at all", graftSet([]), "taken"],
  ])("%s", (_, value, said) => expect(refusalOf(value)).toContain(said));

  it("source and path are cleaned, the content is not", () => {
    const [read] = readGraftSet(
      graftSet([{ source: "g`i\u202et ", path: "a\n b.md", content: " `x`\r\n" }]),
    ).items;
    expect(read).toMatchObject({ source: "g'it", path: "a b.md", content: " `x`\r\n" });
  });

  it("a type that is not given is plain text", () => {
    const value = { ...graftSet(), items: [{ source: "git", path: "a", content: "" }] };
    expect(readGraftSet(value).items).toEqual([
      { graftId: null, source: "git", path: "a", mime: "text/plain", content: "" },
    ]);
  });

  it("what a provider adds is left alone", () => {
    const value = {
      ...graftSet(),
      etag: "x",
      items: [{ source: "a", path: "b", content: "", sha: 1 }],
    };
    expect(readGraftSet(value, false).items).toHaveLength(1);
  });
});
