type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const integer: Schema = { type: "integer" };
const state: Schema = { type: "string", enum: ["moored", "sailing", "lost"] };
const object = (properties: Readonly<Record<string, Schema>>, required?: readonly string[]) => ({
  type: "object",
  properties,
  ...(required === undefined ? {} : { required }),
});
const list = (items: Schema): Schema => ({ type: "array", items });

const entry = {
  id: text,
  name: text,
  owner: { type: "string", description: "login of a person" },
  length: { type: "number", description: "metres" },
  state,
  built: { type: "string", format: "date", description: "day of launch" },
};

const schemas: Readonly<Record<string, Schema>> = {
  BoatEntry: object(entry),
  Boat: object({
    ...entry,
    note: { type: "string", description: "the harbour master's remarks" },
    flags: list(text),
    meta: { type: "object" },
    papers: object({ id: text }),
    twin: { type: "string", description: "id of the boat built from the same plan" },
    pings: integer,
    logs: list({ $ref: "#/components/schemas/Log" }),
  }),
  Person: object({ login: text, name: text, boats: { type: "integer", description: "owned" } }),
  Visit: object({
    boat: text,
    day: { type: "string", format: "date" },
    fee: { type: "number", description: "euros" },
  }),
  Log: object({ id: integer, text }),
  Paper: object({ id: text, office: { type: "string", description: "who issued it" } }),
  Office: object({ id: text, city: text }),
};

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const page = (name: string): Schema =>
  object({ items: list(ref(name)), page: integer, total: integer });

interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, Schema>>;
  readonly body?: Schema;
  /** null: 204 */
  readonly answer: Schema | null;
  readonly status?: number;
}

const numbered = {
  page: integer,
  per_page: { type: "integer", maximum: 100, description: "20 if not given" },
};
const near = {
  type: "string",
  description: "where it lies: north, east, south, west, or pier x, y, z",
};

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "get /boats": {
    id: "boats/list",
    tag: "boats",
    summary: "List boats",
    query: { state, near, ...numbered },
    answer: page("BoatEntry"),
  },
  "get /owners/{login}/boats": {
    id: "boats/list-of-owner",
    tag: "boats",
    summary: "List the boats of one owner",
    query: { state, ...numbered },
    answer: page("BoatEntry"),
  },
  "get /search/boats": {
    id: "boats/search",
    tag: "boats",
    summary: "Search boats by words in the name",
    query: { q: text, state, ...numbered },
    answer: page("BoatEntry"),
  },
  "post /boats": {
    id: "boats/create",
    tag: "boats",
    summary: "Enter a new boat in the register",
    body: object({ name: text, owner: text, length: { type: "number" }, note: text }, [
      "name",
      "owner",
    ]),
    answer: ref("Boat"),
    status: 201,
  },
  "get /boats/{id}": { id: "boats/get", tag: "boats", summary: "Get a boat", answer: ref("Boat") },
  "patch /boats/{id}": {
    id: "boats/update",
    tag: "boats",
    summary: "Correct a boat's entry",
    body: object({ name: text, state, note: text }),
    answer: ref("Boat"),
  },
  "delete /boats/{id}": {
    id: "boats/delete",
    tag: "boats",
    summary: "Strike a boat off, with its visits, logs and messages",
    answer: null,
  },
  "get /boats/{id}/twin": {
    id: "boats/get-twin",
    tag: "boats",
    summary: "Get the boat built from the same plan",
    answer: ref("Boat"),
  },
  "post /boats/{id}/ping": {
    id: "boats/ping",
    tag: "boats",
    summary: "Call a boat by radio",
    answer: null,
  },
  "post /boats/{id}/messages": {
    id: "boats/send",
    tag: "boats",
    summary: "Leave a message with a boat",
    body: object({ to: text, note: text }, ["to"]),
    answer: null,
  },
  "get /boats/{id}/visits": {
    id: "visits/list",
    tag: "visits",
    summary: "List a boat's days at the quay",
    query: {
      offset: integer,
      limit: { type: "integer", maximum: 100, description: "20 if not given" },
    },
    answer: object({ visits: list(ref("Visit")), offset: integer, total: integer }),
  },
  "get /boats/{id}/visits/{day}": {
    id: "visits/get",
    tag: "visits",
    summary: "Get one day of a boat at the quay",
    answer: ref("Visit"),
  },
  "get /people": {
    id: "people/list",
    tag: "people",
    summary: "List people",
    query: numbered,
    answer: page("Person"),
  },
  "get /people/{login}": {
    id: "people/get",
    tag: "people",
    summary: "Get a person",
    answer: ref("Person"),
  },
  "get /logs/{id}": {
    id: "logs/get",
    tag: "records",
    summary: "Get a line of a boat's log",
    answer: ref("Log"),
  },
  "get /papers/{id}": {
    id: "papers/get",
    tag: "records",
    summary: "Get a boat's registration paper",
    answer: ref("Paper"),
  },
  "get /offices/{id}": {
    id: "offices/get",
    tag: "records",
    summary: "Get an office that registers boats",
    answer: ref("Office"),
  },
};

function operationOf(path: string, operation: Operation): object {
  const {
    id,
    tag,
    summary,
    query = {},
    body,
    answer,
    status = answer === null ? 204 : 200,
  } = operation;
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: text,
  }));
  const inQuery = Object.entries(query).map(([name, schema]) => ({
    name,
    in: "query",
    ...(name === "q" ? { required: true } : {}),
    schema,
  }));
  const json = (schema: Schema) => ({ content: { "application/json": { schema } } });
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: [...inPath, ...inQuery],
    ...(body === undefined ? {} : { requestBody: { required: true, ...json(body) } }),
    responses: {
      [status]: { description: summary, ...(answer === null ? {} : json(answer)) },
    },
  };
}

function pathItems(): Readonly<Record<string, Readonly<Record<string, object>>>> {
  const items: Record<string, Record<string, object>> = {};
  for (const [key, operation] of Object.entries(OPERATIONS)) {
    const [method = "", path = ""] = key.split(" ");
    (items[path] ??= {})[method] = operationOf(path, operation);
  }
  return items;
}

/** The sample API's OpenAPI document, as its author would publish it: what its catalog has, and no more. */
export const quayDocument = () => ({
  openapi: "3.0.3",
  info: { title: "Quay", version: "1.0.0", description: "A harbour register" },
  paths: pathItems(),
  components: { schemas },
});
