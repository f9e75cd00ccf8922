import { expect, test } from "vitest";
import type { Boat } from "./data.ts";
import { seedQuay } from "./seed.ts";

const data = seedQuay();
const boat = (id: string): Boat | undefined => data.boats.find((one) => one.id === id);
const distinct = <Value>(values: readonly Value[]): number => new Set(values).size;

test("the same at every call", () => {
  expect(seedQuay()).toEqual(data);
});

test("enough rows for pages of 20: C-119 needs three full ones", () => {
  expect(data.boats.length).toBeGreaterThanOrEqual(61);
  expect(data.people.length).toBeGreaterThanOrEqual(12);
  expect(data.visits.length).toBeGreaterThanOrEqual(40);
  expect(data.visits.filter((visit) => visit.boat === "b1").length).toBeGreaterThan(20);
  expect(data.boats.filter((one) => one.owner === "ann").length).toBeGreaterThan(20);
});

test("keys are unique and the next boat's id is free", () => {
  expect(distinct(data.boats.map(({ id }) => id))).toBe(data.boats.length);
  expect(distinct(data.people.map(({ login }) => login))).toBe(data.people.length);
  expect(distinct(data.visits.map(({ boat: id, day }) => `${id} ${day}`))).toBe(data.visits.length);
  expect(boat(`b${data.nextBoat}`)).toBeUndefined();
});

test("references lead somewhere, and some are null", () => {
  const logins = new Set<string | null>([null, ...data.people.map(({ login }) => login)]);
  const papers = new Set<string | null>([null, ...data.papers.map(({ id }) => id)]);
  const offices = new Set<string | null>([null, ...data.offices.map(({ id }) => id)]);
  expect(data.boats.filter((one) => !logins.has(one.owner) || !papers.has(one.papers))).toEqual([]);
  expect(data.papers.filter(({ office }) => !offices.has(office))).toEqual([]);
  expect(data.boats.some(({ owner }) => owner === null)).toBe(true);
  expect(data.boats.some(({ papers: paper }) => paper === null)).toBe(true);
  expect(data.papers.some(({ office }) => office === null)).toBe(true);
});

test("rows the conformance programs name", () => {
  expect(boat("b1")).toMatchObject({ owner: "ann", meta: { m1: "mark 1" }, papers: "pa1" });
  expect(boat("b1")?.name.toLowerCase()).toContain("al"); // C-004
  expect(boat("b2")).toBeDefined(); // C-029
  expect(boat("b9")).toBeUndefined(); // C-116
  expect(boat("none")).toBeUndefined(); // C-121
  expect(boat("a;;b")).toBeDefined(); // C-040
  expect(data.visits).toContainEqual(expect.objectContaining({ boat: "b1", day: "2026-01-05" }));
  expect(data.people).toContainEqual({ login: "ann", name: "Ann" }); // C-077
  expect(data.people.map(({ login }) => login)).toEqual(
    expect.arrayContaining(["bob", "007", "1e5", "-0", "p1", "e1", "ann.b", 'it"s', "a\tbé"]),
  );
  expect(data.logs[0]).toMatchObject({ id: 1, boat: "b1" }); // C-060
});

test("C-073: a search by Al with state lost finds some and leaves some", () => {
  const found = data.boats.filter(({ name }) => name.toLowerCase().includes("al"));
  const lost = found.filter(({ state }) => state === "lost");
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.length).toBeLessThan(found.length);
});

test("C-075, C-083, C-088: every state, null states, null lengths and days, ties", () => {
  const states = data.boats.map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set(["moored", "sailing", "lost", null]));
  expect(data.boats.some(({ length }) => length === null)).toBe(true);
  expect(data.boats.some(({ built }) => built === null)).toBe(true);
  expect(distinct(data.boats.map(({ built }) => built))).toBeLessThan(data.boats.length);
  const pairs = data.boats.filter(({ length }) => length !== null);
  expect(distinct(pairs.map((one) => `${one.state} ${Number(one.length)}`))).toBeLessThan(
    pairs.length,
  );
});

test("C-084: names and lengths that sort differently as text, by code unit or as doubles", () => {
  const names = data.boats.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["10", "9", "🚤 Zip", "ﬁn", "Sea Star", "Jørn"]));
  const byCodeUnit = names.toSorted();
  expect(byCodeUnit.indexOf("🚤 Zip")).toBeLessThan(byCodeUnit.indexOf("ﬁn"));
  expect("🚤".codePointAt(0)).toBeGreaterThan("ﬁ".codePointAt(0) ?? 0);
  const texts = data.boats.flatMap(({ length }) => (typeof length === "string" ? [length] : []));
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.some((text) => String(Number(text)) !== text.replace(/0+$/, ""))).toBe(true);
});

test("C-091: the longest boat of ann has visits", () => {
  const [longest] = data.boats
    .filter(({ owner, length }) => owner === "ann" && length !== null)
    .toSorted((a, b) => Number(b.length) - Number(a.length));
  expect(data.visits.some((visit) => visit.boat === longest?.id)).toBe(true);
});

test("C-079: some fees of b1 are above 10 and some are not", () => {
  const fees = data.visits.flatMap((visit) => (visit.boat === "b1" ? [Number(visit.fee)] : []));
  expect(fees.some((fee) => fee > 10)).toBe(true);
  expect(fees.some((fee) => fee <= 10)).toBe(true);
});
