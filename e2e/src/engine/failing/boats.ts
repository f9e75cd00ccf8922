import { type Answer, json } from "./misbehaving-api.ts";

/** A boat as a list of the quay gives it. */
export const boat = (n: number, over: Readonly<Record<string, unknown>> = {}) => ({
  id: `b${n}`,
  name: `Boat ${n}`,
  owner: "ann",
  length: n,
  state: "lost",
  built: null,
  ...over,
});

/** A boat as a get gives it. */
export const wholeBoat = (n: number, over: Readonly<Record<string, unknown>> = {}) => ({
  ...boat(n),
  note: "",
  flags: [],
  meta: { berth: "x1" },
  papers: null,
  logs: [],
  ...over,
});

/** The list of boats, whatever it is asked for. */
export const boats = (...items: readonly unknown[]): Readonly<Record<string, Answer>> => ({
  "GET /boats": json({ items }),
});

/** Three boats. */
export const THREE = boats(boat(1), boat(2), boat(3));
