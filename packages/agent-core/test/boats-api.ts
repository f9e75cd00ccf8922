import type { Transport, TransportOutcome, TransportRequest } from "@plasm/runtime";

/** What a test sees of a request. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

export interface ApiReply {
  readonly status: number;
  readonly json?: unknown;
}

/** The boats of quay as an API in memory: it takes writes, and remembers what it was asked. */
export interface BoatsApi {
  readonly transport: Transport;
  /** writes it performed, such as `PATCH /boats/b1` */
  readonly performed: string[];
  /** every request, reads too */
  readonly asked: Asked[];
  /** Answers in its place, or waits, until it gives null. */
  before: (asked: Asked) => Promise<ApiReply | TransportOutcome | null>;
}

const boat = (id: string, over: object = {}): object => ({
  id,
  name: `Boat ${id}`,
  state: "moored",
  length: "10.5",
  built: "2011-04-02",
  note: "",
  flags: [],
  owner: "ann",
  ...over,
});

function reply({ status, json }: ApiReply): TransportOutcome {
  const body = new TextEncoder().encode(json === undefined ? "" : JSON.stringify(json));
  const headers = [["content-type", "application/json"]] as const;
  return { ok: true, response: { status, headers, body } };
}

/** Starts with boats b1 to bN. */
export function boatsApi(count = 3): BoatsApi {
  const boats = new Map<string, object>();
  for (let n = 1; n <= count; n += 1) boats.set(`b${n}`, boat(`b${n}`));

  const read = (id: string | undefined): ApiReply => {
    if (id === undefined) {
      const items = [...boats.values()];
      return { status: 200, json: { items, page: 1, total: items.length } };
    }
    const found = boats.get(id);
    return found === undefined ? { status: 404, json: {} } : { status: 200, json: found };
  };

  const write = ({ method, path, body }: Asked): ApiReply => {
    const [, , id, sub] = path.split("/");
    const given = (body ?? {}) as object;
    if (id === undefined) {
      const made = boat(`b${boats.size + 1}`, given);
      boats.set(`b${boats.size + 1}`, made);
      return { status: 201, json: made };
    }
    const found = boats.get(id);
    if (found === undefined) return { status: 404, json: {} };
    if (method === "DELETE") boats.delete(id);
    if (method === "DELETE" || sub !== undefined) return { status: 204 };
    boats.set(id, { ...found, ...given });
    return { status: 200, json: boats.get(id) };
  };

  const api: BoatsApi = {
    performed: [],
    asked: [],
    before: async () => null,
    transport: { send: (request) => send(request), close: async () => undefined },
  };

  const send = async (request: TransportRequest): Promise<TransportOutcome> => {
    const { method } = request;
    const path = new URL(request.url).pathname;
    const text = request.body === null ? "" : new TextDecoder().decode(request.body);
    const asked = { method, path, body: text === "" ? null : (JSON.parse(text) as unknown) };
    api.asked.push(asked);
    const instead = await api.before(asked);
    if (instead !== null) return "ok" in instead ? instead : reply(instead);
    if (method === "GET") return reply(read(path.split("/")[2]));
    api.performed.push(`${method} ${path}`);
    return reply(write(asked));
  };
  return api;
}
