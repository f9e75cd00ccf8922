import { actingIn, halfPairsIn, HOSTILE_TEXTS } from "@plasm/testkit";
import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import type { Policy } from "../policy/policy.ts";
import { type EntityPlace, resolveEntity } from "./resolve-entity.ts";

/** A catalog of entities, each with one read and the other names it is found by. */
const catalogOf = (entryId: string, entities: Readonly<Record<string, readonly string[]>>) =>
  buildCatalog(entryId, {
    entities: Object.fromEntries(
      Object.entries(entities).map(([name, names]) => [
        name,
        { fields: { id: "str" }, more: { discovery: { names } } },
      ]),
    ),
    capabilities: Object.fromEntries(
      Object.keys(entities).map((name) => [
        `${name.toLowerCase()}_get`,
        { kind: "get", entity: name },
      ]),
    ),
  });

const forge = catalogOf("forge", {
  Issue: ["ticket", "bug report"],
  PullRequest: ["merge request"],
  Person: [],
  Build: ["job"],
});
const desk = catalogOf("desk", { Issue: [], Ticket: ["request"], Build2: ["job"] });
const both = [forge, desk];
const forgeAlone: Policy = { apis: { forge: {} } };

const means = (name: string, policy: Policy = {}, held: readonly EntityPlace[] = []) => {
  const found = resolveEntity(name, both, policy, held);
  return found.ok ? `${found.api}.${found.entity}` : found.message;
};

test.each([
  ["PullRequest", "forge.PullRequest", "its exact name"],
  [" PullRequest ", "forge.PullRequest", "blanks around it do not count"],
  ["pullrequest", "forge.PullRequest", "without case"],
  ["pull requests", "forge.PullRequest", "camel case split, the plural folded"],
  ["pull_request", "forge.PullRequest", "split at what is no letter"],
  ["people", "forge.Person", "an irregular plural"],
  ["Merge Requests", "forge.PullRequest", "another name it is found by"],
  ["bug reports", "forge.Issue", "another name of two words"],
  ["tickets", "desk.Ticket", "its own name before another's other name"],
])("%j is %s: %s (TEACH-37, TEACH-40)", (name, place) => {
  expect(means(name)).toBe(place);
});

test.each([
  ["Issue", "Issue", ["desk", "Issue"], ["forge", "Issue"]],
  ["issues", "issues", ["desk", "Issue"], ["forge", "Issue"]],
  ["jobs", "jobs", ["desk", "Build2"], ["forge", "Build"]],
] as const)(
  "%j means several: they are listed, none is picked (TEACH-40)",
  (name, shown, ...all) => {
    const candidates = all.map(([api, entity]) => ({ api, entity }));
    const seeds = candidates.map((each) => JSON.stringify(each)).join(", ");
    expect(resolveEntity(name, both, {})).toEqual({
      ok: false,
      reason: "ambiguous",
      candidates,
      message: `${shown} may be ${seeds}: seed the one that is meant.`,
    });
  },
);

test("an exact name is meant where the same words are another's", () => {
  const twins = catalogOf("twins", { Log: [], Logs: [] });
  expect(resolveEntity("Logs", [twins], {})).toEqual({ ok: true, api: "twins", entity: "Logs" });
  expect(resolveEntity("logging", [twins], {})).toMatchObject({ reason: "ambiguous" });
});

test.each(["zebra", "", "  ", "7", "request for people", "ticke"])(
  "%j means none: nothing near is guessed",
  (name) => {
    expect(resolveEntity(name, both, {})).toEqual({
      ok: false,
      reason: "unknown",
      candidates: [],
      message: `No catalog has an entity ${name.trim()}.`,
    });
  },
);

test.each(["Issue", "tickets", "Ticket", "jobs", "Build2"])(
  "a forbidden catalog has no part in what %s means (SURF-26)",
  (name) => {
    const without = resolveEntity(name, [forge], {});
    expect(resolveEntity(name, both, forgeAlone)).toEqual(without);
    const held = [{ api: "desk", entity: "Ticket" }];
    expect(resolveEntity(name, both, forgeAlone, held)).toEqual(without);
  },
);

test("an entity of which nothing may be used has none either (TEACH-36)", () => {
  const policy = { apis: { forge: { deny: ["issue_get"] }, desk: {} } };
  expect(means("Issue", policy)).toBe("desk.Issue");
});

test("what the session holds is meant before what it does not hold", () => {
  const held = [{ api: "forge", entity: "Issue" }];
  expect(means("issues", {}, held)).toBe("forge.Issue");
  const wider = [...held, { api: "desk", entity: "Issue" }];
  expect(means("Issue", {}, wider)).toMatch(/^Issue may be .*"desk".*"forge"/);
});

test("an own name is meant before another name of what the session holds", () => {
  expect(means("ticket", {}, [{ api: "forge", entity: "Issue" }])).toBe("desk.Ticket");
  expect(means("jobs", {}, [{ api: "forge", entity: "Build" }])).toBe("forge.Build");
});

test.each(HOSTILE_TEXTS)("P24: a name that is $name is repeated on one line", ({ text }) => {
  const found = resolveEntity(text, both, {});
  if (found.ok) throw new Error("no entity has such a name");
  expect([actingIn(found.message), halfPairsIn(found.message)]).toEqual([[], 0]);
  expect(found.message.split("\n")).toHaveLength(1);
});

test("a name of a megabyte is cut", () => {
  const found = resolveEntity("a".repeat(1_000_000), both, {});
  if (found.ok) throw new Error("no entity has such a name");
  expect(found.message).toMatch(/^No catalog has an entity a{239}…\.$/);
});
