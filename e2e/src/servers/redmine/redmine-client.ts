import type { Json, JsonObject } from "@plasm/core";
import type { RequestDescription } from "@plasm/core/internal";
import { apiKey } from "./accounts.ts";
import { type CatalogCall, redmineCatalog, requestOf } from "./catalog-call.ts";

/** What Redmine answered; `body` is null if it was empty. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
}

/** Sends what the catalog makes of calls, and reads Redmine's own record with requests of its own. */
export interface RedmineClient {
  /** Sends a call with the key of an account; throws if the catalog refuses it. */
  call(call: CatalogCall, login?: string): Promise<Answer>;
  /** A call that must answer 201: the row in the answer. */
  create(capability: string, args: JsonObject, login?: string): Promise<Row>;
  /** GETs a path as administrator, which must answer 200: the one member of the body. */
  record(path: string): Promise<JsonObject>;
  /** The status of a GET as administrator. */
  statusOf(path: string): Promise<number>;
}

/** An object with the id that every Redmine object has. */
export interface Row extends JsonObject {
  readonly id: number;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : (JSON.parse(text) as Json) };
}

/** The row a body wraps in one member: `{"issue": {…}}`. */
function wrapped({ status, body }: Answer, expected: number, what: string): JsonObject {
  const [row] = isObject(body) ? Object.values(body) : [];
  if (status === expected && isObject(row)) return row;
  throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
}

/** A client of the Redmine at `url`, an origin without a final slash. */
export function redmineClient(url: string): RedmineClient {
  const catalog = redmineCatalog();
  const send = async (request: RequestDescription, login: string): Promise<Answer> => {
    const query = new URLSearchParams();
    for (const [key, value] of request.query) query.append(key, value);
    const address = `${url}${request.path}?${query.toString()}`;
    const headers: Record<string, string> = { "X-Redmine-API-Key": apiKey(login) };
    if (request.body === undefined) {
      return answerOf(await fetch(address, { method: request.method, headers }));
    }
    if (request.body.format !== "json") throw new Error(`${request.path} is not JSON`);
    headers["Content-Type"] = "application/json";
    const body = JSON.stringify(request.body.value);
    return answerOf(await fetch(address, { method: request.method, headers, body }));
  };
  const get = async (path: string): Promise<Answer> =>
    answerOf(await fetch(url + path, { headers: { "X-Redmine-API-Key": apiKey("admin") } }));
  const call: RedmineClient["call"] = async (asked, login = "admin") => {
    const request = requestOf(catalog, asked);
    if (!request.ok) throw new Error(JSON.stringify(request.errors));
    return send(request.value, login);
  };
  return {
    call,
    async create(capability, args, login) {
      const row = wrapped(await call({ capability, args }, login), 201, capability);
      if (typeof row["id"] === "number") return { ...row, id: row["id"] };
      throw new Error(`${capability}: no id in ${JSON.stringify(row)}`);
    },
    record: async (path) => wrapped(await get(path), 200, path),
    statusOf: async (path) => (await get(path)).status,
  };
}
