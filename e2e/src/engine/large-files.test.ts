import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, LOCAL, type Store } from "@plasm/agent-core";
import { openCatalog } from "@plasm/core";
import { createHttpTransport, systemClock, systemIds } from "@plasm/runtime";
import { openPostgresStore, openSqliteStore } from "@plasm/store";
import { createDatabase } from "@plasm/testkit/postgres";
import { expect, inject, test } from "vitest";

const HEAD = `
version: 1
http_backend: http://127.0.0.1:1
values: { text: { type: string, string_semantics: short }, file: { type: blob } }
`;

function entryOf(entryId: string, body: string, mappings: string) {
  const domain = HEAD + body;
  const opened = openCatalog({
    entryId,
    domain: { file: "domain.yaml", text: domain },
    mappings: { file: "mappings.yaml", text: mappings },
  });
  if (opened.catalog === null) throw new Error(JSON.stringify(opened.diagnostics));
  return { catalog: opened.catalog, domain, mappings, credentials: true };
}

const FILMS = entryOf(
  "films",
  `entities:
  Film:
    id_field: id
    implicit_request_identity: true
    fields: { id: { value_ref: text }, content: { value_ref: file, path: [] } }
capabilities:
  film_get: { kind: get, entity: Film }
`,
  "film_get: { method: GET, path: [{ type: literal, value: films }, { type: var, name: id }], response: single }",
);

const SHELVES = entryOf(
  "shelves",
  `entities:
  Shelf:
    id_field: id
    implicit_request_identity: true
    fields: { id: { value_ref: text } }
capabilities:
  shelf_get: { kind: get, entity: Shelf }
  shelf_put: { kind: action, entity: Shelf, parameters: [{ name: file, value_ref: file, required: true }], output: { type: side_effect, description: it is there } }
`,
  `shelf_get: { method: GET, path: [{ type: literal, value: shelves }, { type: var, name: id }], response: single }
shelf_put:
  method: POST
  path: [{ type: literal, value: shelves }, { type: var, name: id }]
  body_format: multipart
  multipart: { parts: [{ name: film, content: { type: var, name: file } }] }
`,
);

const SIZE = 100 * 1024 * 1024;
const MOST_HELD = 64 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const NOISE = randomBytes(PIECE_BYTES);

/** Pieces that differ, so that no part of the file is kept for another one. */
function pieceAt(offset: number): Buffer {
  const piece = Buffer.from(NOISE);
  piece.writeUInt32LE(offset);
  return piece;
}

/** What stands where: bytes that one side has given and the other has not taken yet, at most. */
interface Held {
  given: number;
  taken: number;
  most: number;
}

const give = (held: Held, bytes: number): void => {
  held.given += bytes;
  held.most = Math.max(held.most, held.given - held.taken);
};

function serveFile(response: ServerResponse, held: Held): void {
  response.writeHead(200, { "content-type": "video/mp4" });
  const more = (): void => {
    while (held.given < SIZE) {
      const piece = pieceAt(held.given);
      give(held, piece.length);
      if (!response.write(piece)) return void response.once("drain", more);
    }
    response.end();
  };
  more();
}

/** The SHA-256 of the one part of a form, and how long the form is. */
async function readForm(request: IncomingMessage, held: Held): Promise<string> {
  const boundary = /boundary=(.*)$/.exec(request.headers["content-type"] ?? "")?.[1] ?? "";
  const ending = Buffer.byteLength(`\r\n--${boundary}--\r\n`);
  const hash = createHash("sha256");
  let waiting = Buffer.alloc(0);
  let inPart = false;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    held.taken += chunk.length;
    waiting = Buffer.concat([waiting, chunk]);
    const head = inPart ? 0 : waiting.indexOf("\r\n\r\n");
    if (head < 0) continue;
    if (!inPart) waiting = waiting.subarray(head + 4);
    inPart = true;
    const whole = Math.max(0, waiting.length - ending);
    hash.update(waiting.subarray(0, whole));
    waiting = Buffer.from(waiting.subarray(whole));
  }
  return hash.digest("hex");
}

interface OpenedStore {
  readonly store: Store;
  drop(): Promise<void>;
}

/** A store of each kind that keeps what it holds on disk. */
const STORES: Readonly<Record<string, () => Promise<OpenedStore>>> = {
  SQLite: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "plasm-files-"));
    const drop = () => rm(dataDir, { recursive: true, force: true });
    return { store: await openSqliteStore({ dataDir }), drop };
  },
  PostgreSQL: async () => {
    const database = await createDatabase(inject("postgresUrl"));
    const drop = () => database.drop();
    return { store: await openPostgresStore({ url: database.url }), drop };
  },
};

test.each(Object.entries(STORES))(
  "VAL-01, VAL-02: 100 MiB go from one API into another over %s, and no more than 64 MiB of them are held",
  async (_name, openStore) => {
    const down: Held = { given: 0, taken: 0, most: 0 };
    const up: Held = { given: 0, taken: 0, most: 0 };
    let received = "";
    const server = createServer((request, response) => {
      if (request.method === "GET") return serveFile(response, down);
      void readForm(request, up).then((sha256) => {
        received = sha256;
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kept = await openStore();
    const store = new Proxy(kept.store, {
      get: (target, name) => {
        if (name === "putBlob") {
          return async (sha256: string, bytes: Uint8Array) => {
            await target.putBlob(sha256, bytes);
            down.taken += bytes.length;
          };
        }
        if (name === "getBlob") {
          return async (sha256: string) => {
            const bytes = await target.getBlob(sha256);
            give(up, bytes?.length ?? 0);
            return bytes;
          };
        }
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    }) as Store;
    const transport = createHttpTransport();
    const all = [FILMS, SHELVES];
    const engine = createEngine({
      store,
      registry: { list: () => all, get: (id) => all.find(({ catalog }) => catalog.entryId === id) },
      backends: new Map(all.map(({ catalog }) => [catalog.entryId, url])),
      ports: {
        transport,
        secrets: { env: () => undefined, hosted: async () => undefined },
        clock: systemClock,
        ids: systemIds,
        functions: new Map(),
      },
      answerHoldMs: 60_000,
    });
    const seeds = [
      { api: "films", entity: "Film" },
      { api: "shelves", entity: "Shelf" },
    ];
    const { meta } = await engine.context(LOCAL, { intent: "films", seeds, notation: "names" });
    const at = { kind: "ref", ref: String(meta["logical_session_ref"]) } as const;
    const program = 'f = Film("f1")[id, content]\nShelf("x").put(file=f.content)';
    const planned = await engine.plan(LOCAL, at, program);
    const planCommitRef = String(planned.meta["plan_commit_ref"]);
    const { text } = await engine.run(LOCAL, at, { planCommitRef });
    expect(text).toContain("done put shelves.Shelf x");
    const hash = createHash("sha256");
    for (let size = 0; size < SIZE; size += PIECE_BYTES) hash.update(pieceAt(size));
    expect(received).toBe(hash.digest("hex"));
    expect([down.given, up.taken > SIZE]).toEqual([SIZE, true]);
    expect(down.most).toBeLessThan(MOST_HELD);
    expect(up.most).toBeLessThan(MOST_HELD);
    await engine.close();
    await transport.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await kept.drop();
  },
  240_000,
);
