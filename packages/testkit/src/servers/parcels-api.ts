import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How many rows a page of the parcels has. */
const PAGE = 1_000;

/** How many owners the parcels have between them. */
export const OWNERS = 40;

/** A small row of five columns, whose values follow from its number, in no order of their own. */
export function parcelAt(at: number) {
  const mixed = (at * 7_919) % 1_000_003;
  return {
    id: `p${at}`,
    name: `parcel number ${String(mixed).padStart(6, "0")}`,
    size: (mixed % 1_000) / 4,
    day: `20${10 + (at % 15)}-0${1 + (at % 9)}-1${at % 10}`,
    owner: `o${at % OWNERS}`,
  };
}

export const ownerAt = (at: number) => ({ id: `o${at}`, city: at % 3 === 0 ? "Oslo" : "Bergen" });

const json = (response: ServerResponse, body: unknown): void => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

/** Serves so many parcels, page by page, and their owners, one by one. */
export async function startParcels(
  count: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://local");
    const [, kind, id] = pathname.split("/");
    if (kind === "owners") return json(response, ownerAt(Number(id?.slice(1))));
    const from = (Number(searchParams.get("page") ?? "1") - 1) * PAGE;
    const size = Math.max(0, Math.min(PAGE, count - from));
    json(response, { items: Array.from({ length: size }, (_none, at) => parcelAt(from + at)) });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** As a process of its own, `parcels-api.ts COUNT`, which tells its parent where it is. */
if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const { url } = await startParcels(Number(process.argv[2]));
  process.on("disconnect", () => process.exit());
  process.send(url);
}

const text = { value_ref: "text" };

/** The catalog of the parcels, as YAML, which JSON is. */
export const parcelsFiles = (backend: string) => ({
  domain: JSON.stringify({
    version: 1,
    http_backend: backend,
    values: {
      text: { type: "string", string_semantics: "short" },
      number: { type: "number" },
      day: { type: "date", value_format: "iso8601_date" },
      owner: { type: "entity_ref", target: "Owner" },
    },
    entities: {
      Owner: { id_field: "id", fields: { id: { ...text, required: true }, city: text } },
      Parcel: {
        id_field: "id",
        fields: {
          id: { ...text, required: true },
          name: text,
          size: { value_ref: "number" },
          day: { value_ref: "day" },
          owner: { value_ref: "owner" },
        },
      },
    },
    capabilities: {
      parcel_query: { kind: "query", entity: "Parcel" },
      owner_get: { kind: "get", entity: "Owner" },
    },
  }),
  mappings: JSON.stringify({
    parcel_query: {
      method: "GET",
      path: [{ type: "literal", value: "parcels" }],
      response: { items: "items" },
      pagination: { params: { page: { counter: 1 } } },
    },
    owner_get: {
      method: "GET",
      path: [
        { type: "literal", value: "owners" },
        { type: "var", name: "id" },
      ],
    },
  }),
});
