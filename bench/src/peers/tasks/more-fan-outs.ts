import { type PeerTask, quay } from "../peer-task.ts";
import type { PeersWorld } from "../peers-world.ts";
import { all, first, type WireBoat, type WirePage } from "./answers.ts";

/** The first page of boats: twenty. */
async function boatsOf(world: PeersWorld): Promise<readonly WireBoat[]> {
  return ((await world.quay("/boats")) as WirePage<WireBoat>).items;
}

/** What the world answers about each of the first twenty boats. */
async function ofEach(world: PeersWorld, path: string): Promise<readonly unknown[]> {
  const boats = await boatsOf(world);
  return Promise.all(boats.map(({ id }) => world.quay(`/boats/${encodeURIComponent(id)}${path}`)));
}

interface Messages {
  readonly items: readonly { readonly to: string; readonly note: string }[];
}

/** One list, then a request for each of its twenty rows. */
export const MORE_FAN_OUTS: readonly PeerTask[] = [
  {
    name: "visits counted",
    kind: "fan-out of 20",
    question:
      "how many visits each of the first 20 boats of the register has; those without any left out",
    oracle: async (world) => {
      const boats = await boatsOf(world);
      const lists = (await ofEach(world, "/visits")) as readonly { readonly total: number }[];
      const counts = lists.map(({ total }, at) => [boats[at]?.id ?? "", String(total)]);
      return counts.filter(([, total]) => total !== "0");
    },
    plasm: {
      seeds: [
        ["quay", "Boat"],
        ["quay", "Visit"],
      ],
      program: "b = Boat.limit(20)\nb.visits.group_by(boat, n=count)",
    },
    operations: ["GET /quay/boats", "GET /quay/boats/{id}/visits"],
    code: `async () => {
  const { items } = await codemode.request({ method: "GET", path: "/quay/boats" });
  const counts = await Promise.all(items.map(async ({ id }) => ({ id, n: (await codemode.request({ method: "GET", path: \`/quay/boats/\${encodeURIComponent(id)}/visits\`, query: { limit: 1 } })).total })));
  return counts.filter(({ n }) => n > 0);
}`,
    *rest() {
      const { items } = first<WirePage<WireBoat>>(yield [quay("GET /boats")]);
      const one = { query: { limit: 1 } };
      const lists = all<{ readonly total: number }>(
        yield items.map(({ id }) => quay("GET /boats/{id}/visits", { id }, one)),
      );
      return lists
        .map(({ total }, at) => ({ id: items[at]?.id, n: total }))
        .filter(({ n }) => n > 0);
    },
  },
  {
    name: "remarks on twenty boats",
    kind: "fan-out of 20",
    question: "id and the harbour master's note of the first 20 boats of the register",
    oracle: async (world) => {
      const boats = (await ofEach(world, "")) as readonly WireBoat[];
      return boats.map(({ id, note }) => [id, note ?? ""]);
    },
    plasm: { seeds: [["quay", "Boat"]], program: "Boat.limit(20)[id,note]" },
    operations: ["GET /quay/boats", "GET /quay/boats/{id}"],
    code: `async () => {
  const { items } = await codemode.request({ method: "GET", path: "/quay/boats" });
  const boats = await Promise.all(items.map(({ id }) => codemode.request({ method: "GET", path: \`/quay/boats/\${encodeURIComponent(id)}\` })));
  return boats.map(({ id, note }) => ({ id, note }));
}`,
    *rest() {
      const { items } = first<WirePage<WireBoat>>(yield [quay("GET /boats")]);
      const boats = all<WireBoat>(yield items.map(({ id }) => quay("GET /boats/{id}", { id })));
      return boats.map(({ id, note }) => ({ id, note }));
    },
  },
  {
    name: "a message for twenty boats",
    kind: "fan-out of 20",
    question: "leave the message Storm tonight to the skipper with each of the first 20 boats",
    oracle: () => Array.from({ length: 20 }, () => ["skipper", "Storm tonight"]),
    after: async (world) => {
      const lists = (await ofEach(world, "/messages")) as readonly Messages[];
      return lists.flatMap(({ items }) => items.map(({ to, note }) => [to, note]));
    },
    plasm: {
      seeds: [["quay", "Boat"]],
      program: 'b = Boat.limit(20)\nb => Boat(_.id).send(to=skipper, note="Storm tonight")',
    },
    operations: ["GET /quay/boats", "POST /quay/boats/{id}/messages"],
    code: `async () => {
  const { items } = await codemode.request({ method: "GET", path: "/quay/boats" });
  for (const { id } of items) await codemode.request({ method: "POST", path: \`/quay/boats/\${encodeURIComponent(id)}/messages\`, body: { to: "skipper", note: "Storm tonight" } });
  return items.length;
}`,
    *rest() {
      const { items } = first<WirePage<WireBoat>>(yield [quay("GET /boats")]);
      const body = { to: "skipper", note: "Storm tonight" };
      yield items.map(({ id }) => quay("POST /boats/{id}/messages", { id }, { body }));
      return null;
    },
  },
];
