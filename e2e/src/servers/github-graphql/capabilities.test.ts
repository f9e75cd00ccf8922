import { expect, test } from "vitest";
import type { CapabilityCalls } from "./calls/call.ts";
import { checkCall } from "./calls/check-call.ts";
import { COMMENT_CALLS } from "./calls/comment-calls.ts";
import { DISCUSSION_CALLS } from "./calls/discussion-calls.ts";
import { FIELD_CALLS } from "./calls/field-calls.ts";
import { ITEM_CALLS } from "./calls/item-calls.ts";
import { PROJECT_CALLS } from "./calls/project-calls.ts";
import { githubProjects } from "./catalog.ts";
import { useGithubProjects } from "./use-github-projects.ts";

const CALLS: CapabilityCalls = {
  ...PROJECT_CALLS,
  ...FIELD_CALLS,
  ...ITEM_CALLS,
  ...DISCUSSION_CALLS,
  ...COMMENT_CALLS,
};
const capabilities = [...githubProjects().cgs.capabilities.keys()];
const github = useGithubProjects();

/** The operation that a capability's mapping sends. */
const operationOf = (capability: string): string => capability.replaceAll("_", "").toLowerCase();

test("there is a call of every capability of the catalog, and of no other; each says what it must come to", () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(capabilities.toSorted());
  const silent = Object.entries(CALLS).filter(
    ([, call]) => call.rows === undefined && call.count === undefined && call.after === undefined,
  );
  expect(silent.map(([name]) => name)).toEqual([]);
});

test.each(capabilities)("%s", async (capability) => {
  const { garden, server, run } = github();
  const call = CALLS[capability];
  if (call === undefined) throw new Error("nothing calls it");
  const ended = await run(call.program(garden));
  expect(ended.problem?.text ?? "").toBe("");
  const asked = server.asked.map(({ name }) => name.toLowerCase());
  expect(asked).toContain(operationOf(capability));
  checkCall(call, garden, ended.results.at(-1)?.rows ?? []);
});
