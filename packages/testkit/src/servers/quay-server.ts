import { type Received, type Reply, startServer, type TestServer } from "./start-server.ts";

/** A boat of the test quay; the get gives more than the list. */
export interface TestBoat {
  readonly id: string;
  readonly name: string;
  readonly owner: string | null;
  readonly length: number | string | null;
  readonly state: string | null;
  readonly built: string | null;
}

const states = ["moored", "sailing", "lost", null];
const owners = ["ann", "bob", "cora", null];

/** Boats b1, b2, … with values that follow from their number. */
export function makeBoats(count: number): readonly TestBoat[] {
  return Array.from({ length: count }, (_none, i) => ({
    id: `b${i + 1}`,
    name: `Boat ${i + 1}`,
    owner: owners[i % owners.length] ?? null,
    length: (i * 7) % 23,
    state: states[i % states.length] ?? null,
    built: i % 5 === 4 ? null : `20${String(10 + (i % 15)).padStart(2, "0")}-03-01`,
  }));
}

const full = (boat: TestBoat): Record<string, unknown> => ({
  ...boat,
  note: `note of ${boat.id}`,
  flags: [boat.id],
  meta: { berth: boat.id },
  papers: boat.owner === null ? null : { id: `p-${boat.id}` },
  logs: [1, 2].map((n) => ({ id: Number(boat.id.slice(1)) * 10 + n, text: `line ${n}` })),
});

function paged(rows: readonly unknown[], query: URLSearchParams): Reply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("per_page") ?? 20);
  return { json: { items: rows.slice((page - 1) * size, page * size), total: rows.length } };
}

const visitsOf = (boat: string): readonly unknown[] =>
  Array.from({ length: boat === "b1" ? 23 : Number(boat.slice(1)) % 3 }, (_none, n) => ({
    day: `2026-01-${String(n + 1).padStart(2, "0")}`,
    fee: n,
  }));

function visits(boat: string, query: URLSearchParams): Reply {
  const offset = Number(query.get("offset") ?? 0);
  const size = Number(query.get("limit") ?? 20);
  return { json: { visits: visitsOf(boat).slice(offset, offset + size) } };
}

/** Boats are twins in pairs: b1 and b2, b3 and b4, … */
const twinOf = (id: string): string => `b${((Number(id.slice(1)) - 1) ^ 1) + 1}`;

const missing: Reply = { status: 404, json: { message: "not found" } };

function boatReply(boats: readonly TestBoat[], id: string): Reply {
  const boat = boats.find((each) => each.id === id);
  return boat === undefined ? missing : { json: full(boat) };
}

/** Answers like the quay API: lists of six members paged by 20, gets with all, visits by offset. */
function quayReply(boats: readonly TestBoat[], request: Received): Reply {
  const { query } = request;
  const [kind, id, sub] = request.path.slice(1).split("/").map(decodeURIComponent);
  if (kind === "boats" && id === undefined) {
    const state = query.get("state");
    return paged(state === null ? boats : boats.filter((boat) => boat.state === state), query);
  }
  if (kind === "boats" && id !== undefined) {
    if (!boats.some((boat) => boat.id === id)) return missing;
    if (sub === "twin") return boatReply(boats, twinOf(id));
    return sub === "visits" ? visits(id, query) : boatReply(boats, id);
  }
  if (kind === "owners" && id !== undefined) {
    return paged(
      boats.filter((boat) => boat.owner === id),
      query,
    );
  }
  if (kind === "people" && id !== undefined)
    return { json: { login: id, name: `Name of ${id}`, boats: 3 } };
  if (kind === "papers" && id !== undefined) return { json: { id, office: "o1" } };
  if (kind === "offices" && id !== undefined) return { json: { id, city: "Bergen" } };
  return missing;
}

/** A test quay with so many boats; `before` may answer in its place. */
export function startQuay(
  boats: readonly TestBoat[],
  before: (request: Received) => Reply | null = () => null,
): Promise<TestServer> {
  return startServer((request) => before(request) ?? quayReply(boats, request));
}
