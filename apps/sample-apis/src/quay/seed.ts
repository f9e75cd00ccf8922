import type { Boat, Log, Office, Paper, Person, QuayData, Visit } from "./data.ts";
import { seedBoats } from "./seed-boats.ts";

/** Logins from the third line on are keys that look like something else. */
const people: readonly Person[] = [
  ...["Ann", "Bob", "Cora", "Dirk", "Eva", "Finn"].map((name) => ({
    login: name.toLowerCase(),
    name,
  })),
  { login: "007", name: "James" },
  { login: "1e5", name: "Many" },
  { login: "-0", name: "Minus Zero" },
  { login: "p1", name: "Symbol P" },
  { login: "e1", name: "Symbol E" },
  { login: "ann.b", name: "Ann B" },
  { login: "a/b", name: "Slash" },
  { login: 'it"s', name: "Quote" },
  { login: "a\tbé", name: "Tab" },
];

const dayMilliseconds = 86_400_000;

/** The day `days` after 2026-01-05. */
const dayAfter = (days: number): string =>
  new Date(Date.UTC(2026, 0, 5) + days * dayMilliseconds).toISOString().slice(0, 10);

const feeOf = (n: number): Visit["fee"] => {
  if (n % 13 === 12) return null;
  const euros = 4.5 + ((n * 7) % 24) / 2;
  return n % 6 === 5 ? euros.toFixed(2) : euros;
};

/** b1 comes weekly, more often than a page holds; others up to three times, every fourth never. */
const visitsOf = (boat: Boat, index: number): readonly Visit[] => {
  const count = boat.id === "b1" ? 23 : index % 4;
  return Array.from({ length: count }, (_none, n) => ({
    boat: boat.id,
    day: dayAfter(7 * n + (index % 7)),
    fee: feeOf(index + n),
  }));
};

const logTexts = ["left the pier", "wind from the west", "back at the pier", "engine looked at"];

const logsOf = (boats: readonly Boat[]): readonly Log[] =>
  boats
    .flatMap((boat, index) =>
      logTexts.slice(0, boat.id === "b1" ? 3 : index % 4).map((text) => ({ boat: boat.id, text })),
    )
    .map((log, index) => ({ id: index + 1, ...log }));

const offices: readonly Office[] = [
  { id: "o1", city: "Bergen" },
  { id: "o2", city: "Kiel" },
  { id: "o3", city: "Ostend" },
];

const papersOf = (boats: readonly Boat[]): readonly Paper[] =>
  boats.flatMap((boat, index) => {
    if (boat.papers === null) return [];
    const office = index % 8 === 7 ? null : (offices[index % offices.length]?.id ?? null);
    return [{ id: boat.papers, office }];
  });

/** Quay's first data, the same at every call. */
export const seedQuay = (): QuayData => {
  const boats = seedBoats();
  return {
    format: 1,
    nextBoat: boats.length + 1,
    boats,
    people,
    visits: boats.flatMap(visitsOf),
    logs: logsOf(boats),
    papers: papersOf(boats),
    offices,
    messages: [],
  };
};
