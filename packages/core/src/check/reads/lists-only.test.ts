import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../../test/build-catalog.ts";
import { exposureOf } from "../../../test/exposure-of.ts";
import { onlyNode, planOf } from "../../../test/plan-of.ts";
import { saidOf, statedBy } from "../../../test/said.ts";

/** Issues of which a list gives the open ones unless it is asked for others, and never those that are hidden. */
const office = exposureOf([
  buildCatalog("office", {
    entities: {
      Issue: {
        fields: { id: "int", title: "str", state: "open|closed|late", hidden: "bool", size: "int" },
      },
      Note: { fields: { id: "int", gone: "bool", box: "str" } },
    },
    capabilities: {
      issue_query: {
        kind: "query",
        entity: "Issue",
        params: { "state?": "open|closed|late|all", "size?": "int" },
        more: () => ({ lists_only: { state: "open", hidden: false } }),
      },
      issue_get: { kind: "get", entity: "Issue" },
      note_query: { kind: "query", entity: "Note", more: () => ({ lists_only: { gone: false } }) },
      note_of_box: { kind: "query", entity: "Note", params: { box: "str", "gone?": "bool" } },
    },
  }),
]);

/** Notes on issues, of which a list gives the open ones. */
const notes = exposureOf([
  buildCatalog("notes", {
    entities: {
      Issue: { fields: { id: "int", state: "open|closed", size: "int" } },
      Comment: { fields: { id: "int", issue: "→Issue" } },
    },
    capabilities: {
      issue_query: {
        kind: "query",
        entity: "Issue",
        params: { "size?": "int" },
        more: () => ({ lists_only: { state: "open" } }),
      },
      issue_get: { kind: "get", entity: "Issue" },
      comment_query: { kind: "query", entity: "Comment", params: { "issue?": "→Issue" } },
    },
  }),
]);

describe("RUN-112: a condition is not tested without the rows that a list leaves out (CAT-146)", () => {
  test.each([
    ["Issue{state=closed}", ["state"]],
    ["Issue{state=all}", ["state"]],
    ["Issue{state=closed, size=3}", ["size", "state"]],
    ["Issue{hidden=false}", []],
    ["Issue{size>3}", []],
  ])("%s is served", (program, sent) => {
    const node = planOf(program, office).nodes.find(({ kind }) => kind === "query");
    expect(node).toMatchObject({ capability: "issue_query" });
    expect(Object.keys(node !== undefined && "args" in node ? node.args : {})).toEqual(sent);
  });

  const SENT =
    "give state=…, which is sent to query, or leave it out for rows with state=open alone";
  const UNSENT = "leave it out for rows with hidden=false alone";
  test.each([
    ["Issue{state!=open}", "state", SENT],
    ["Issue{state in [open, closed]}", "state", SENT],
    ["Issue{any{state=closed, size>3}}", "state", SENT],
    ["Issue{not{state=closed}}", "state", SENT],
    ["Issue{lower(state)=closed}", "lower(state)=closed", SENT],
    ["Issue{hidden=true}", "hidden", UNSENT],
    ["Issue{state=all, hidden=true}", "hidden", UNSENT],
    ["Issue{exists(state)}", "Issue", SENT],
  ])("%s is not", (program, at, fix) => {
    const value = fix === SENT ? "state=open" : "hidden=false";
    expect(saidOf(program, office)).toEqual(
      statedBy([
        program,
        "predicate_unsupported",
        at,
        `query of Issue gives only rows with ${value}: others cannot be tested.`,
        fix,
      ]),
    );
  });

  test.each([
    ["a label that is used twice", "i = Issue\nx = i{state=closed}\ny = i{state=open}\nx, y"],
    ["a sort", "Issue.sort(size).filter{state=closed}"],
    ["a projection", "Issue[id, state].filter{state=closed}"],
  ])("nor behind %s", (_what, program) => {
    expect(saidOf(program, office).map(({ code }) => code)).toEqual(["predicate_unsupported"]);
  });

  test("the rows of a limit are those that are tested", () => {
    const { nodes } = planOf("Issue.limit(5).filter{state=closed}", office);
    expect(nodes.map(({ kind }) => kind)).toEqual(["query", "compute"]);
  });

  test("identities of such a list are not sent in place of a join", () => {
    const program = "Comment{issue.size=3}";
    const nodes = planOf(program, notes).nodes.map(({ kind }) => kind);
    expect(nodes).toEqual(["query", "join", "compute"]);
  });

  test("two values of one parameter are neither sent nor tested", () => {
    const said = saidOf("Issue{state=closed, state=late}", office);
    expect(said.map(({ code, marks }) => [code, marks])).toEqual([
      ["predicate_unsupported", "state"],
      ["predicate_unsupported", "state"],
    ]);
  });

  test("a list that takes the condition is chosen before one that leaves such rows out", () => {
    expect(onlyNode('Note{box="a", gone=true}', office)).toMatchObject({
      capability: "note_of_box",
    });
    expect(onlyNode("Note{gone=false}", office)).toMatchObject({ capability: "note_query" });
  });
});
