/** What quay keeps. Members that no answer shows: `berth`, and who a log or message belongs to. */
export const boatStates = ["moored", "sailing", "lost"] as const;
export type BoatState = (typeof boatStates)[number];

export interface Berth {
  readonly side: "north" | "east" | "south" | "west";
  readonly pier: "x" | "y" | "z";
}

export interface Boat {
  readonly id: string;
  readonly name: string;
  /** Login of a person. */
  readonly owner: string | null;
  /** Metres; decimal text where the register was typed in by hand. */
  readonly length: number | string | null;
  readonly state: BoatState | null;
  /** YYYY-MM-DD. */
  readonly built: string | null;
  readonly note: string | null;
  readonly flags: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  /** Id of a paper. */
  readonly papers: string | null;
  /** Id of the boat built from the same plan. */
  readonly twin: string | null;
  readonly pings: number;
  readonly berth: Berth;
}

export interface Person {
  readonly login: string;
  readonly name: string;
}

export interface Visit {
  readonly boat: string;
  /** YYYY-MM-DD; one visit a boat and day. */
  readonly day: string;
  /** Euros. */
  readonly fee: number | string | null;
}

export interface Log {
  readonly id: number;
  readonly boat: string;
  readonly text: string;
}

export interface Paper {
  readonly id: string;
  /** Id of an office. */
  readonly office: string | null;
}

export interface Office {
  readonly id: string;
  readonly city: string;
}

export interface Message {
  readonly boat: string;
  readonly to: string;
  readonly note: string | null;
}

export interface QuayData {
  readonly format: 1;
  /** Number of the next boat's id; never given twice. */
  readonly nextBoat: number;
  readonly boats: readonly Boat[];
  readonly people: readonly Person[];
  readonly visits: readonly Visit[];
  readonly logs: readonly Log[];
  readonly papers: readonly Paper[];
  readonly offices: readonly Office[];
  readonly messages: readonly Message[];
}

const lists = ["boats", "people", "visits", "logs", "papers", "offices", "messages"] as const;

/** Whether a stored value has quay's shape, as far as its outline goes. */
export const isQuayData = (value: unknown): value is QuayData => {
  if (typeof value !== "object" || value === null) return false;
  const record = value as Readonly<Record<string, unknown>>;
  return (
    record["format"] === 1 &&
    typeof record["nextBoat"] === "number" &&
    lists.every((list) => Array.isArray(record[list]))
  );
};
