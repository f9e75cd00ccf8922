/** A berth as its API has it. */
type Berth = Readonly<Record<string, unknown>>;

interface BerthReply {
  readonly status: number;
  readonly json?: unknown;
}

/** Berths as an API has them, whose every effect but a bell can be taken back. */
export interface Berths {
  readonly rows: Map<string, Berth>;
  /** writes it performed, such as `PATCH /berths/a` */
  readonly performed: string[];
  answer(method: string, path: string, query: URLSearchParams, body: string): BerthReply;
  /** all it has but the counter of changes, as text */
  dump(): string;
}

/** Starts with berths of these ids. */
export function makeBerths(ids: readonly string[] = ["a", "b", "c"]): Berths {
  let changes = 0;
  const rows = new Map<string, Berth>(
    ids.map((id) => [
      id,
      {
        id,
        name: `Berth ${id}`,
        depth: 3.5,
        since: "2020-05-01",
        state: "free",
        tags: ["north", id],
        changed: 0,
      },
    ]),
  );
  const performed: string[] = [];
  const put = (id: string, over: Berth): Berth => {
    changes += 1;
    const empty = { id, name: null, depth: null, since: null, state: "free", tags: [] };
    const next = { ...empty, ...rows.get(id), ...over, changed: changes };
    rows.set(id, next);
    return next;
  };
  const write = (method: string, id: string, sub: string, given: Berth): BerthReply => {
    if (method === "PUT") {
      return rows.has(id) ? { status: 409 } : { status: 200, json: put(id, given) };
    }
    if (!rows.has(id)) return { status: 404 };
    if (method === "PATCH") return { status: 200, json: put(id, given) };
    if (method === "DELETE") rows.delete(id);
    if (sub === "label") put(id, { name: given["text"] });
    if (sub !== "take" && sub !== "leave") return { status: 204 };
    const { state, changed } = put(id, { state: sub === "take" ? "taken" : "free" });
    return { status: 200, json: { id, state, changed } };
  };
  return {
    rows,
    performed,
    answer: (method, path, query, body) => {
      const [, , id = "", sub = ""] = path.split("/");
      if (method === "GET" && id === "") {
        const state = query.get("state");
        const items = [...rows.values()].filter((one) => state === null || one["state"] === state);
        return { status: 200, json: { items } };
      }
      if (method === "GET") {
        const found = rows.get(id);
        return found === undefined ? { status: 404 } : { status: 200, json: found };
      }
      performed.push(`${method} ${path}`);
      return write(method, id, sub, body === "" ? {} : (JSON.parse(body) as Berth));
    },
    dump: () =>
      JSON.stringify(
        [...rows.values()]
          .toSorted((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))
          .map(({ changed: _changed, ...rest }) => rest),
      ),
  };
}
