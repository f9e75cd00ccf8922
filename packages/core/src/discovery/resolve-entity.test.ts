import { actingIn, halfPairsIn, HOSTILE_TEXTS } from "@plasm/testkit";
import { expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import type { Policy } from "../policy/policy.ts";
import { type EntityRef, entityResolver, resolveApi } from "./resolve-entity.ts";

const resolveEntity = (
  name: string,
  catalogs: Parameters<typeof entityResolver>[0],
  policy: Policy,
  held: readonly EntityRef[] = [],
) => entityResolver(catalogs, policy, held)(name);

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

const means = (name: string, policy: Policy = {}, held: readonly EntityRef[] = []) => {
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

test("an entity's own name in the plural is meant before another's other name, as in the singular (TEACH-40)", () => {
  const code = catalogOf("code", { User: ["people", "person", "member"], Member: [] });
  const port = catalogOf("port", { Person: [], Membership: [] });
  const meant = (name: string) => resolveEntity(name, [code, port], {});
  const user = { api: "code", entity: "User" };
  const person = { api: "port", entity: "Person" };
  expect(meant("people")).toEqual({ ok: true, ...person });
  expect(meant("person")).toEqual({ ok: true, ...person });
  expect(meant("members")).toEqual({ ok: true, api: "code", entity: "Member" });
  expect(resolveEntity("people", [code], {})).toEqual({ ok: true, ...user });
  const own = catalogOf("own", { Person: [], Crew: ["people"] });
  expect(resolveEntity("people", [own], {})).toEqual({ ok: true, api: "own", entity: "Crew" });
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

const near = catalogOf("near", {
  Build: [],
  Building: [],
  Set: [],
  Setting: [],
  OAuth1Client: [],
  OAuth2Client: [],
  Page: ["Bookmarks"],
  Bookmark: [],
});

test.each([
  ["Build", "Building"],
  ["Building", "Build"],
  ["build", "Building"],
  ["Set", "Setting"],
  ["Setting", "Set"],
  ["OAuth2Client", "OAuth1Client"],
])("%s means its own name, though %s is held whose words are the same", (name, other) => {
  const found = resolveEntity(name, [near], {}, [{ api: "near", entity: other }]);
  expect(found).toMatchObject({
    ok: true,
    entity: expect.stringMatching(new RegExp(`^${name}$`, "i")),
  });
});

test("another name as it is written is meant before an own name that has to be folded", () => {
  const held = [{ api: "near", entity: "Bookmark" }];
  expect(resolveEntity("Bookmarks", [near], {}, held)).toMatchObject({ ok: true, entity: "Page" });
  expect(resolveEntity("bookmarks", [near], {}, held)).toMatchObject({ ok: true, entity: "Page" });
});

test("a number in a name is never folded away", () => {
  const one = catalogOf("one", { OAuth1Client: [] });
  expect(resolveEntity("OAuth2Client", [one], {})).toMatchObject({ reason: "unknown" });
  expect(resolveEntity("OAuth1 clients", [one], {})).toMatchObject({ ok: true });
});

test("names of catalogs are read once, however many names are resolved", () => {
  let reads = 0;
  const policy = new Proxy<Policy>({}, { get: () => void (reads += 1) });
  const resolve = entityResolver([near], policy);
  const before = reads;
  for (const name of ["Build", "builds", "zebra", "Bookmarks"]) resolve(name);
  expect(before).toBeGreaterThan(0);
  expect(reads).toBe(before);
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

const one = (entryId: string, more: object) =>
  buildCatalog(entryId, {
    entities: { Item: { fields: { id: "str" } } },
    capabilities: { item_get: { kind: "get", entity: "Item" } },
    more,
  });

const catalogs = [
  one("orchard", { label: "Fruit Trees", tags: ["sample"], registry_aliases: ["Garden"] }),
  one("depot", { label: "Store", tags: ["sample", "logistics"] }),
  one("store", { label: "Shop" }),
];

test.each([
  ["orchard", "orchard"],
  [" orchard ", "orchard"],
  ["ORCHARD", "orchard"],
  ["fruit trees", "orchard"],
  ["garden", "orchard"],
  ["Logistics", "depot"],
  ["store", "store"],
  ["shop", "store"],
])(
  "%j resolves to %s: exact id, else the only id, label, tag or alias (TEACH-40)",
  (name, entryId) => {
    expect(resolveApi(name, catalogs, {})).toEqual({ ok: true, entryId });
  },
);

test.each([
  ["sample", ["depot", "orchard"], "sample may be depot, orchard: name one of them."],
  ["STORE", ["depot", "store"], "STORE may be depot, store: name one of them."],
])("%s is ambiguous: its candidates are listed (TEACH-40)", (name, entryIds, message) => {
  expect(resolveApi(name, catalogs, {})).toEqual({
    ok: false,
    reason: "ambiguous",
    entryIds,
    message,
  });
});

test.each([
  ["orchad", ["orchard"], "No catalog orchad. Nearest: orchard."],
  ["stor", ["depot", "store"], "No catalog stor. Nearest: depot, store."],
  ["warehouse", [], "No catalog warehouse. Catalogs: depot, orchard, store."],
])("%s is unknown: the nearest within distance 3 (TEACH-40)", (name, entryIds, message) => {
  expect(resolveApi(name, catalogs, {})).toEqual({
    ok: false,
    reason: "unknown",
    entryIds,
    message,
  });
});

test.each(["orchard", "Orchard", "garden", "fruit trees", "orchad"])(
  "a forbidden catalog answers to %s as one that does not exist (TEACH-40, G19)",
  (name) => {
    const policy = { apis: { depot: {}, store: {} } };
    const without = catalogs.filter(({ entryId }) => entryId !== "orchard");
    expect(resolveApi(name, catalogs, policy)).toEqual(resolveApi(name, without, {}));
    expect(resolveApi("sample", catalogs, policy)).toEqual({ ok: true, entryId: "depot" });
  },
);

test("nobody is told of catalogs when there are none", () => {
  expect(resolveApi("x", catalogs, { apis: {} })).toMatchObject({
    message: "No catalog x. There are none.",
  });
});

test.each(HOSTILE_TEXTS)("P24: a name that is $name is repeated on one line", ({ text }) => {
  const found = resolveApi(text, catalogs, {});
  if (found.ok) throw new Error("no catalog has such a name");
  expect([actingIn(found.message), halfPairsIn(found.message)]).toEqual([[], 0]);
  expect(found.message.split("\n")).toHaveLength(1);
});

test("a name of a megabyte is cut", () => {
  const found = resolveApi("a".repeat(1_000_000), catalogs, {});
  if (found.ok) throw new Error("no catalog has such a name");
  expect(found.message).toMatch(/^No catalog a{239}…\. /);
});
