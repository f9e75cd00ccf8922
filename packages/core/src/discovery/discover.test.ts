import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../test/build-catalog.ts";
import { fixtureCatalogs } from "../../test/fixture-catalogs.ts";
import { ALL_FEATURES, CURRENT_FEATURES, type Policy } from "../policy/policy.ts";
import { discover, type DiscoverInput, seedsOfGoal } from "./discover.ts";
import { everydayWords } from "./everyday-words.ts";
import { readSynonyms } from "./read-synonyms.ts";

const catalogs = [...fixtureCatalogs("orchard", "depot").values()];
const harbour = [...fixtureCatalogs("quay", "yard").values()];

function found(input: DiscoverInput, among = catalogs, policy: Policy = {}) {
  const result = discover(input, among, policy, ALL_FEATURES);
  if (!result.ok) throw new Error(result.message);
  return result;
}

const names = (input: DiscoverInput, among = catalogs, policy: Policy = {}) =>
  found(input, among, policy).options.map(({ api, entity }) => `${api}.${entity}`);

test("the text of TEACH-39", () => {
  const result = found({
    intent: "prune trees in the plots, then pack fruit into a box in the store",
    limit: 2,
  });
  expect(result.text).toBe(
    [
      "```tsv",
      "api\tentity\tdescription",
      "orchard\tTree\tone tree in the orchard · create prune update delete",
      "depot\tCrate\ta box in the store",
      "```",
      "3 more: pass apis or a narrower intent",
    ].join("\n"),
  );
  expect(result.omitted).toBe(3);
  expect(result.options[1]).toEqual({
    api: "depot",
    entity: "Crate",
    description: "a box in the store",
  });
});

test("no match names the catalogs (TEACH-39)", () => {
  expect(found({ intent: "zebra" }).text).toBe("No match. Catalogs: depot, orchard");
  const many = Array.from({ length: 23 }, (_, at) =>
    shop(`shop${String(at).padStart(2, "0")}`, {}),
  );
  expect(found({ intent: "zebra" }, many).text).toMatch(
    /^No match\. Catalogs: shop00, .*, shop19, \+3$/,
  );
});

test("beside the first eight the next 16 are told by name, not what is unlikely, nor beside a limit (TEACH-59)", () => {
  const wide = (count: number) =>
    shop("wide", {
      ...Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`GreenShelfItem${at}`, "an item"]),
      ),
      ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`Drawer${at}`, "a drawer"])),
      Scrap: "what is left, in a box beside a shelf",
    });
  const intent = "green shelf item";
  const ten = found({ intent }, [wide(10)]);
  expect(ten.options).toHaveLength(8);
  expect(ten.others).toEqual([
    { api: "wide", entity: "GreenShelfItem8" },
    { api: "wide", entity: "GreenShelfItem9" },
  ]);
  expect(ten.omitted).toBe(3);
  expect(ten.text).toMatch(
    /\n```\nAlso near: wide: GreenShelfItem8, GreenShelfItem9\n1 more: pass apis or a narrower intent$/,
  );
  expect(found({ intent }, [wide(40)]).others).toHaveLength(16);
  const limited = found({ intent, limit: 8 }, [wide(10)]);
  expect(limited.others).toEqual([]);
  expect(limited.text).toMatch(/\n```\n3 more: pass apis or a narrower intent$/);
  // What a goal alone is taught and told: of the best 24, with those that are chosen.
  const seeds = seedsOfGoal({ intent }, [wide(40)], {});
  expect(seeds.ok && seeds.chosen.length + seeds.others.length).toBe(24);
});

test("where more catalogs are than a refusal names, those that hold most of the goal come first (TEACH-61)", () => {
  const many = Array.from({ length: 23 }, (_, at) =>
    shop(`shop${String(at).padStart(2, "0")}`, { Ware: at === 22 ? "a lamp" : "a thing" }),
  );
  const intent = "rockets, pizza, jazz and robots beside a lamp on mars";
  expect(found({ intent }, many).text).toMatch(
    /^No match\. Catalogs: shop22, shop00, .*, shop18, \+3\n/,
  );
  expect(found({ intent }, many.slice(3)).text).toMatch(/^No match\. Catalogs: shop03, /);
});

test("where none is named, the other catalogs are told (TEACH-63)", () => {
  const goal = { intent: "green shelf" };
  const wood = shop("wood", { GreenShelf: "a shelf" });
  const all = [wood, shop("tea", { Pot: "a pot" }), shop("ink", { Pen: "a pen" })];
  expect(found(goal, all).elsewhere).toEqual(["ink", "tea"]);
  expect(found(goal, all).text).toMatch(/\nOther catalogs: ink, tea$/);
  const rest = [
    { ...goal, limit: 8 },
    { ...goal, apis: ["wood", "tea"] },
  ];
  for (const one of rest) expect(found(one, all).elsewhere).toEqual([]);
  expect(found(goal, [wood]).text).not.toContain("Other catalogs");
  expect(found({ intent: "zebra" }, all).elsewhere).toEqual(["ink", "tea", "wood"]);
});

test("where a catalog is named, what else is there is told by name, what can do most first (TEACH-62)", () => {
  const wide = (count: number) =>
    shop("wide", {
      GreenShelf: "a shelf",
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`Drawer${at}`, "a box"])),
    });
  const input = { intent: "green shelf", apis: ["wide"] };
  const ten = found(input, [wide(10)]);
  expect(ten.options).toHaveLength(8);
  expect(ten.further).toHaveLength(3);
  expect(ten.text).toMatch(
    /\nAlso there: wide: Drawer\d, Drawer\d, Drawer\d\nThe last 7 share no word with the goal\.$/,
  );
  expect(found(input, [wide(60)]).further).toHaveLength(16);
  expect(found({ ...input, limit: 8 }, [wide(10)]).further).toEqual([]);
  const unfit = found({ ...input, intent: "zebra" }, [wide(10)]);
  expect([unfit.further.length, unfit.omitted]).toEqual([3, 0]);
  expect(unfit.text).not.toContain("more: pass apis");
  expect(found({ ...input, intent: "zebra" }, [wide(60)]).text).toContain("\n37 more: pass apis");
  const seeds = seedsOfGoal(input, [wide(60)], {});
  expect(seeds).toMatchObject({ ok: true, chosen: [{ api: "wide", entity: "GreenShelf" }] });
  expect(seeds.ok ? seeds.others : []).toHaveLength(7 + 16);
});

test("a goal that nothing fits is told what shares a word with it (TEACH-60)", () => {
  const intent = "robots, pizza, rockets and jazz for the crew of a boat on mars";
  const { options, omitted, others, text } = found({ intent }, harbour);
  expect([options, omitted]).toEqual([[], 0]);
  expect(others).toContainEqual({ api: "quay", entity: "Boat" });
  expect(text).toMatch(/^No match\. Catalogs: quay, yard\nNearest by single words: [a-z]+: [A-Z]/);
  const seeds = seedsOfGoal({ intent }, harbour, {});
  expect(seeds).toMatchObject({
    ok: false,
    message: expect.stringMatching(/\nNearest by single words: quay: Boat/) as string,
  });
  const hidden = found({ intent }, harbour, { apis: { yard: {} } });
  expect(hidden.text).not.toContain("quay");
});

test.each([
  ["prune a tree", "orchard.Tree"],
  ["pruning", "orchard.Tree"],
  ["fruit picked", "orchard.Harvest"],
  ["a box in the store", "depot.Crate"],
  ["delivered lots", "depot.Harvest"],
])("%s: %s first", (intent, first) => {
  expect(names({ intent })[0]).toBe(first);
});

test.each([
  ["yachts by name", "quay.Boat"],
  ["fees that were paid", "quay.Visit"],
  ["spare parts by maker", "yard.Part"],
  ["boats in the yard", "yard.Boat"],
])("%s: %s first, by names, terms, fields", (intent, first) => {
  expect(names({ intent }, harbour)[0]).toBe(first);
});

test("zero scores are left out; limit is 8 unless given (TEACH-36, TEACH-38)", () => {
  expect(names({ intent: "crates" })).toEqual(["depot.Crate", "depot.Harvest"]);
  const wide = shop(
    "wide",
    Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`Item${at}`, "an item"])),
  );
  expect(names({ intent: "item" }, [wide])).toHaveLength(8);
  expect(found({ intent: "item" }, [wide]).omitted).toBe(4);
  expect(names({ intent: "item", limit: 32 }, [wide])).toHaveLength(12);
});

test("equal scores go by api, then entity (TEACH-38)", () => {
  const twins = [
    shop("south", { Pear: "a fruit", Apple: "a fruit" }),
    shop("north", { Plum: "a fruit" }),
  ];
  expect(names({ intent: "fruit" }, twins)).toEqual(["north.Plum", "south.Apple", "south.Pear"]);
});

test("a catalog named as a whole word doubles its entities, and excludes nothing (TEACH-37)", () => {
  const two = [
    shop("alpha", { Report: "a report" }),
    shop("beta", { Report: "a report", Note: "a note" }),
  ];
  expect(names({ intent: "report" }, two)).toEqual(["alpha.Report", "beta.Report"]);
  expect(names({ intent: "report from beta" }, two)).toEqual([
    "beta.Report",
    "alpha.Report",
    "beta.Note",
  ]);
  expect(names({ intent: "report about betamax" }, two)[0]).toBe("alpha.Report");
});

describe("words of everyday speech stand for those of APIs (TEACH-48)", () => {
  const bills = shop("office", { Invoice: "what is to be paid", Refund: "what went back" });
  const synonyms = readSynonyms("bill invoice\nmoney-back > refund");

  test.each([
    ["which bills are open", ["office.Invoice"]],
    ["money back for ann", ["office.Refund"]],
    ["ann has no money", []],
  ])("%s: %j", (intent, expected) => {
    expect(names({ intent, synonyms }, [bills])).toEqual(expected);
    expect(names({ intent }, [bills])).toEqual([]);
  });

  test("the word itself counts for more", () => {
    const both = shop("both", { Bill: "a thing", Invoice: "a thing" });
    expect(names({ intent: "bills", synonyms }, [both])).toEqual(["both.Bill", "both.Invoice"]);
  });

  test("each word of the table is no sentence, and most stand for something", () => {
    for (const from of everydayWords().keys()) expect(from).toMatch(/^\p{L}+(?: \p{L}+)?$/u);
    const standing = [...everydayWords().values()].filter(({ length }) => length > 0);
    expect(standing.length).toBeGreaterThan(900);
  });

  test("what no API is about makes a sentence foreign where nothing holds it; it is no misspelt word", () => {
    const words = readSynonyms("bill > invoice\nrefunt zebra lion >");
    expect(names({ intent: "an invoice for qwert", synonyms: words }, [bills])).toEqual([
      "office.Invoice",
    ]);
    expect(names({ intent: "a bill for qwert asdf", synonyms: words }, [bills])).toEqual([
      "office.Invoice",
    ]);
    expect(
      names({ intent: "a bill for the zebra and the lion", synonyms: words }, [bills]),
    ).toEqual([]);
    expect(names({ intent: "refunt", synonyms: words }, [bills])).toEqual([]);
    const zoo = shop("zoo", { Zebra: "an animal" });
    expect(names({ intent: "the zebra", synonyms: words }, [zoo])).toEqual(["zoo.Zebra"]);
  });
});

test("listed values, arguments, and what fields are said to be are found (TEACH-37)", () => {
  const parts = buildCatalog("parts", {
    entities: {
      Bolt: {
        description: "a thing",
        fields: { id: "str", finish: "galvanised|plain" },
      },
      Nut: { description: "a thing", fields: { id: "str" } },
    },
    capabilities: {
      bolt_get: { kind: "get", entity: "Bolt" },
      nut_get: { kind: "get", entity: "Nut" },
    },
  });
  expect(names({ intent: "the galvanised ones" }, [parts])).toEqual(["parts.Bolt"]);
});

test("more of a name told, and a verb that it answers to, tell what is meant (TEACH-53)", () => {
  const desk = shop("desk", { LoanNote: "what was lent", Loan: "what was lent", Note: "a text" });
  expect(names({ intent: "the loan note" }, [desk])[0]).toBe("desk.LoanNote");
  const [first, second] = [shop("one", { Loan: "lent" }), shop("two", { Loan: "lent" })];
  expect(names({ intent: "list a loan" }, [first, second])[0]).toBe("one.Loan");
  expect(names({ intent: "prune a tree" })[0]).toBe("orchard.Tree");
});

test("a goal alone is taught what its odds are worth, three entities at most where a catalog is named (TEACH-54)", () => {
  const kinds = ["Red", "Green", "Blue", "White", "Black"];
  const inks = shop("inks", Object.fromEntries(kinds.map((kind) => [`${kind}Ink`, "an ink"])));
  const chosen = (apis: readonly string[], intent = "ink"): readonly string[] => {
    const seeds = seedsOfGoal({ intent, apis }, [inks], {});
    return seeds.ok ? seeds.chosen.map(({ entity }) => entity) : [];
  };
  expect(chosen([])).toHaveLength(4);
  expect(chosen(["inks"])).toHaveLength(3);
  expect(chosen(["inks"], "white ink")[0]).toBe("WhiteInk");
  const wide = shop("wide", { Loan: "what was lent", Note: "what was written" });
  const one = seedsOfGoal({ intent: "loan of what was lent", apis: ["wide"] }, [wide], {});
  expect(one.ok && one.chosen.map(({ entity }) => entity)).toEqual(["Loan"]);
});

test("of entities that fit alike, the one whose catalog holds the rest of the sentence comes first (TEACH-51)", () => {
  const [clinic, library] = [
    shop("clinic", { Note: "a note", Patient: "someone ill" }),
    shop("library", { Note: "a note", Shelf: "a shelf of volumes" }),
  ];
  const among = [clinic, library, shop("attic", { Note: "a note" })];
  expect(names({ intent: "note" }, among)[0]).toBe("attic.Note");
  expect(names({ intent: "a note on the shelf" }, among).slice(0, 2)).toEqual([
    "library.Shelf",
    "library.Note",
  ]);
  expect(names({ intent: "a note of a patient" }, among).slice(0, 2)).toEqual([
    "clinic.Patient",
    "clinic.Note",
  ]);
});

test("one catalog must explain half of a sentence, whichever of its entities do (TEACH-39)", () => {
  const parts = ["Anchor", "Mizzen", "Sail"].map((name) => [name, "a thing"]);
  const one = shop("one", Object.fromEntries(parts));
  const several = parts.map(([name = ""], at) => shop(`shop${at}`, { [name]: "a thing" }));
  const intent = "anchor and mizzen and sail of quite another kind where zebras graze quietly";
  expect(names({ intent }, [one, shop("other", { Pear: "a fruit" })])).toHaveLength(3);
  expect(names({ intent }, several)).toEqual([]);
});

test("Mr, Mrs and Ms are no words: MR is another (TEACH-37)", () => {
  const code = shop("code", { Mr: "a merge request", Person: "somebody" });
  expect(names({ intent: "the person Mr Jones" }, [code])).toEqual(["code.Person"]);
  expect(names({ intent: "the MR of a person" }, [code])).toContain("code.Mr");
});

test("verbs prefer the entities that can do so (TEACH-37)", () => {
  const store = buildCatalog("store", {
    entities: {
      Alpha: { description: "a thing", fields: { id: "str" } },
      Beta: { description: "a thing", fields: { id: "str" } },
    },
    capabilities: {
      alpha_get: { kind: "get", entity: "Alpha" },
      beta_get: { kind: "get", entity: "Beta" },
      beta_drop: { kind: "delete", entity: "Beta" },
    },
  });
  expect(names({ intent: "a thing" }, [store])).toEqual(["store.Alpha", "store.Beta"]);
  expect(names({ intent: "remove a thing" }, [store])).toEqual(["store.Beta", "store.Alpha"]);
});

test("policy and features are applied before scoring: what is hidden leaves no trace (TEACH-36, SURF-26)", () => {
  const noEffects: Policy = { apis: { orchard: { effects: false } } };
  expect(names({ intent: "prune" }, catalogs, noEffects)).toEqual([]);
  expect(found({ intent: "tree" }, catalogs, noEffects).options[0]?.description).toBe(
    "one tree in the orchard",
  );
  expect(found({ intent: "crate" }, catalogs, noEffects).text).toBe("No match. Catalogs: orchard");
  const gone: Policy = { apis: { depot: { deny: ["crate_query", "crate_get"] } } };
  expect(names({ intent: "crate boxes" }, catalogs, gone)).toEqual(["depot.Harvest"]);
  const today = discover(
    { intent: "prune" },
    catalogs,
    {},
    { ...CURRENT_FEATURES, effects: false },
  );
  expect(today).toMatchObject({ ok: true, options: [] });
});

test("apis narrow the scope; an unknown one is an error (TEACH-36, TEACH-40)", () => {
  const narrow = { intent: "harvest", apis: ["Depot"] };
  expect(names(narrow)).toEqual(["depot.Harvest", "depot.Crate"]);
  expect(found(narrow).text).toContain("\nThe last one shares no word with the goal.");
  expect(names({ ...narrow, limit: 1 })).toEqual(["depot.Harvest"]);
  expect(discover({ intent: "harvest", apis: ["depto"] }, catalogs, {})).toEqual({
    ok: false,
    message: "No catalog depto. Nearest: depot.",
  });
});

test("descriptions are cleaned and cut at 120 code points (TEACH-39, TEACH-13)", () => {
  const long = shop("long", { Item: `an item\twith\n${"many ".repeat(40)}words` });
  const [option] = found({ intent: "item" }, [long]).options;
  expect(Array.from(option?.description ?? "").length).toBeLessThanOrEqual(120);
  expect(option?.description).toMatch(/^an item with many .*…$/);
});

test("a goal that means two entities alike is taught both, though the table of the first is large (TEACH-54)", () => {
  const fields = (count: number) =>
    Object.fromEntries([
      ["id", "str" as const],
      ...Array.from({ length: count }, (_, n) => [`f${n}`, "str" as const] as const),
    ]);
  const host = buildCatalog("host", {
    entities: { Branch: { fields: fields(60) }, Project: { fields: fields(100) } },
    capabilities: {
      branch_get: { kind: "get", entity: "Branch" },
      project_get: { kind: "get", entity: "Project" },
    },
  });
  const seeds = seedsOfGoal({ intent: "a branch of a project", apis: ["host"] }, [host], {});
  const chosen = seeds.ok ? seeds.chosen.map(({ entity }) => entity) : [];
  expect(chosen.toSorted()).toEqual(["Branch", "Project"]);
});

describe("TEACH-58: a goal that calls several things by name", () => {
  const clinic = shop("clinic", {
    Appointment: "when a patient sees a doctor",
    Patient: "",
    Doctor: "",
    AppointmentNote: "a note on a patient",
    Room: "",
  });
  const seedsFor = (intent: string, catalogs = [clinic], apis?: readonly string[]) => {
    const seeds = seedsOfGoal({ intent, ...(apis && { apis }) }, catalogs, {});
    return seeds.ok ? seeds.chosen.map(({ entity }) => entity) : [];
  };

  test("is taught all of them, before what holds their words elsewhere", () => {
    const goal = "appointments of next week with the patient and the doctor";
    expect(seedsFor(goal, [clinic], ["clinic"]).toSorted()).toEqual([
      "Appointment",
      "Doctor",
      "Patient",
    ]);
  });

  test("but not what is a part of a longer name", () => {
    expect(seedsFor("write an appointment note", [clinic], ["clinic"])).not.toContain("Room");
    const host = shop("host", { PullRequest: "a change", Request: "a call", Review: "" });
    const chosen = seedsFor("pull requests that wait for a review", [host], ["host"]);
    expect(chosen.slice(0, 2)).toEqual(["PullRequest", "Review"]);
  });

  test("nor what another catalog calls so", () => {
    const other = shop("other", { Patient: "a patient of another" });
    const seeds = seedsOfGoal({ intent: "appointments with their patient" }, [clinic, other], {});
    const chosen = seeds.ok ? seeds.chosen : [];
    expect(chosen.slice(0, 2)).toEqual([
      { api: "clinic", entity: "Appointment" },
      { api: "clinic", entity: "Patient" },
    ]);
  });
});

test("abstract entities are never seeds, so they are not found (TEACH-7)", () => {
  const base = buildCatalog("base", {
    entities: {
      Item: { fields: { id: "str" } },
      Model: { description: "an item", fields: { id: "str" }, more: { abstract: true } },
    },
    capabilities: { item_get: { kind: "get", entity: "Item" } },
  });
  expect(names({ intent: "item model" }, [base])).toEqual(["base.Item"]);
});

/** A catalog of entities with a description and a get each. */
function shop(entryId: string, entities: Readonly<Record<string, string>>) {
  const named = Object.keys(entities).length === 0 ? { Thing: "" } : entities;
  return buildCatalog(entryId, {
    entities: Object.fromEntries(
      Object.entries(named).map(([name, description]) => [
        name,
        { description, fields: { id: "str" } },
      ]),
    ),
    capabilities: Object.fromEntries(
      Object.keys(named).map((name) => [
        `${name.toLowerCase()}_get`,
        { kind: "get", entity: name },
      ]),
    ),
  });
}
