import fc from "fast-check";
import { makeBoats, type Received, type Reply, type TestBoat } from "@plasm/testkit/servers";

/** How a quay differs from others: what it has, and what its answers hold. */
export interface Quay {
  readonly boats: number;
  /** rows per page that its catalog declares */
  readonly size: (typeof PAGE_SIZES)[number];
  /** rows per page that it gives at most, whatever is asked */
  readonly most: number;
  /** whether rows of lists hold what gets give, or less than the catalog says */
  readonly listed: "as declared" | "all" | "less";
  /** whether visits, logs and papers that are inside others hold more than their ids */
  readonly nested: boolean;
  /** whether effects answer with the boat, and how much of it */
  readonly performed: "all" | "key" | "nothing";
}

export const PAGE_SIZES = [3, 7, 20] as const;

export const arbitraryQuay: fc.Arbitrary<Quay> = fc.record({
  boats: fc.constantFrom(0, 1, 3, 6, 7, 13, 20, 21, 45),
  size: fc.constantFrom(...PAGE_SIZES),
  most: fc.constantFrom(100, 100, 5),
  listed: fc.constantFrom("as declared", "as declared", "all", "less"),
  nested: fc.boolean(),
  performed: fc.constantFrom("all", "key", "nothing"),
});

const MISSING: Reply = { status: 404, json: { message: "not found" } };
const numberOf = (id: string): number => Number(id.slice(1));

function inFull(quay: Quay, boat: TestBoat): object {
  const logs = [1, 2].map((n) => numberOf(boat.id) * 10 + n);
  return {
    ...boat,
    note: `note of ${boat.id}`,
    flags: [boat.id],
    meta: { berth: boat.id },
    papers:
      boat.owner === null ? null : { id: `p-${boat.id}`, ...(quay.nested && { office: "o1" }) },
    logs: logs.map((id) => ({ id, ...(quay.nested && { text: `line ${id}` }) })),
  };
}

function listed(quay: Quay, boat: TestBoat): object {
  if (quay.listed === "all") return inFull(quay, boat);
  const { length: _length, ...less } = boat;
  return quay.listed === "less" ? less : boat;
}

function page(quay: Quay, rows: readonly object[], { query }: Received, items: string): Reply {
  const size = Number(query.get("per_page") ?? query.get("limit"));
  const start = Number(query.get("offset") ?? (Number(query.get("page")) - 1) * size);
  return { json: { [items]: rows.slice(start, start + Math.min(size, quay.most)) } };
}

const visitsOf = (boat: string): readonly object[] =>
  Array.from({ length: boat === "b1" ? 23 : numberOf(boat) % 4 }, (_none, n) => ({
    day: `2026-01-${String(n + 1).padStart(2, "0")}`,
    fee: n * 2,
  }));

function performed(quay: Quay, id: string, boats: readonly TestBoat[]): Reply {
  if (quay.performed === "nothing") return { status: 204, text: "" };
  const boat = boats.find((each) => each.id === id);
  return { json: quay.performed === "key" || boat === undefined ? { id } : inFull(quay, boat) };
}

const twinOf = (id: string): string => `b${((numberOf(id) - 1) ^ 1) + 1}`;

function ofBoat(quay: Quay, boats: readonly TestBoat[], request: Received): Reply {
  const [, id = "", sub, day] = request.path.slice(1).split("/").map(decodeURIComponent);
  if (request.method !== "GET") return performed(quay, id, boats);
  const wanted = sub === "twin" ? twinOf(id) : id;
  const boat = boats.find((each) => each.id === wanted);
  if (boat === undefined) return MISSING;
  if (sub !== "visits") return { json: inFull(quay, boat) };
  if (day !== undefined) return { json: { day, fee: 1 } };
  return page(quay, visitsOf(id), request, "visits");
}

/** Answers as such a quay does; effects are told of and change nothing. */
export function answerOf(quay: Quay, request: Received): Reply {
  const boats = makeBoats(quay.boats);
  const [kind, id, sub] = request.path.slice(1).split("/").map(decodeURIComponent);
  const state = request.query.get("state");
  const inState = boats.filter((boat) => state === null || boat.state === state);
  const rows = (some: readonly TestBoat[]): Reply =>
    page(
      quay,
      some.map((boat) => listed(quay, boat)),
      request,
      "items",
    );
  switch (kind) {
    case "boats":
      if (id !== undefined) return ofBoat(quay, boats, request);
      return request.method === "GET" ? rows(inState) : performed(quay, "b99", boats);
    case "search":
      return rows(inState);
    case "owners":
      return sub === "boats" ? rows(inState.filter(({ owner }) => owner === id)) : MISSING;
    case "people": {
      const people = ["ann", "bob", "cora"].map((login) => ({ login, name: `Name of ${login}` }));
      if (id === undefined) return page(quay, people, request, "items");
      return { json: { login: id, name: `Name of ${id}`, boats: 3 } };
    }
    case "papers":
      return { json: { id, office: "o1" } };
    case "offices":
      return { json: { id, city: "Bergen" } };
    case "logs":
      return { json: { id: Number(id), text: `line ${id}` } };
    default:
      return MISSING;
  }
}
