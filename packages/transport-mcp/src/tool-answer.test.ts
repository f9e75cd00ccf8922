import { describe, expect, it } from "vitest";
import { toolAnswer } from "./tool-answer.ts";

const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});
const text = { type: "string" };
const boats = { type: "array", items: object({ id: text, name: text }) };
const ROW = { id: text, name: text };

describe("SURF-78 what a tool answers, by its output schema", () => {
  it.each([
    ["a list alone", object({ boats }), "boats"],
    [
      "one beside what says how it stands",
      object({ boats, hasMore: { type: "boolean" }, total_count: { type: "integer" } }),
      "boats",
    ],
    [
      "one in an envelope of success",
      object({ success: { type: "boolean" }, error: text, boats }),
      "boats",
    ],
  ])("%s is rows", (_name, output, list) => {
    expect(toolAnswer({}, output, true)).toEqual({ properties: ROW, list, next: null });
  });

  it.each([
    ["a row that has a list", object({ name: text, boats })],
    ["two lists", object({ boats, crew: boats })],
    ["a list of texts", object({ names: { type: "array", items: text } })],
  ])("%s is one row", (_name, output) => {
    expect(toolAnswer({}, output, true)).toMatchObject({
      properties: output.properties,
      list: null,
    });
  });

  it("an effect's is one row, whatever it holds", () => {
    expect(toolAnswer({}, object({ boats }), false)).toMatchObject({ list: null });
  });

  it.each([
    ["nothing said", {}],
    ["a text once more", object({ content: text })],
  ])("%s is a text", (_name, output) => expect(toolAnswer({}, output, true).properties).toBeNull());

  it.each([
    ["the same name", { offset: text }, { offset: text }, { argument: "offset", member: "offset" }],
    [
      "the next one",
      { cursor: text },
      { nextCursor: text },
      { argument: "cursor", member: "nextCursor" },
    ],
    [
      "of any style",
      { page_token: text },
      { next_page_token: text },
      { argument: "page_token", member: "next_page_token" },
    ],
    [
      "a number says where, and not what comes next",
      { offset: { type: "integer" } },
      { offset: { type: "integer" } },
      null,
    ],
    ["an argument of another kind", { state: text }, { state: text, next_cursor: text }, null],
  ])("a list goes on by %s", (_name, takes, says, next) => {
    const output = object({ boats, ...says });
    const known = "state" in says ? object({ boats, next_cursor: text }) : output;
    expect(toolAnswer(object(takes), known, true)).toMatchObject({ list: "boats", next });
  });

  it("not by an argument that is demanded", () => {
    const input = object({ cursor: text }, ["cursor"]);
    expect(toolAnswer(input, object({ boats, cursor: text }), true).next).toBeNull();
  });
});
