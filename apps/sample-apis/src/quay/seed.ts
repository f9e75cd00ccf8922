import type {
  Berth,
  Boat,
  BoatState,
  Log,
  Office,
  Paper,
  Person,
  QuayData,
  Visit,
} from "./data.ts";

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

type Entry = Pick<Boat, "id" | "name" | "owner" | "length" | "state" | "built">;

/** The first boats, each there for something a client may get wrong. */
const written: readonly Entry[] = [
  { id: "b1", name: "Alma", owner: "ann", length: 12.5, state: "moored", built: "2011-04-02" },
  { id: "b2", name: "Bora", owner: "bob", length: 9.75, state: "sailing", built: "2014-09-30" },
  { id: "b3", name: "Sea Star", owner: "ann", length: "18.40", state: "lost", built: "1998-06-15" },
  { id: "b4", name: "Jørn", owner: "cora", length: 7, state: null, built: null },
  { id: "b5", name: "Albatross", owner: "bob", length: 21.3, state: "lost", built: "2003-11-20" },
  { id: "b6", name: "10", owner: "dirk", length: 0.1, state: "moored", built: "2019-01-01" },
  { id: "b7", name: "9", owner: "eva", length: 0.2, state: "sailing", built: "2019-01-01" },
  { id: "b8", name: "🚤 Zip", owner: "finn", length: 6.2, state: "moored", built: "2022-07-07" },
  // b9 stays free: the boat that does not exist.
  { id: "b10", name: "ﬁn", owner: null, length: null, state: null, built: null },
  { id: "b11", name: "Annabel", owner: "ann", length: 33.25, state: "moored", built: "2014-12-31" },
  {
    id: "b12",
    name: "Fulmar",
    owner: "bob",
    length: "12.345678901234567890",
    state: "sailing",
    built: "2015-01-01",
  },
  { id: "b13", name: "Plan Thirteen", owner: "eva", length: 14, state: null, built: "2031-03-01" },
  { id: "a;;b", name: "Semicolons", owner: "007", length: 5.5, state: "lost", built: "1987-02-28" },
];

const names: readonly string[] = [
  "Amber Aster Birch Briar Calypso Cedar Cobalt Corvina Dorado Drift Dune Elm Ember Esperanza",
  "Fjord Flint Gannet Garnet Grebe Halcyon Heron Iris Isle Jade Juno Kelp Kestrel Lark Linden",
  "Maple Merlin Nautilus Nimbus Oriole Osprey Pearl Petrel Quest Quill Reed Rosalind Sable Skua",
  "Tern Thistle Umber Undine Vega Violet Walrus Willow Xebec Yarrow Zephyr",
].flatMap((line) => line.split(" "));

/** ann owns more than a page of boats. */
const owners: readonly (string | null)[] = [
  "ann",
  "bob",
  "ann",
  "cora",
  "ann",
  "dirk",
  "ann",
  "eva",
  'it"s',
  "finn",
  null,
];
const states: readonly (BoatState | null)[] = ["moored", "sailing", "moored", "lost", null];

const twoDigits = (n: number): string => String(n).padStart(2, "0");

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("an empty list has no item");
  return item;
};

const lengthOf = (n: number): Boat["length"] => {
  if (n % 11 === 0) return null;
  const metres = (50 + ((n * 7) % 15) * 13) / 10;
  return n % 7 === 0 ? metres.toFixed(2) : metres;
};

const builtOf = (n: number): string | null =>
  n % 9 === 0
    ? null
    : `${1985 + ((n * 5) % 38)}-${twoDigits(1 + (n % 12))}-${twoDigits(1 + ((n * 3) % 28))}`;

const entryOf = (name: string, index: number): Entry => {
  const n = index + 14;
  return {
    id: `b${n}`,
    name,
    owner: at(owners, n),
    length: lengthOf(n),
    state: at(states, n),
    built: builtOf(n),
  };
};

const sides: readonly Berth["side"][] = ["north", "east", "south", "west"];
const piers: readonly Berth["pier"][] = ["x", "y", "z"];
const flags = ["pilot", "survey", "winter", "museum"] as const;

const noteOf = (entry: Entry, index: number): string | null =>
  index % 4 === 3 ? null : `# ${entry.name}\n\nLies well; *line ${index + 1}* of the register.`;

const metaOf = (index: number): Boat["meta"] => ({
  m1: index % 3 === 0 ? `mark ${index + 1}` : index,
  engine: { hp: 20 + ((index * 15) % 200), "fuel type": index % 2 === 0 ? "diesel" : null },
  tags: index % 5 === 0 ? [] : ["blue", "white"],
});

const boatOf = (entry: Entry, index: number): Boat => ({
  ...entry,
  note: noteOf(entry, index),
  flags: flags.filter((_flag, place) => (index + place) % 3 === 0),
  meta: metaOf(index),
  papers: index % 5 === 4 ? null : `pa${index + 1}`,
  twin: entry.id === "b1" ? "b2" : entry.id === "b2" ? "b1" : null,
  pings: 0,
  berth: { side: at(sides, index), pier: at(piers, index) },
});

/** Every boat, in the order of the register: its order in lists. */
const seedBoats = (): readonly Boat[] => {
  const [numbered, last] = [written.slice(0, -1), written.slice(-1)];
  return [...numbered, ...names.map(entryOf), ...last].map(boatOf);
};
