import { makeBoats, startQuay, type TestBoat } from "./quay-server.ts";
import type { Received, Reply, TestServer } from "./start-server.ts";

/** A test quay that takes writes, and what it did, in order. */
export interface Harbour {
  readonly server: TestServer;
  readonly boats: TestBoat[];
  /** `update b1`, `create b4`, … */
  readonly performed: string[];
}

const member = (body: unknown, name: string): unknown =>
  typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;

function changed(boat: TestBoat, body: unknown): TestBoat {
  return { ...boat, ...(typeof body === "object" ? body : {}) };
}

/** Performs a write; null for anything else, or for a boat that is not there. */
function write(harbour: Harbour, request: Received): Reply | null {
  const { boats, performed } = harbour;
  const [, id, sub] = request.path.slice(1).split("/");
  const body: unknown = request.body === "" ? null : JSON.parse(request.body);
  if (request.method === "POST" && id === undefined) {
    const [blank] = makeBoats(1);
    if (blank === undefined) return null;
    const boat = changed({ ...blank, state: null, id: `b${boats.length + 1}` }, body);
    boats.push(boat);
    performed.push(`create ${boat.id}`);
    return { status: 201, json: boat };
  }
  const at = boats.findIndex((boat) => boat.id === id);
  const boat = boats[at];
  if (boat === undefined) return null;
  switch (request.method) {
    case "PATCH":
      boats[at] = changed(boat, body);
      performed.push(`update ${id}`);
      return { json: boats[at] };
    case "DELETE":
      boats.splice(at, 1);
      performed.push(`delete ${id}`);
      return { status: 204, text: "" };
    case "POST":
      performed.push(sub === "ping" ? `ping ${id}` : `send ${id} ${String(member(body, "to"))}`);
      return { status: 204, text: "" };
    default:
      return null;
  }
}

/** A quay with so many boats that may be changed; `before` may answer in its place. */
export async function startHarbour(
  count: number,
  before: (request: Received, harbour: Harbour) => Reply | null = () => null,
): Promise<Harbour> {
  const boats = [...makeBoats(count)];
  const performed: string[] = [];
  const holder: { harbour: Harbour | null } = { harbour: null };
  const server = await startQuay(boats, (request) => {
    const { harbour } = holder;
    if (harbour === null) throw new Error("the harbour is not open");
    return before(request, harbour) ?? write(harbour, request);
  });
  holder.harbour = { server, boats, performed };
  return holder.harbour;
}
