import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wellFormedText } from "../../test/arbitrary-text.ts";
import { buildCatalog } from "../../test/build-catalog.ts";
import { ALL_FEATURES } from "../policy/policy.ts";
import { discoveryIndex } from "./index-catalogs.ts";
import { foldWord } from "./words.ts";
import { explainedParts, isAbout, namePhrases } from "./match-intent.ts";
import { readIntent } from "./read-intent.ts";

const catalog = buildCatalog("library", {
  entities: {
    LoanNote: {
      description: "a slip for a borrower, kept in the drawer",
      fields: { id: "str" },
      more: { discovery: { names: ["workshop"], qualifier_names: ["overdue"] } },
    },
    Shelf: {
      description: "a shelf of volumes",
      fields: { id: "str" },
      more: { discovery: { names: ["bookcase", "registration"] } },
    },
  },
  capabilities: {
    loan_note_get: { kind: "get", entity: "LoanNote" },
    shelf_get: { kind: "get", entity: "Shelf" },
  },
});
const indexes = [discoveryIndex(catalog, {}, ALL_FEATURES)];
const read = (intent: string) => readIntent(intent, indexes);

describe("a word that no document knows is taken for one that is near (TEACH-37)", () => {
  test.each([
    ["shelf", ["shelf"]],
    ["shlef", ["shelf"]],
    ["bokcase", ["bookcase"]],
    ["overdeu", ["overdue"]],
    ["registartion", ["registration"]],
    ["loannotes", ["loan", "note"]],
    ["registrar", ["registration"]],
    ["giraffe", []],
    ["sofa", []],
  ])("%s: %j", (word, known) => {
    expect(read(word).terms.map(({ term }) => term)).toEqual(known.map(foldWord));
  });

  test("what is guessed counts for less than what is written so", () => {
    const [guessed] = read("shlef").terms;
    expect(guessed?.weight).toBeLessThan(read("shelf").terms[0]?.weight ?? 0);
  });

  test("words that are only described are never guessed at", () => {
    expect(read("drawre").terms).toEqual([]);
    expect(read("drawer").terms).toHaveLength(1);
  });
});

test("words written apart are also read as one", () => {
  const terms = read("work shop").terms.map(({ term }) => term);
  expect(terms).toContain(foldWord("workshop"));
});

test("words that stand in any sentence say less, and verbs that no document knows nothing", () => {
  expect(read("the shelf of last week").words).toEqual([0.1, 1, 0.1, 0.4, 0.4]);
  expect(read("remove a shelf").words).toEqual([0, 1]);
});

test("words of values and of names say less, and are not guessed at (TEACH-48)", () => {
  expect(read("shelf 7a of shelf-b2.example.org").words).toEqual([1, 0.1, 0.3, 0.3]);
  expect(read('shelf "drawer two"').words).toEqual([1, 0.3, expect.closeTo(0.12)]);
  expect(read("a shelf for Zebulon").words).toEqual([1, 0.1, 0.3]);
  expect(read("a shelf for zebulon").words).toEqual([1, 0.1, 1]);
  expect(read("x@bokcase.org").terms).toEqual([]);
});

test("a name of several words is one phrase", () => {
  const intent = read("where is the loan note of a shelf");
  const phrases = namePhrases(intent, indexes);
  const said = phrases.map((words) =>
    words.map((word) => intent.terms.find((each) => each.word === word)?.term),
  );
  expect(said).toEqual([["loan", "note"].map(foldWord)]);
  expect(namePhrases(read("note a loan"), indexes)).toEqual([]);
});

test.each([
  ["which loan notes are overdue", true],
  ["the shelf that my aunt painted", true],
  ["shelf", true],
  ["keep slips of borrowers", true],
  ["weather in Lisbon tomorrow", false],
  ["play some music for my aunt while we keep dancing", false],
])("%s is about the catalogs: %j", (intent, about) => {
  expect(isAbout(explainedParts(read(intent), indexes))).toBe(about);
});

test("any text can be read, and no word says more than 1", () => {
  fc.assert(
    fc.property(wellFormedText(), (text) => {
      const { terms, words } = read(text);
      for (const { weight, word } of terms) {
        expect(weight).toBeGreaterThan(0);
        expect(weight).toBeLessThanOrEqual(1);
        expect(words[word]).toBeDefined();
      }
    }),
  );
});

// What is quadratic in the words of a sentence would not end before the test's limit.
test("a sentence of many unknown words is read", () => {
  const words = Array.from({ length: 20_000 }, (_none, at) =>
    `shel${at.toString(36)}x`.replace(/\d/g, "q"),
  );
  expect(read(words.join(" ")).terms.length).toBeLessThan(100);
});
